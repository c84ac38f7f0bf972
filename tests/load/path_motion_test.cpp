// What springs and tendons make of particles, against what theory says.
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/load/path_force.hpp>
#include <pliant/system/work.hpp>

#include "load/path_laws.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::constant;
using test::elastic_tendon;
using test::flat;
using test::pulling;
using test::ramp;
using test::spring;

// Particles of some masses, and terms over them.
struct Particles {
  Particles(std::vector<Vec3> rest, const std::vector<double>& masses,
            std::vector<std::unique_ptr<Term>> terms, const Vec3& gravity)
      : system(std::move(rest), std::move(terms)) {
    for (std::size_t n = 0; n < masses.size(); ++n)
      system.mass().values()[static_cast<std::size_t>(system.pattern()->diagonal[n])] = masses[n];
    if (!gravity.isZero(0))
      system.add_term(std::make_unique<Gravity>(gravity, system.mass(), view(system.rest())));
    state = system.make_state();
  }
  System system;
  State state;
};

std::vector<std::unique_ptr<Term>> one_term(TermKind kind, std::vector<Path> paths) {
  std::vector<std::unique_ptr<Term>> terms;
  terms.push_back(std::make_unique<PathForce>(kind, std::move(paths)));
  return terms;
}

// ω = √(k/m): after one period the mass is where it was, whatever the method, to its order.
TEST(Spring, SwingsWithThePeriodOfTheory) {
  const double k = 80, m = 0.5, period = 2 * M_PI * std::sqrt(m / k);
  for (const char* method : {"verlet", "trapezoidal", "bdf2", "sdirk3", "ros3pl", "rk4"}) {
    const std::vector<Vec3> rest = {Vec3(0, -1, 0)};
    const std::array<PathPoint, 2> points = {{{{}, Vec3::Zero()}, {MappedPoint::of_node(0), {}}}};
    Particles mass(rest, {m}, one_term(TermKind::elastic, {Path(points, spring(k, 1), flat(rest))}),
                   Vec3::Zero());
    mass.state.q[1] = -1.2;
    const auto stepper = make_stepper(method, {});
    const int steps = 400;
    for (int n = 0; n < steps; ++n)
      ASSERT_TRUE(stepper->step(mass.system, mass.state, period / steps).ok) << method;
    // (ωh)²/12 per radian is the largest error of those of second order: 2e-5 · 2π of the speed.
    EXPECT_NEAR(mass.state.q[1], -1.2, 2e-4) << method;
    EXPECT_NEAR(mass.state.v[1], 0, 0.2 * std::sqrt(k / m) * 1e-3) << method;
  }
}

// A cord of stiffness k over a fixed ring: both weights move with (m₁ − m₂)/(m₁ + m₂) g in the
// mean, about which the cord swings; over a whole period of it the mean is what is left.
TEST(Tendon, OverARingAcceleratesTwoWeightsAsAtwoodSaid) {
  const double m1 = 2, m2 = 1.2, k = 5e4, g = 9.81;
  const std::vector<Vec3> rest = {Vec3(-0.1, -1, 0), Vec3(0.1, -1, 0)};
  const std::array<PathPoint, 4> points = {{{MappedPoint::of_node(0), {}},
                                            {{}, Vec3(-0.1, 0, 0)},
                                            {{}, Vec3(0.1, 0, 0)},
                                            {MappedPoint::of_node(1), {}}}};
  // Stretched from the start by the tension that it will have: it does not swing.
  const double tension = 2 * m1 * m2 / (m1 + m2) * g, length = 2.2 - tension / k;
  Particles weights(
      rest, {m1, m2},
      one_term(TermKind::elastic, {Path(points, elastic_tendon(k, constant(length)), flat(rest))}),
      Vec3(0, -g, 0));
  const auto stepper = make_stepper("trapezoidal", {});
  const double h = 1e-3, a = (m1 - m2) / (m1 + m2) * g;
  for (int n = 0; n < 300; ++n) ASSERT_TRUE(stepper->step(weights.system, weights.state, h).ok);
  EXPECT_NEAR(weights.state.v[1], -a * 0.3, 1e-6 * a);
  EXPECT_NEAR(weights.state.v[4], a * 0.3, 1e-6 * a);
  EXPECT_NEAR(weights.state.q[1], -1 - 0.5 * a * 0.09, 1e-6);
}

// A pulley block: the cord runs from the ceiling through the weight and back up to a hand that
// pulls with T; two strands carry it, so m a = 2 T − m g.
TEST(Tendon, ThroughAWeightPullsItWithBothStrands) {
  const double m = 3, T = 20, g = 9.81;
  const std::vector<Vec3> rest = {Vec3(0, -2, 0)};
  const std::array<PathPoint, 3> points = {
      {{{}, Vec3::Zero()}, {MappedPoint::of_node(0), {}}, {{}, Vec3::Zero()}}};
  Particles weight(rest, {m},
                   one_term(TermKind::external, {Path(points, pulling(constant(T)), flat(rest))}),
                   Vec3(0, -g, 0));
  const auto stepper = make_stepper("be", {});
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(stepper->step(weight.system, weight.state, 0.01).ok);
  EXPECT_NEAR(weight.state.v[1], (2 * T / m - g) * 0.1, 1e-8);
}

// A winch: E(t) − E(0) is the work of the changing rest length, up to the error of the method.
TEST(Tendon, ThatIsWoundUpBringsTheWorkThatItDoes) {
  const std::vector<Vec3> rest = {Vec3(0, -1, 0)};
  const std::array<PathPoint, 2> points = {{{{}, Vec3::Zero()}, {MappedPoint::of_node(0), {}}}};
  Particles mass(
      rest, {2},
      one_term(TermKind::external, {Path(points, elastic_tendon(900, ramp(1, 0.4)), flat(rest))}),
      Vec3(0, -9.81, 0));
  WorkMeter meter(mass.system, mass.state);
  const auto energy = [&] { return mass.system.energies(at(mass.state)).total(); };
  const double first = energy();
  const auto stepper = make_stepper("trapezoidal", {});
  for (int n = 0; n < 1000; ++n) {
    ASSERT_TRUE(stepper->step(mass.system, mass.state, 1e-3).ok);
    meter.add_step(mass.state);
  }
  EXPECT_GT(meter.work(), 5);
  EXPECT_NEAR(energy() - first, meter.work(), 2e-3 * meter.work());
}

}  // namespace
}  // namespace pliant
