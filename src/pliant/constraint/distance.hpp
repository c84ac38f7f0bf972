// Points that keep their distance: φ = ± (‖x_a − x_b‖ − ℓ), for rods, inextensible threads and
// ropes.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/element/mapped_point.hpp>

namespace pliant {

struct DistanceRow {
  std::string name;
  MappedPoint a, b = {};
  Vec3 world = Vec3::Zero();  // m, where b is while it goes with no node
  double rest = 0;            // m, ℓ
  double compliance = 0;      // m/N
  // Of limits, which are rows of their own: −1 keeps the distance below ℓ.
  double sign = 1;
  MultiplierBounds bounds = {};
  double relaxation = 0;  // s, compliance times damping
};

class DistanceConstraints final : public Constraint {
 public:
  explicit DistanceConstraints(std::vector<DistanceRow> list) : list_(std::move(list)) {}

  std::string_view name() const override { return "distance"; }
  Index rows() const override { return static_cast<Index>(list_.size()); }
  void value(double t, std::span<const double> q, std::span<double> phi) const override;
  void add_jacobian(std::span<const double> q, Index first_row,
                    std::vector<JacobianEntry>& out) const override;
  void compliance(std::span<double> c) const override;
  void relaxation(std::span<double> tau) const override;
  void bounds(std::span<double> low, std::span<double> high) const override;
  void add_geometric_stiffness(std::span<const double> q, std::span<const double> lambda,
                               double scale, GeometricStiffness part,
                               std::vector<NodeBlock>& out) const override;
  void curvature(double t, std::span<const double> q, std::span<const double> v,
                 std::span<double> out) const override;
  std::string row_name(Index row) const override {
    return list_[static_cast<std::size_t>(row)].name;
  }

 private:
  std::vector<DistanceRow> list_;
};

}  // namespace pliant
