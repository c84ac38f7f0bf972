// A closed surface keeps what it encloses, or follows a target:
//   φ = (V(q) − V₀(t))/A₀,      V = Σ x_a · (x_b × x_c)/6 over its triangles.
// Divided by the area at rest it is a length, about how far the surface would have to move, and its
// multiplier a force: λ/A₀ is the pressure inside.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/constraint/target.hpp>

#include <array>

namespace pliant {

struct VolumeInput {
  std::string name;
  std::vector<std::array<Index, 3>> triangles;  // closed, their normals outwards
  double compliance = 0;                        // m/N
  double relaxation = 0;                        // s, compliance times damping
  std::optional<Target> volume = {};            // V₀, m³; that at rest unless given
};

class VolumeConstraint final : public Constraint {
 public:
  VolumeConstraint(VolumeInput input, std::span<const double> rest);

  std::string_view name() const override { return "volume"; }
  Index rows() const override { return 1; }
  void value(double t, std::span<const double> q, std::span<double> phi) const override;
  void add_jacobian(std::span<const double> q, Index first_row,
                    std::vector<JacobianEntry>& out) const override;
  void compliance(std::span<double> c) const override { c[0] = input_.compliance; }
  void relaxation(std::span<double> tau) const override { tau[0] = input_.relaxation; }
  void add_geometric_stiffness(std::span<const double> q, std::span<const double> lambda,
                               double scale, GeometricStiffness part,
                               std::vector<NodeBlock>& out) const override;
  void curvature(double t, std::span<const double> q, std::span<const double> v,
                 std::span<double> out) const override;
  std::string row_name(Index) const override { return input_.name; }

 private:
  // Nodes from their middle: of what is closed the volume does not depend on where it is measured
  // from, and from there it loses the fewest digits.
  std::vector<Vec3> centred(std::span<const double> q) const;
  double volume(std::span<const double> q) const;

  VolumeInput input_;
  Target volume_;                              // V₀
  double area_ = 0;                            // A₀
  std::vector<Index> nodes_;                   // of the system, each once
  std::vector<std::array<Index, 3>> corners_;  // of the triangles, numbers in nodes_
};

}  // namespace pliant
