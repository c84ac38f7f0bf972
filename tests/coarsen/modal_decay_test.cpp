// How bodies move whose modes are damped: how fast modes decay, against the oscillator
// m ẍ + 2 ζ ω m ẋ + ω² m x = 0, and what goes on as if nothing were damped.
#include <pliant/integrate/stepper.hpp>

#include "coarsen/damped_beam.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant::test {
namespace {

// The decay rate of mode k and the largest amplitude of all others, from a start in that mode.
struct Decay {
  double rate = 0, others = 0;
};
Decay decay_of(const DampedBeam& beam, const IntegratorOptions& integrator, Index k, double h,
               double periods) {
  const System& system = beam.system();
  const Matrix U = shapes(beam, 12);
  const double omega = std::sqrt(beam.set().modes.values[k]);
  State state = system.make_state();
  state.q += 1e-2 * U.col(k);
  const auto stepper = make_stepper(integrator, {.linear = "cholesky", .tolerance = 1e-12});
  const auto steps = static_cast<int>(periods * 2 * std::numbers::pi / omega / h);
  Decay out;
  const auto energy_of = [&](Index i) {
    Vector Mu(system.dofs());
    const Vector u = U.col(i);
    system.mass().multiply(view(u), view(Mu));
    const double z = Mu.dot(state.q - system.rest()), rate = Mu.dot(state.v);
    return rate * rate + omega * omega * z * z;
  };
  const double before = energy_of(k);
  for (int n = 0; n < steps; ++n)
    if (!stepper->step(system, state, h).ok) ADD_FAILURE() << "a step failed";
  for (Index i = 0; i < 12; ++i)
    if (i != k) out.others = std::max(out.others, std::sqrt(energy_of(i) / before));
  out.rate = -0.5 * std::log(energy_of(k) / before) / (steps * h);
  return out;
}

// Over whole periods the mean of the energy decays like exp(−2 ζ ω t), with ripples of part ζ.
TEST(ModalDecay, GivesAModeTheDecayOfItsRatioWithAllMethods) {
  const ModalLaw law{.modes = 4, .ratios = {0.01, 0.02, 0.03, 0.04}};
  const DampedBeam beam = make_damped(beam_spec("linear"), law);
  const DampedBeam plain = make_damped(beam_spec("linear"), {.modes = 4, .ratios = {0}});
  for (const Index k : {0, 2}) {
    const double omega = std::sqrt(beam.set().modes.values[k]), zeta = law.ratio(k);
    for (const char* method : {"be", "trbdf2", "newmark", "sdirk3", "siere", "ros3pl", "ere"}) {
      const double h = 2 * std::numbers::pi / omega / (method == std::string_view("be") ? 400 : 80);
      const Decay damped = decay_of(beam, method, k, h, 5);
      // What the method damps by itself.
      const double numerical = decay_of(plain, method, k, h, 5).rate;
      EXPECT_NEAR(damped.rate - numerical, zeta * omega, 0.01 * zeta * omega) << method << k;
      EXPECT_LT(damped.others, 1e-8) << method;
    }
  }
}

TEST(ModalDecay, LeavesOtherModesTheirEnergy) {
  const ModalLaw law{.modes = 3, .ratios = {0.5, 0, 0.5}};
  const DampedBeam beam = make_damped(beam_spec("linear"), law);
  const double omega = std::sqrt(beam.set().modes.values[1]);
  const double h = 2 * std::numbers::pi / omega / 50;
  // Newmark's method with these defaults keeps the energy of linear bodies.
  const Decay decay = decay_of(beam, "newmark", 1, h, 20);
  EXPECT_LT(std::abs(decay.rate), 1e-8 * omega);
  EXPECT_LT(decay.others, 1e-8);
}

TEST(ModalDecay, DecaysAlikeInStepsOfAnyLength) {
  const DampedBeam beam = make_damped(beam_spec("linear"), {.modes = 2, .ratios = {0.05}});
  const double omega = std::sqrt(beam.set().modes.values[0]);
  const double h = 2 * std::numbers::pi / omega / 40;
  const double coarse = decay_of(beam, "trbdf2", 0, h, 5).rate;
  for (const int parts : {2, 4})
    EXPECT_NEAR(decay_of(beam, "trbdf2", 0, h / parts, 5).rate, coarse, 0.03 * coarse);
}

// z̈ + 2 ζ ω s(|z| reach) ż + ω² z = 0 in small steps of its own: the largest reach |z| of the last
// of so many periods.
double last_amplitude(const FactorCurve& s, double zeta, double omega, double start, int periods) {
  constexpr int steps = 2000;  // per period
  const double h = 2 * std::numbers::pi / omega / steps;
  const auto slope = [&](const Eigen::Vector2d& x) {
    return Eigen::Vector2d(
        x[1], -2 * zeta * omega * s.at(std::abs(x[0])).value * x[1] - omega * omega * x[0]);
  };
  Eigen::Vector2d x(start, 0);
  double largest = 0;
  for (int n = 0; n < periods * steps; ++n) {
    const Eigen::Vector2d a = slope(x), b = slope(x + h / 2 * a), c = slope(x + h / 2 * b),
                          d = slope(x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
    if (n >= (periods - 1) * steps) largest = std::max(largest, std::abs(x[0]));
  }
  return largest;
}

// A curve that is zero below an amplitude lets the mode swing on there for ever; what is beyond
// fades ever more slowly as it comes near.
TEST(ModalDecay, OfACurveActsBeyondItsAmplitudeAlone) {
  const double free_to = 0.1;  // m
  const auto s = curve({{0, 0}, {free_to, 0}, {free_to + 0.02, 1}});
  const DampedBeam beam =
      make_damped(beam_spec("linear"), {.modes = 1, .ratios = {0.5}, .curve = s});
  const System& system = beam.system();
  const Vector u = shapes(beam, 1).col(0);
  const double omega = std::sqrt(beam.set().modes.values[0]), reach = beam.set().reach[0];
  Vector Mu(system.dofs());
  system.mass().multiply(view(u), view(Mu));
  constexpr int periods = 30, steps = 100;
  const double h = 2 * std::numbers::pi / omega / steps;
  for (const double start : {0.05, 0.4}) {
    State state = system.make_state();
    state.q += start / reach * u;
    const auto stepper = make_stepper("newmark", {.linear = "cholesky", .tolerance = 1e-10});
    double largest = 0;
    for (int n = 0; n < periods * steps; ++n) {
      ASSERT_TRUE(stepper->step(system, state, h).ok);
      const double z = reach * std::abs(Mu.dot(state.q - system.rest()));
      if (n >= (periods - 1) * steps) largest = std::max(largest, z);
    }
    const double wanted = last_amplitude(*s, 0.5, omega, start, periods);
    EXPECT_NEAR(largest, wanted, 2e-3 * wanted) << start;
    EXPECT_GE(largest, std::min(start, free_to) * (1 - 2e-3));
    EXPECT_LE(largest, std::min(start, free_to) * 1.06);
  }
}

// The force has no moment in any stage. The midpoint rule then keeps angular momentum, others lose
// what they lose without damping.
TEST(ModalDecay, NeitherSlowsSpinNorFlight) {
  for (const auto& [method, tolerance] : {std::pair("midpoint", 1e-8), std::pair("trbdf2", 1e-3)})
    for (const double ratio : {0.0, 0.5}) {
      const DampedBeam beam =
          make_damped(beam_spec("stable-neo-hookean", false), {.modes = 12, .ratios = {ratio}});
      const System& system = beam.system();
      State state = system.make_state();
      const Vec3 omega(0.5, 4, 1), flight(3, 1, -2);
      for (Index n = 0; n < system.nodes(); ++n)
        node(view(state.v), n) = flight + omega.cross(node(view(state.q), n));
      const Momentum before = system.momentum(view(state.q), view(state.v));
      const auto stepper = make_stepper(method, {.linear = "cholesky", .tolerance = 1e-10});
      for (int n = 0; n < 100; ++n) ASSERT_TRUE(stepper->step(system, state, 0.01).ok) << n;
      const Momentum after = system.momentum(view(state.q), view(state.v));
      EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm()) << method;
      EXPECT_LT((after.angular - before.angular).norm(), tolerance * before.angular.norm())
          << method << ratio;
    }
}

// Held at one point it swings as if nothing were damped, once it swings like a rigid body.
TEST(ModalDecay, DoesNotSlowAPendulum) {
  BeamSpec spec = beam_spec("stable-neo-hookean", false);
  spec.young = 1e8;
  DampedBeam beam{make_beam(spec)};
  beam.system().add_pin(fixed({0}));
  add_damping({.modes = 6, .ratios = {0.5}}, beam);
  EXPECT_TRUE(beam.set().turns);
  const System& system = beam.system();
  State state = system.make_state();
  const Vec3 pivot = node(view(state.q), 0), omega(0.3, 2, 1);
  for (Index n = 0; n < system.nodes(); ++n)
    node(view(state.v), n) = omega.cross(node(view(state.q), n) - pivot);
  const auto energy = [&] {
    return system.energies({0, view(state.q), view(state.v), nullptr}).kinetic;
  };
  const double before = energy();
  const auto stepper = make_stepper("trbdf2", {.linear = "cholesky", .tolerance = 1e-10});
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(stepper->step(system, state, 0.01).ok) << n;
  EXPECT_NEAR(energy(), before, 0.01 * before);
}

// 0.1 s of a bent beam that swings.
Vector end_of_swing(bool pinned, StageTreatment treatment, int steps, SolverOptions options) {
  ModalLaw law = kCurved;
  law.treatment = treatment;
  const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", pinned), law);
  State state = deformed(beam.system(), 0.3);
  options.tolerance = 1e-10;
  const auto stepper = make_stepper("trbdf2", options);
  for (int n = 0; n < steps; ++n)
    EXPECT_TRUE(stepper->step(beam.system(), state, 0.1 / steps).ok) << n;
  return state.q;
}

TEST(ModalDecay, GivesOneMotionWithAllSolvers) {
  for (const bool pinned : {true, false}) {
    const Vector wanted =
        end_of_swing(pinned, StageTreatment::force, 20, {.linear = "cholesky", .reuse = false});
    for (const bool reuse : {false, true})
      for (const char* linear : {"cholesky", "pcg"}) {
        const Vector found =
            end_of_swing(pinned, StageTreatment::force, 20, {.linear = linear, .reuse = reuse});
        EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), 1e-7) << linear << reuse;
      }
  }
}

// Held, where no turn is frozen: BROWN (26) has the true force but for the square of the step.
TEST(ModalDecay, CorrectedToSecondOrderComesNearTheTrueForceAtThatOrder) {
  const auto apart = [](int steps) {
    return (end_of_swing(true, StageTreatment::second_order, steps, {.linear = "cholesky"}) -
            end_of_swing(true, StageTreatment::force, steps, {.linear = "cholesky"}))
        .norm();
  };
  const double coarse = apart(10), fine = apart(20);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_GT(coarse / fine, 3);
}

}  // namespace
}  // namespace pliant::test
