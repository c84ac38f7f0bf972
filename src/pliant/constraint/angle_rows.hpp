// Angles about the axis of a joint: φ = sign · (θ − centre − target) + offset with θ = atan2(u·s,
// u·c) the angle of a direction u of one body between two of the other, c and s; the difference is
// taken between −π and π. With x = u·c and y = u·s,
//   ∇θ = (x ∇y − y ∇x)/r²,   ∇²θ = (x ∇²y − y ∇²x)/r² + [2xy (∇x∇xᵀ − ∇y∇yᵀ) + (y² − x²)(∇x∇yᵀ +
//   ∇y∇xᵀ)]/r⁴
// with r² = x² + y².
#pragma once

#include <pliant/constraint/dot_rows.hpp>

namespace pliant {

struct AngleRow {
  std::string name;
  LinearForm u, c, s;
  double sign = 1, centre = 0, offset = 0;  // rad
  double compliance = 0;                    // rad/(N·m)
  MultiplierBounds bounds = {};             // N·m
  Target target = {};                       // rad, is added to the centre
  double relaxation = 0;                    // s, compliance times damping
};

class AngleConstraints final : public Constraint {
 public:
  explicit AngleConstraints(const std::vector<AngleRow>& list, About about = About::places);

  std::string_view name() const override { return "angle"; }
  Index rows() const override { return static_cast<Index>(list_.size()); }
  bool about_rates() const override { return about_ == About::rates; }
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
  struct Part {  // of the three directions
    Index node = 0;
    double u = 0, c = 0, s = 0;
  };
  struct Row {
    std::string name;
    std::vector<Part> parts;
    Vec3 u = Vec3::Zero(), c = Vec3::Zero(), s = Vec3::Zero();  // constants
    double sign = 1, centre = 0, offset = 0, compliance = 0, relaxation = 0;
    MultiplierBounds bounds;
    Target target;
  };
  struct Directions {
    Vec3 u, c, s;
    double x() const { return u.dot(c); }
    double y() const { return u.dot(s); }
  };
  static Directions directions(const Row& row, std::span<const double> q);
  // sign · ∇²θ over the parts of a row.
  static Eigen::MatrixXd hessian(const Row& row, std::span<const double> q);

  About about_;
  std::vector<Row> list_;
};

}  // namespace pliant
