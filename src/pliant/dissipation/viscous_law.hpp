// What a damping law is: a stateless type with a dissipation function R(F, Ḟ), per undeformed
// volume, quadratic in Ḟ, and its derivatives (BROWN §5.1). It sees one deformation gradient and
// one rate, nothing of elements or time steps, so that volumes, triangles (F and Ḟ with a third
// column of zeros) and local minimisers can share it. What is not quadratic is made from such a law
// by what may be laid over it (modified_law.hpp).
#pragma once

#include <pliant/material/law.hpp>

#include <concepts>

namespace pliant {

struct ViscousResponse {
  double R = 0;  // W/m³
  Mat3 P;        // ∂R/∂Ḟ, a first Piola–Kirchhoff stress, Pa
  Mat9 D;        // ∂²R/∂Ḟ², Pa s
  Mat9 S;        // ∂P/∂F, Pa; not symmetric
  Mat3 G;        // ∂R/∂F, W/m³
};

// What of a response is asked for; R always is.
struct Wanted {
  bool force = false;     // P
  bool damping = false;   // D and P
  bool position = false;  // S, G, D and P
  bool psd = false;       // D positive semi-definite also where R is not convex

  bool P() const { return force || damping || position; }
  bool D() const { return damping || position; }
};

template <class L>
concept ViscousLaw = requires(const Mat3& F, const typename L::Parameters& p, Wanted wanted,
                              ViscousResponse& out) {
  // Writes what is wanted, and may write more.
  L::respond(F, F, p, wanted, out);
  // R over the square of a strain rate, to turn one into the other, Pa s.
  { L::viscosity(p) } -> std::same_as<double>;
  // Blind to rigid motion as it is: momentum needs no correction.
  { L::conserves_momentum } -> std::convertible_to<bool>;
};

// For a quadratic R = ½ P:Ḟ, so that ∂R/∂F = ½ Sᵀ Ḟ.
inline Mat3 position_gradient_of(const Mat9& S, const Mat3& F_dot) {
  const Vec9 g = 0.5 * (S.transpose() * vec(F_dot));
  return Eigen::Map<const Mat3>(g.data());
}

}  // namespace pliant
