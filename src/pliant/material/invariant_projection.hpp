// Whether the tangent of an invariant law has a negative eigenvalue, known from the invariants of F
// alone, before any singular value is computed; for one F or several in lanes (core/lanes.hpp).
// Its flips are a − e σ_k, its twists a + e σ_k (isotropic.hpp).
#pragma once

#include <pliant/core/plain3.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

// The coefficients of Π (λ + x_k) for the eigenvalues x of a symmetric 3×3 matrix. With x real, all
// are positive if and only if all x are.
template <class T>
struct Characteristic {
  T trace, minors, determinant;
};
template <class T>
auto clearly_positive(const Characteristic<T>& c) {
  const T t = c.trace;
  return both(t > 0, both(c.minors > 1e-10 * t * t, c.determinant > 1e-12 * t * t * t));
}

template <class T>
struct Invariants {
  T I, II, J;  // ‖F‖², ‖cof F‖², det F
};
template <class T>
Invariants<T> invariants_from(const Mat3Of<T>& F) {
  const Vec3Of<T> G[3] = {cross(F.y, F.z), cross(F.z, F.x), cross(F.x, F.y)};
  return {dot(F.x, F.x) + dot(F.y, F.y) + dot(F.z, F.z),
          dot(G[0], G[0]) + dot(G[1], G[1]) + dot(G[2], G[2]), dot(F.x, G[0])};
}

// min_k (a ± e σ_k) ≥ 0  ⇔  a² I − e² FᵀF is positive semi-definite and a ≥ 0.
template <class T>
auto pairs_are_positive(const InvariantTangentOf<T>& t, const Invariants<T>& F) {
  const T A = t.a * t.a, E = t.e * t.e;
  const Characteristic<T> c = {
      3 * A - E * F.I, 3 * A * A - 2 * A * E * F.I + E * E * F.II,
      A * A * A - A * A * E * F.I + A * E * E * F.II - E * E * E * F.J * F.J};
  return both(t.a > 0, clearly_positive(c));
}

// ∂²Ψ/∂σ_i∂σ_j = M + b σσᵀ + c (σγᵀ + γσᵀ) + d γγᵀ with M = a I + e O, O the matrix off_diagonal(σ)
// and γ = products_of_others(σ). Its characteristic polynomial follows from those of M and of two
// rank-one updates; every product below is a polynomial in the invariants, as Oσ = 2γ and Oγ = I σ
// − σ³.
template <class T>
auto scalings_are_positive(const InvariantTangentOf<T>& t, const Invariants<T>& F) {
  const T a = t.a, e = t.e, aa = a * a, ae = a * e, ee = e * e;
  const T ss = F.I, sg = 3 * F.J, gg = F.II;                       // σ·σ, σ·γ, γ·γ
  const T sOs = 6 * F.J, sOg = 2 * F.II, gOg = 2 * F.J * F.I;      // σᵀOσ, σᵀOγ, γᵀOγ
  const T nn = F.I * F.II - 9 * F.J * F.J;                         // |σ × γ|²
  const T nOn = -2 * F.J * (F.I * F.I - 3 * F.II);                 // (σ × γ)ᵀ O (σ × γ)
  const T sAs = aa * ss - ae * sOs + ee * (4 * F.II - F.I * F.I);  // σᵀ adj(M) σ
  const T sAg = aa * sg - ae * sOg + ee * F.J * F.I;
  const T gAg = aa * gg - ae * gOg + 3 * ee * F.J * F.J;
  const T bd = t.b * t.d - t.c * t.c;
  const T trace = 3 * a + t.b * ss + 2 * t.c * sg + t.d * gg;
  const T minors = 3 * aa - ee * F.I + t.b * (2 * a * ss - e * sOs) +
                   2 * t.c * (2 * a * sg - e * sOg) + t.d * (2 * a * gg - e * gOg) + bd * nn;
  const T determinant = a * aa - ae * e * F.I + 2 * ee * e * F.J + t.b * sAs + 2 * t.c * sAg +
                        t.d * gAg + bd * (a * nn + e * nOn);
  return clearly_positive<T>({trace, minors, determinant});
}

// Flips and twists above this are not negative, whatever their sign.
template <class T>
T negative_below(const InvariantTangentOf<T>& t, T largest_sigma) {
  return -eigenvalue_rounding * (size_of(t.a) + size_of(t.e) * largest_sigma);
}

}  // namespace pliant
