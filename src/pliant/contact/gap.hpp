// The distance d of a pair as a function of its points, in the few directions in which it varies.
// With n = r/d, τ₁ and τ₂ across it, and E_k, G as in pair_distance.hpp (E_k ⊥ r, since β is
// optimal), all derivatives live in the span of the columns of
//   B = [ w⊗n,  w⊗τ₁,  w⊗τ₂,  ∂w/∂β₁⊗n,  ∂w/∂β₂⊗n ]     (12 × 5):
//   ∇d = w⊗n,     ∇²d = (t tᵀ − C G⁻¹ Cᵀ)/d,     t = [w⊗τ₁, w⊗τ₂],  C_k = d (∂w/∂β_k⊗n) + t
//   (τ·E_k).
// So a function φ(d) has the Hessian B S Bᵀ with S of five rows, whose positive part is cheap.
#pragma once

#include <pliant/contact/pair_distance.hpp>

namespace pliant {

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

// The positive semi-definite part of a symmetric matrix.
PairHessian positive_part(const PairHessian& H);

}  // namespace pliant
