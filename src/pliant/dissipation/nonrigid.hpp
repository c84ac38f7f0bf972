// Takes the rigid part out of a rate of deformation, so that a damping law laid over it keeps
// linear and angular momentum whatever it is: R̄(F, Ḟ) = R(F, N(F) Ḟ) with N [ω]ₓ F = 0 for every ω
// (BROWN §6). Translations are not seen by Ḟ anyway.
#pragma once

#include <pliant/dissipation/viscous_law.hpp>

namespace pliant {

enum class NonrigidForm {
  // Orthogonal to all [ω]ₓ F, for any F, flat or inverted (BROWN (62)–(66) in local coordinates).
  projection,
  // D F with D = sym(Ḟ F⁻¹), for volumes (BROWN (67)–(70)); where F is all but singular it is the
  // projection.
  velocity_gradient
};

class NonrigidRate {
 public:
  NonrigidRate(const Mat3& F, const Mat3& F_dot, NonrigidForm form);
  const Mat3& rate() const { return rate_; }  // N Ḟ

  // From the law's derivatives at N Ḟ to those by Ḟ and F:
  //   P̄ = Nᵀ P,  D̄ = Nᵀ D N,  S̄ = Nᵀ (S + D B) + ∂(Nᵀ P)/∂F,  Ḡ = G + Bᵀ P,  B = ∂(N Ḟ)/∂F
  void pull_back(Wanted wanted, ViscousResponse& out) const;

 private:
  Mat3 apply(const Mat3& X) const;             // N X
  Mat3 apply_transposed(const Mat3& X) const;  // Nᵀ X
  // What N X, or Nᵀ X, changes by with F.
  Mat3 change(const Mat3& X, const Mat3& dF) const;
  Mat3 change_transposed(const Mat3& X, const Mat3& dF) const;
  Vec3 turning(const Mat3& X) const;  // ω of the part of X that is [ω]ₓ F
  Mat3 without_turning(const Mat3& X) const;
  Mat3 change_of_turning(const Mat3& X, const Mat3& dF) const;

  const Mat3 F_, F_dot_;
  NonrigidForm form_;
  Mat3 inverse_;  // of F, or of the inertia tr(F Fᵀ) I − F Fᵀ, of which directions without any stay
                  // out
  Mat3 rate_;
};

}  // namespace pliant
