// Derivative checks that every term of the force must pass: f against differences of U (and of R),
// the tangent against differences of f. Central differences of fourth order with a step that
// balances truncation and rounding.
#pragma once

#include <pliant/system/system.hpp>

#include <gtest/gtest.h>

namespace pliant::test {

// (F(h) stands for a quantity along a line; its derivative at 0.)
template <class F>
auto derivative(F&& f, double h) -> decltype(f(h)) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

struct Point {
  double t = 0;
  Vector q, v;
  const StepData* step = nullptr;
  Configuration along(Vector& q_out, Vector& v_out, const Vector& d, double s,
                      bool velocity) const {
    q_out = velocity ? q : Vector(q + s * d);
    v_out = velocity ? Vector(v + s * d) : v;
    return {t, view(q_out), view(v_out), step};
  }
};

inline Vector force_of(const Term& term, const Configuration& c, Eigen::Index n) {
  Vector f = Vector::Zero(n);
  term.add_force(c, view(f));
  return f;
}

// −f·d = dU/ds along d, for terms with a potential; and −f·d = dR/ds along velocities.
inline void expect_force_is_gradient(const Term& term, const Point& x, const Vector& d, double h,
                                     double tolerance, bool velocity = false) {
  Vector q, v;
  const double slope = derivative(
      [&](double s) {
        const Configuration c = x.along(q, v, d, s, velocity);
        return velocity ? term.dissipation(c) : term.potential(c);
      },
      h);
  const double wanted = -force_of(term, x.along(q, v, d, 0, velocity), x.q.size()).dot(d);
  EXPECT_NEAR(slope, wanted, tolerance * (std::abs(wanted) + 1e-300)) << term.name();
  EXPECT_NE(wanted, 0) << term.name() << ": the check sees no force";
}

// A d = −df/ds along d, in q or in v.
inline void expect_tangent_is_derivative(const Term& term, const Point& x, const Vector& d,
                                         double h, double tolerance, BlockMatrix& A,
                                         bool velocity = false) {
  Vector q, v;
  const Vector wanted = -derivative(
      [&](double s) { return force_of(term, x.along(q, v, d, s, velocity), x.q.size()); }, h);
  A.set_zero();
  term.add_tangent(x.along(q, v, d, 0, velocity),
                   {.stiffness = velocity ? 0.0 : 1.0, .damping = velocity ? 1.0 : 0.0}, A);
  Vector product(x.q.size());
  A.multiply(view(d), view(product));
  EXPECT_LE((product - wanted).norm(), tolerance * wanted.norm()) << term.name();
  EXPECT_GT(wanted.norm(), 0) << term.name() << ": the check sees no stiffness";
}

}  // namespace pliant::test
