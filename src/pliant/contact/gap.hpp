// The distance d of a pair as a function of its points, in the few directions in which it varies.
// The nearest points minimise ‖r‖ over the free parameters β of the features that hold them
// (nearest.hpp), and the value of a minimum has the Hessian f_xx − f_xβ f_ββ⁻¹ f_βx. With n = r/d,
// τ₁ and τ₂ across it, E_k = Σ_i ∂w_i/∂β_k x_i (⊥ r, since β is optimal) and G = EᵀE, all
// derivatives live in the span of the columns of
//   B = [ w⊗n,  w⊗τ₁,  w⊗τ₂,  ∂w/∂β₁⊗n,  ∂w/∂β₂⊗n ]     (12 × 5):
//   ∇d = w⊗n,     ∇²d = (t tᵀ − C G⁻¹ Cᵀ)/d,     t = [w⊗τ₁, w⊗τ₂],  C_k = d (∂w/∂β_k⊗n) + t
//   (τ·E_k).
// So a function φ(d) has the Hessian B S Bᵀ with S of five rows, whose positive part is cheap.
#pragma once

#include <pliant/contact/nearest.hpp>

namespace pliant {

using PairGradient = Eigen::Matrix<double, 12, 1>;
using PairHessian = Eigen::Matrix<double, 12, 12>;

class Gap {
 public:
  // The pair must not touch: d > 0.
  Gap(const Nearest& nearest, const PairPoints& x);

  double distance() const { return d_; }
  const Vec3& normal() const { return n_; }  // from the second simplex to the first
  PairGradient gradient() const { return B_.col(0); }

  // φ′ ∇²d + φ″ ∇d ∇dᵀ, or its positive semi-definite part.
  PairHessian hessian(double first, double second) const;
  PairHessian positive_hessian(double first, double second) const;

 private:
  using Small = Eigen::Matrix<double, 5, 5>;
  Small inner(double first, double second) const;  // S

  double d_;
  Vec3 n_;
  Eigen::Matrix<double, 12, 5> B_;
  Small curvature_;  // ∇²d = B curvature Bᵀ
};

}  // namespace pliant
