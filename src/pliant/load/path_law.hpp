// What pulls along a path: springs, tendons and muscles, as potentials W(t, L) of the path's length
// L alone. T = ∂W/∂L is the tension, the same all along a path that slides without friction.
//   spring          W = ½ k (L − L₀)²
//   tension         W = T(t) (L − L_rest)
//   elastic tendon  W = ½ k max(0, L − L₀(t))²: it never pushes
//   muscle          T = a(t) F exp(−(x/w)²) + P max(0, x)²,  x = L/L₀ − 1,
//                   W = L₀ [a F w √π/2 erf(x/w) + P/3 max(0, x)³], less its value at L_rest
#pragma once

#include <pliant/core/curve.hpp>

namespace pliant {

enum class PathKind { spring, tension, elastic_tendon, muscle };

struct PathLaw {
  PathKind kind = PathKind::spring;
  // In the first component: the rest length L₀ (m) of springs and elastic tendons, the tension (N),
  // or the activation a (0 to 1) of muscles.
  Curve drive{Vec3(Vec3::Zero())};
  double stiffness = 0;  // k, N/m
  double damping = 0;    // d, N·s/m
  double strength = 0;   // F of muscles, N
  double optimal = 1;    // L₀ of muscles, m
  double width = 0.45;   // w of muscles, as a part of L₀
  double passive = 0;    // P of muscles, N
  double rest = 0;       // L_rest, m: the length of the undeformed path

  double driven_at(double t) const { return drive.at(t).value.x(); }
};

struct PathTension {
  double energy = 0;   // W, J
  double tension = 0;  // ∂W/∂L, N
  double slope = 0;    // ∂²W/∂L², N/m
};
PathTension tension_of(const PathLaw& law, double t, double L);

// What its damping adds, τ = ∂R/∂L̇. That of a spring is d L̇. A tendon with damping pulls with
// max(0, T + d L̇), so that τ = max(−T, d L̇); while an elastic one is slack it has no damping, and
// d rises over the first thousandth of its stretch.
struct ViscousTension {
  double power = 0;            // R, W
  double tension = 0;          // τ, N
  double by_rate = 0;          // ∂τ/∂L̇ ≥ 0, N·s/m
  double by_length = 0;        // ∂τ/∂L, N/m
  double power_by_length = 0;  // ∂R/∂L, W/m
};
ViscousTension viscous_tension_of(const PathLaw& law, double t, double L, double rate);

// Bounds over all lengths and times: of |∂²W/∂L²|, N/m, and of the tension near rest, N.
double stiffest(const PathLaw& law);
double strongest(const PathLaw& law);

}  // namespace pliant
