// Constraints that are linear in the positions: two points that stay together (three rows), a point
// on a line (two) or on a plane (one). φ = d · (x_a − x_b − p) along each direction d that is held.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/element/mapped_point.hpp>

namespace pliant {

struct LinearRow {
  std::string name;
  MappedPoint a, b;            // b may be nowhere: then it is the world
  Vec3 offset = Vec3::Zero();  // m, p
  Vec3 along = Vec3::UnitX();  // d, a unit vector
  double compliance = 0;       // m/N
  double relaxation = 0;       // s, compliance times damping
};

class LinearConstraints final : public Constraint {
 public:
  explicit LinearConstraints(std::vector<LinearRow> list) : list_(std::move(list)) {}

  std::string_view name() const override { return "linear"; }
  Index rows() const override { return static_cast<Index>(list_.size()); }
  void value(double t, std::span<const double> q, std::span<double> phi) const override;
  void add_jacobian(std::span<const double> q, Index first_row,
                    std::vector<JacobianEntry>& out) const override;
  void compliance(std::span<double> c) const override;
  void relaxation(std::span<double> tau) const override;
  void add_geometric_stiffness(std::span<const double>, std::span<const double>, double,
                               GeometricStiffness, std::vector<NodeBlock>&) const override {}
  void curvature(double, std::span<const double>, std::span<const double>,
                 std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
  }
  std::string row_name(Index row) const override {
    return list_[static_cast<std::size_t>(row)].name;
  }

 private:
  std::vector<LinearRow> list_;
};

}  // namespace pliant
