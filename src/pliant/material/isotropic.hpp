// Tangents of isotropic laws in closed form. With F = U diag(σ) Vᵀ the nine eigenvectors of ∂²Ψ/∂F²
// are three twists, three flips and three scalings (Smith, de Goes, Kim 2019, "Analytic
// eigensystems for isotropic distortion energies"):
//   twist k:   (u_i v_jᵀ − u_j v_iᵀ)/√2   eigenvalue (Ψ_i + Ψ_j)/(σ_i + σ_j)
//   flip k:    (u_i v_jᵀ + u_j v_iᵀ)/√2   eigenvalue (Ψ_i − Ψ_j)/(σ_i − σ_j)
//   scalings:  Σ x_i u_i v_iᵀ             (x, eigenvalue) from the 3×3 matrix ∂²Ψ/∂σ_i∂σ_j
// with i, j, k all different and Ψ_i = ∂Ψ/∂σ_i. Each law gives the quotients in a form that has no
// 0/0, so repeated singular values need no care.
#pragma once

#include <pliant/core/svd3.hpp>
#include <pliant/material/law.hpp>

namespace pliant {

// Eigenvalues this far below zero, relative to the largest number in sight, are rounding.
inline constexpr double eigenvalue_rounding = 1e-14;

struct PrincipalTangent {
  Mat3 scaling;  // ∂²Ψ/∂σ_i∂σ_j
  Vec3 flip;     // entry k belongs to the pair of the two other indices
  Vec3 twist;
};

Mat9 tangent_from(const Svd3& f, const PrincipalTangent& t);
PsdCorrection psd_correction_from(const Svd3& f, const PrincipalTangent& t);

// The same for laws of I_C and J, with flip a − e σ_k, twist a + e σ_k. Whether anything is
// negative is known from the invariants alone (invariant_projection.hpp), before any singular value
// is computed.
PsdCorrection psd_correction_from(const Mat3& F, const InvariantTangent& t);
// The scalings among them.
void add_scalings(const Svd3& f, const InvariantTangent& t, PsdCorrection& correction);

// An invariant law as a plain one, in F. The law says `using Base::energy` and so on, since its own
// functions of the invariants have the same names.
template <class Law>
struct FromInvariants {
  static double energy(const Mat3& F, const auto& p) { return Law::energy(invariants_of(F), p); }
  static Mat3 stress(const Mat3& F, const auto& p) {
    return expand(Law::stress(invariants_of(F), p), F);
  }
  static Mat9 tangent(const Mat3& F, const auto& p) {
    return expand(Law::tangent(invariants_of(F), p), F);
  }
  static PsdCorrection psd_correction(const Mat3& F, const auto& p) {
    return psd_correction_from(F, Law::tangent(invariants_of(F), p));
  }
};

// For laws without such structure: the eigenvectors of the 9×9 matrix. Thirty times slower.
PsdCorrection dense_psd_correction(const Mat9& C);

// What ‖F − R‖² adds to the twist of σ_i and σ_j: its tangent is 2 (I − Σ 2/(σ_i + σ_j) T_k⊗T_k).
// The rotation jumps where σ_i + σ_j = 0; the quotient is held at its value a small distance
// before.
inline double rotation_twist(double sum) { return 2 / std::max(sum, 1e-6); }

// Products of the two other entries, cof(diag σ).
inline Vec3 products_of_others(const Vec3& s) { return {s[1] * s[2], s[2] * s[0], s[0] * s[1]}; }

// The symmetric matrix with x_k in both places (i, j) and a zero diagonal: ∂²(σ₀σ₁σ₂)/∂σ_i∂σ_j for
// x = σ.
inline Mat3 off_diagonal(const Vec3& x) {
  Mat3 A;
  A << 0, x[2], x[1], x[2], 0, x[0], x[1], x[0], 0;
  return A;
}

}  // namespace pliant
