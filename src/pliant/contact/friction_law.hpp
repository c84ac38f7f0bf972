// The smoothed step of Coulomb friction, ASCHER (32c), as the derivative of a potential:
//   s(x; ε) = 2x/ε − x²/ε² for x < ε, else 1;     S = ∫ s,
// and the same over vectors: η(y) = s(‖y‖) y/‖y‖, (32b), with its derivative.
#pragma once

#include <pliant/core/types.hpp>

namespace pliant {

inline double friction_step(double x, double epsilon) {
  const double r = x / epsilon;
  return r < 1 ? r * (2 - r) : 1;
}

inline double friction_potential(double x, double epsilon) {
  const double r = x / epsilon;
  return r < 1 ? epsilon * r * r * (1 - r / 3) : x - epsilon / 3;
}

// η(y); at rest s/x tends to 2/ε.
inline Vec3 friction_direction(const Vec3& y, double epsilon) {
  const double x = y.norm(), r = x / epsilon;
  return r < 1 ? Vec3((2 - r) / epsilon * y) : Vec3(y / x);
}

// The secant of η in every direction across n, s(‖y‖)/‖y‖: a quadratic with it touches the
// potential at y and lies above it everywhere else, so that its minimum never goes beyond where a
// sliding contact comes to a stop.
inline Mat3 friction_secant(const Vec3& y, const Vec3& n, double epsilon) {
  const double x = y.norm(), r = x / epsilon;
  return (r < 1 ? (2 - r) / epsilon : 1 / x) * (Mat3::Identity() - n * n.transpose());
}

// ∂η/∂y over the plane across n, in which y lies: positive semi-definite.
inline Mat3 friction_derivative(const Vec3& y, const Vec3& n, double epsilon) {
  const double x = y.norm(), r = x / epsilon;
  const Mat3 P = Mat3::Identity() - n * n.transpose();
  if (x == 0) return 2 / epsilon * P;
  const Mat3 along = y * y.transpose() / (x * x);
  if (r >= 1) return (P - along) / x;
  return (2 - r) / epsilon * (P - along) + 2 * (1 - r) / epsilon * along;
}

}  // namespace pliant
