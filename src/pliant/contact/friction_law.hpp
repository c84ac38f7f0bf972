// The smoothed step of Coulomb friction, ASCHER (32c), as the derivative of a potential:
//   s(x; ε) = 2x/ε − x²/ε² for x < ε, else 1;     S = ∫ s,
// and the same over vectors: η(y) = s(‖y‖) y/‖y‖, (32b), with its derivative.
#pragma once

#include <pliant/core/types.hpp>

#include <algorithm>

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

// With the direction as an unknown w of its own (Chan, Golub and Mulet 1999, for total variation):
// of ψ(‖y‖) w = y, ψ(x) = x/s(x), Newton's method makes
//   δw = [δy − ψ′ w (ŷ·δy)]/ψ + η(y) − w,
// and of w + δw = η in the balance of forces the derivative (P − ψ′ w ŷᵀ)/ψ. It knows from w
// whether a contact has been sliding along y or has only just been thrown there: the true
// derivative lets both slide on, the secant holds both back. Symmetric, it is positive
// semi-definite as long as ‖w‖ ≤ 1.
struct FrictionScale {
  double value, slope;  // ψ, ψ′
  FrictionScale(double x, double epsilon) {
    const double left = 2 - x / epsilon;
    value = x < epsilon ? epsilon / left : x;
    slope = x < epsilon ? 1 / (left * left) : 1;
  }
};

inline Mat3 friction_derivative(const Vec3& y, const Vec3& w, const Vec3& n, double epsilon) {
  const double x = y.norm();
  const FrictionScale psi(x, epsilon);
  const Vec3 along = x > 0 ? Vec3(y / x) : Vec3::Zero();
  const Mat3 turned = 0.5 * (w * along.transpose() + along * w.transpose());
  return (Mat3::Identity() - n * n.transpose() - psi.slope * turned) / psi.value;
}

// w after the part of the step from y along which y changed by dy.
inline Vec3 next_friction_direction(const Vec3& y, const Vec3& w, const Vec3& dy, double part,
                                    double epsilon) {
  const double x = y.norm();
  const FrictionScale psi(x, epsilon);
  const double along = x > 0 ? y.dot(dy) / x : 0;
  const Vec3 next =
      w + (dy - psi.slope * along * w) / psi.value + part * (friction_direction(y, epsilon) - w);
  return next / std::max(1.0, next.norm());
}

}  // namespace pliant
