// Bending of cloth, summed over hinges (hinge.hpp), in two forms. Quadratic: for sheets that are
// flat at rest and hardly stretch, a constant matrix (Bergou et al. 2006). Discrete shells: by the
// angles themselves, with any rest shape (Grinspun et al. 2003). For small angles both are the
// same.
#pragma once

#include <pliant/element/hinge.hpp>
#include <pliant/element/local_stencil.hpp>

namespace pliant {

struct BendingInput {
  std::vector<Hinge> hinges;
  std::vector<double> stiffness;  // N·m, one per hinge
};

// U = ½ Σ ‖Σ_a w_a x_a‖², with the cotangents of the rest triangles in w.
class QuadraticBending final : public StencilTerm<4>, public LocalElastic {
 public:
  QuadraticBending(BendingInput input, std::span<const Vec3> rest);

  std::string_view name() const override { return "quadratic bending"; }
  double potential(const Configuration& c) const override;
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  // A part is a hinge, its z the weighted sum of its points: U = ½ ‖z‖².
  LocalMaps local_maps() const override;
  double local_stiffness(std::size_t, double) const override { return 1; }
  void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override;
  bool local_minimise(const Configuration& c, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override;
  LocalMatrix local_tangent(std::size_t, const double*) const override {
    return LocalMatrix::Identity(3, 3);
  }
  bool turns() const override { return true; }

 private:
  Vec3 curvature(std::size_t e, std::span<const double> q) const;

  std::vector<std::array<double, 4>> weights_;
};

// U = ½ Σ k ℓ²/A (θ − θ₀)²
class ShellBending final : public LocalStencil<ShellBending, 4> {
 public:
  ShellBending(BendingInput input, std::span<const Vec3> rest);

  std::string_view name() const override { return "shell bending"; }
  double potential(const Configuration& c) const override;
  double add_force_and_potential(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

  // Of one hinge (local_stencil.hpp).
  double energy_at(std::size_t e, const HingePoints& x) const;
  HingePoints gradient_at(std::size_t e, const HingePoints& x) const;
  Hessian hessian_at(std::size_t e, const HingePoints& x, Projection projection) const;

 private:
  // θ − θ₀, the short way round.
  double bent(std::size_t e, const HingePoints& x) const;

  std::vector<double> stiffness_, rest_angle_;  // N·m; rad
};

// Does the sheet lie in a plane at rest, to rounding, hinge by hinge?
bool is_flat(std::span<const Hinge> hinges, std::span<const Vec3> rest);

}  // namespace pliant
