// Loads on the triangles of a surface that follow them: pressure and wind. Both are functions of
// the area vector N = ½ (x₁ − x₀) × (x₂ − x₀) of a triangle, a third of the force going to each
// corner.
#pragma once

#include <pliant/core/curve.hpp>
#include <pliant/load/load_faces.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/term/term.hpp>

#include <array>

namespace pliant {

class FaceLoad : public Term {
 public:
  FaceLoad(const LoadFaces& faces, Index nodes);

  TermKind kind() const override { return TermKind::external; }
  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, 3); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }

 protected:
  struct Face {
    std::array<Vec3, 3> x;
    Vec3 area;  // N, m²
    // ∂N/∂x_b; [e]ₓ stands for the matrix of e ×.
    Mat3 area_derivative(int b) const;
  };
  Face face(std::size_t e, std::span<const double> q) const;
  const Index* corners(std::size_t e) const { return connectivity_.data() + 3 * e; }
  bool closed() const;  // every edge belongs to two triangles that run along it in opposite senses
  // A(x_a, x_b) += block[b] for all corners a: the force is the same on each.
  void scatter(std::size_t e, const std::array<Mat3, 3>& block, BlockMatrix& A) const;

  std::vector<Index> connectivity_;
  std::vector<double> weights_;
  AssemblyPlan plan_;
};

// Pressure p(t), positive where it pushes against the surface: f = −p N. On a closed surface it has
// the potential p (V − V₀).
class Pressure final : public FaceLoad {
 public:
  Pressure(Curve pressure, const LoadFaces& faces, std::span<const double> rest);
  std::string_view name() const override { return "pressure"; }
  bool has_potential() const override { return closed_; }
  bool symmetric() const override { return closed_; }
  bool time_dependent() const override { return !pressure_.constant(); }
  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

 private:
  double volume(std::span<const double> q) const;
  Curve pressure_;  // Pa, in the first component
  bool closed_;
  double rest_volume_;
};

// Wind of velocity w(t): a pressure ½ c u² with u = (w − v)·n on each face, pushing the way u
// points: f = ½ c |u| u A n = ½ c |s| s N/A², s = (w − v)·N, v the mean velocity of the corners.
class Wind final : public FaceLoad {
 public:
  Wind(Curve velocity, double drag, const LoadFaces& faces, Index nodes)
      : FaceLoad(faces, nodes), velocity_(std::move(velocity)), drag_(drag) {}
  std::string_view name() const override { return "wind"; }
  bool has_potential() const override { return false; }
  bool symmetric() const override { return false; }
  bool time_dependent() const override { return !velocity_.constant(); }
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

 private:
  Vec3 relative_velocity(const Configuration& c, std::size_t e) const;
  Curve velocity_;  // m/s
  double drag_;     // N·s²/m⁴
};

}  // namespace pliant
