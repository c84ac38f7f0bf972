#include <pliant/load/path_law.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// Of the length of an elastic tendon: over so much stretch its damping sets in.
constexpr double kOnset = 1e-3;

PathTension muscle_tension(const PathLaw& law, double activation, double L) {
  const double x = L / law.optimal - 1, s = x / law.width, x_rest = law.rest / law.optimal - 1;
  const double over = std::max(0.0, x), over_rest = std::max(0.0, x_rest);
  const double active = activation * law.strength * std::exp(-s * s);
  // ∫ exp(−(x/w)²) dx = w √π/2 erf(x/w)
  const double area = activation * law.strength * law.width * 0.5 / std::numbers::inv_sqrtpi;
  return {law.optimal * (area * (std::erf(s) - std::erf(x_rest / law.width)) +
                         law.passive / 3 * (std::pow(over, 3) - std::pow(over_rest, 3))),
          active + law.passive * over * over,
          (-2 * s / law.width * active + 2 * law.passive * over) / law.optimal};
}

}  // namespace

PathTension tension_of(const PathLaw& law, double t, double L) {
  const double driven = law.driven_at(t);
  switch (law.kind) {
    case PathKind::tension:
      return {driven * (L - law.rest), driven, 0};
    case PathKind::muscle:
      return muscle_tension(law, driven, L);
    case PathKind::elastic_tendon:
      if (L <= driven) return {};
      [[fallthrough]];
    case PathKind::spring:
      break;
  }
  const double stretch = L - driven;
  return {0.5 * law.stiffness * stretch * stretch, law.stiffness * stretch, law.stiffness};
}

ViscousTension viscous_tension_of(const PathLaw& law, double t, double L, double rate) {
  const double d = law.damping;
  if (law.kind == PathKind::spring) return {0.5 * d * rate * rate, d * rate, d, 0, 0};
  const PathTension elastic = tension_of(law, t, L);
  double onset = 1, onset_slope = 0;  // H(L) and H'
  if (law.kind == PathKind::elastic_tendon) {
    const double driven = law.driven_at(t), over = kOnset * std::max(driven, law.rest);
    onset_slope = L > driven && L < driven + over ? 1 / over : 0;
    onset = over > 0 ? std::clamp((L - driven) / over, 0.0, 1.0) : 1;
  }
  const double dH = d * onset;
  if (dH * rate >= -elastic.tension)
    return {0.5 * dH * rate * rate, dH * rate, dH, d * onset_slope * rate,
            0.5 * d * onset_slope * rate * rate};
  // Slack by its own haste: R goes on with the slope −T.
  const double T = elastic.tension;
  return {-T * rate - T * T / (2 * dH), -T, 0, -elastic.slope,
          -elastic.slope * (rate + T / dH) + T * T * onset_slope / (2 * dH * onset)};
}

double stiffest(const PathLaw& law) {
  if (law.kind == PathKind::tension) return 0;
  if (law.kind != PathKind::muscle) return law.stiffness;
  // The bell is steepest where x = w/√2.
  const double bell = std::numbers::sqrt2 * std::exp(-0.5) / law.width;
  return (bell * law.strength + 2 * law.passive) / law.optimal;
}

namespace {

double largest(const Curve& drive) {
  double most = 0;
  for (const Vec3& value : drive.values()) most = std::max(most, value.x());
  return most;
}

}  // namespace

double strongest(const PathLaw& law) {
  if (law.kind == PathKind::muscle) return law.strength + law.passive;
  if (law.kind == PathKind::tension) return largest(law.drive);
  return law.stiffness * std::max(law.rest, largest(law.drive));
}

}  // namespace pliant
