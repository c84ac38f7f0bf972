// Damping of single modes: its derivatives, what it leaves alone, and how fast modes decay, against
// the oscillator m ẍ + 2 ζ ω m ẋ + ω² m x = 0.
#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/coarsen/modal_damping.hpp>
#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include "coarsen/coarse_beam.hpp"
#include "support/term_checks.hpp"

#include <gmock/gmock.h>

#include <numbers>

namespace pliant {
namespace {

using test::OpenStep;
using testing::HasSubstr;

struct DampedBeam {
  Model model;
  const ModalDamping* term = nullptr;
  System& system() const { return *model.system; }
  const ModalSet& set() const { return *term->sets()[0]; }
};

void add_damping(const ModalLaw& law, DampedBeam& beam) {
  System& system = beam.system();
  auto term = std::make_unique<ModalDamping>(
      ModalDampingInput{.body = "beam",
                        .nodes = nodes_of(beam.model.bodies[0]),
                        .pins = {system.pins().begin(), system.pins().end()},
                        .law = law},
      system.mass(), system.rest());
  beam.term = term.get();
  system.add_term(std::move(term));
}

DampedBeam make_damped(const test::BeamSpec& spec, const ModalLaw& law) {
  DampedBeam beam{test::make_beam(spec)};
  add_damping(law, beam);
  return beam;
}

test::BeamSpec beam_spec(const std::string& law, bool pinned = true) {
  test::BeamSpec spec = test::coarse_spec(law);
  spec.pin_left = pinned;
  return spec;
}

std::shared_ptr<const FactorCurve> curve(std::vector<SplineCurve::Knot> knots) {
  return std::make_shared<const FactorCurve>(knots, "knots");
}

// Mass-normalised shapes, which the term does not keep.
Matrix shapes(const DampedBeam& beam, Index count) {
  const System& system = beam.system();
  const BodyPart part(nodes_of(beam.model.bodies[0]), system.mass());
  BlockMatrix workspace, K;
  const Vector v = Vector::Zero(system.dofs());
  part.assemble({.q = view(system.rest()), .v = view(v)}, workspace, K);
  return find_rest_modes(part, K, system.rest(), system.pins(), beam.set().modes.active, count)
      .vectors;
}

Matrix whole_tangent(const Term& term, const System& system, const Configuration& c,
                     Tangent tangent) {
  BlockMatrix A(system.pattern());
  term.add_tangent(c, tangent, A);
  LowRank update;
  update.Y.resize(system.dofs(), 0);
  update.Z.resize(system.dofs(), 0);
  term.add_low_rank(c, tangent, update);
  Matrix out = test::dense(A);
  if (!update.empty()) out += update.Y * update.Z.transpose();
  return out;
}

void expect_derivatives(const DampedBeam& beam, const test::Point& x) {
  const ModalDamping& term = *beam.term;
  const System& system = beam.system();
  const Vector d = test::random_vector(system.dofs(), 1, 3);
  Vector q, v;
  test::expect_force_is_gradient(term, x, d, 1e-3, 1e-7, true);
  const Configuration c = x.along(q, v, d, 0, true);
  for (const bool velocity : {true, false}) {
    const Vector wanted = -test::derivative(
        [&](double s) {
          return test::force_of(term, x.along(q, v, d, s, velocity), system.dofs());
        },
        1e-4);
    const Configuration here = x.along(q, v, d, 0, velocity);
    const Vector found =
        whole_tangent(term, system, here,
                      {.stiffness = velocity ? 0.0 : 1.0, .damping = velocity ? 1.0 : 0.0}) *
        d;
    EXPECT_LE((found - wanted).norm(), 1e-6 * wanted.norm() + 1e-300) << velocity;
    if (velocity || term.has_potential() == false) EXPECT_GT(wanted.norm(), 0);
  }
  // ∂R/∂q and ∂²R/∂q∂v as the objective of a stage has them, with γq = 1 and v̂ = none.
  const StageForm form{.gamma_q = 1, .v_hat = {}};
  const double slope = test::derivative(
      [&](double s) { return term.dissipation(x.along(q, v, d, s, false)); }, 1e-4);
  const auto gradient = [&](double s) {
    const Configuration at = x.along(q, v, d, s, true);
    Vector f = Vector::Zero(system.dofs());
    term.add_stage_force(at, form, view(f));
    return f;
  };
  EXPECT_NEAR(-gradient(0).dot(d), slope, 1e-6 * (std::abs(slope) + gradient(0).norm()));
  const Vector mixed = -test::derivative(gradient, 1e-4);
  x.along(q, v, d, 0, true);
  BlockMatrix A(system.pattern());
  LowRank update;
  update.Y.resize(system.dofs(), 0);
  update.Z.resize(system.dofs(), 0);
  term.add_stage_tangent(c, form, {.damping = 1}, A);
  term.add_stage_low_rank(c, form, {.damping = 1}, update);
  Vector found = test::dense(A) * d;
  update.add_product(d, found);
  EXPECT_LE((found - mixed).norm(), 1e-6 * mixed.norm() + 1e-300);
}

const ModalLaw kCurved{.modes = 6,
                       .ratios = {0.05, 0.1, 0.02, 0.3, 0, 1},
                       .curve = curve({{0, 0.2}, {0.05, 1}, {0.3, 4}, {2, 0.5}})};

TEST(ModalDamping, HasTheDerivativesItSays) {
  for (const bool pinned : {true, false})
    for (const bool curved : {true, false}) {
      const DampedBeam beam =
          make_damped(beam_spec("stable-neo-hookean", pinned),
                      curved ? kCurved : ModalLaw{.modes = 6, .ratios = {0.05}});
      const System& system = beam.system();
      EXPECT_EQ(beam.term->has_potential(), pinned && !curved);
      for (const double angle : {0.0, 0.3, 2.5}) {
        const OpenStep step(system, test::deformed(system, angle));
        // Beside where the step began, as a stage is.
        const test::Point x{0, step.state.q + test::random_vector(system.dofs(), 0.02, 5),
                            test::random_vector(system.dofs(), 1, 6), &step.data};
        SCOPED_TRACE(testing::Message() << pinned << ' ' << curved << ' ' << angle);
        expect_derivatives(beam, x);
      }
    }
}

TEST(ModalDamping, HasDerivativesInFlatAndInvertedBodies) {
  // At such states modes have z = 0, where the curve must not have a corner.
  ModalLaw law = kCurved;
  law.curve = curve({{0, 0.2}, {0.01, 0.2}, {0.3, 4}, {2, 0.5}});
  const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", false), law);
  const System& system = beam.system();
  for (const double squeeze : {1e-3, -1.0}) {
    State state = system.make_state();
    for (Eigen::Index i = 2; i < state.q.size(); i += 3) state.q[i] *= squeeze;
    const OpenStep step(system, state);
    const test::Point x{0, step.state.q, test::random_vector(system.dofs(), 1, 6), &step.data};
    SCOPED_TRACE(squeeze);
    expect_derivatives(beam, x);
  }
}

TEST(ModalDamping, NeverDrivesAndVanishesAtRest) {
  for (const bool pinned : {true, false}) {
    const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", pinned), kCurved);
    const System& system = beam.system();
    for (unsigned seed = 0; seed < 20; ++seed) {
      const OpenStep step(system, test::deformed(system, 0.2 * seed));
      const Vector v = test::random_vector(system.dofs(), 3, seed);
      const Configuration c{0, view(step.state.q), view(v), &step.data};
      const double R = beam.term->dissipation(c);
      EXPECT_GT(R, 0);
      // R is quadratic in v: its power is 2 R.
      EXPECT_NEAR(test::force_of(*beam.term, c, v.size()).dot(v), -2 * R, 1e-9 * R);
      const Vector still = Vector::Zero(v.size());
      EXPECT_TRUE(
          test::force_of(*beam.term, {0, c.q, view(still), &step.data}, v.size()).isZero(0));
    }
  }
}

TEST(ModalDamping, TakesNeitherMomentumNorAngularMomentumFromAFreeBody) {
  const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", false), kCurved);
  const System& system = beam.system();
  const OpenStep step(system, test::deformed(system, 0.8));
  // Far from where the step began, where the frozen turn is no longer the body's.
  State later = test::deformed(system, 1.9);
  const Vector v = test::random_vector(system.dofs(), 3, 1);
  const Vector f = test::force_of(*beam.term, {0, view(later.q), view(v), &step.data}, v.size());
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double sizes = 0;
  for (Eigen::Index i = 0; i < f.size(); i += 3) {
    const Vec3 part = f.segment<3>(i), moment = Vec3(later.q.segment<3>(i)).cross(part);
    force += part, torque += moment, sizes += part.norm() + moment.norm();
  }
  EXPECT_GT(sizes, 1);
  EXPECT_LT(force.norm(), 1e-12 * sizes);
  EXPECT_LT(torque.norm(), 1e-12 * sizes);
  // And rigid motion of the deformed body feels nothing.
  Vector rigid(v.size());
  for (Eigen::Index i = 0; i < rigid.size(); i += 3)
    rigid.segment<3>(i) = Vec3(1, 2, 3) + Vec3(4, -5, 6).cross(Vec3(later.q.segment<3>(i)));
  EXPECT_LT(beam.term->dissipation({0, view(later.q), view(rigid), &step.data}),
            1e-20 * beam.term->dissipation({0, view(later.q), view(v), &step.data}) *
                rigid.squaredNorm());
}

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
TEST(ModalDamping, GivesAModeTheDecayOfItsRatioWithAllMethods) {
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

TEST(ModalDamping, LeavesOtherModesTheirEnergy) {
  const ModalLaw law{.modes = 3, .ratios = {0.5, 0, 0.5}};
  const DampedBeam beam = make_damped(beam_spec("linear"), law);
  const double omega = std::sqrt(beam.set().modes.values[1]);
  const double h = 2 * std::numbers::pi / omega / 50;
  // Newmark's method with these defaults keeps the energy of linear bodies.
  const Decay decay = decay_of(beam, "newmark", 1, h, 20);
  EXPECT_LT(std::abs(decay.rate), 1e-8 * omega);
  EXPECT_LT(decay.others, 1e-8);
}

TEST(ModalDamping, DecaysAlikeInStepsOfAnyLength) {
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
TEST(ModalDamping, OfACurveActsBeyondItsAmplitudeAlone) {
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
TEST(ModalDamping, NeitherSlowsSpinNorFlight) {
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
TEST(ModalDamping, DoesNotSlowAPendulum) {
  test::BeamSpec spec = beam_spec("stable-neo-hookean", false);
  spec.young = 1e8;
  DampedBeam beam{test::make_beam(spec)};
  beam.system().add_pin(test::fixed({0}));
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

TEST(ModalDamping, MovesAlongWithPinsThatCarryTheBody) {
  test::BeamSpec spec = beam_spec("stable-neo-hookean", false);
  DampedBeam beam{test::make_beam(spec)};
  Pin pin = test::fixed(test::nodes_at_x(beam.model.bodies[0].mesh, -spec.size.x() / 2));
  pin.motion.velocity = Vec3(1, 0, 0);
  beam.system().add_pin(pin);
  add_damping({.modes = 5, .ratios = {0.3}}, beam);
  const OpenStep step(beam.system(), beam.system().make_state());
  Vector carried(beam.system().dofs());
  for (Eigen::Index i = 0; i < carried.size(); i += 3)
    carried.segment<3>(i) = Vec3(1, 2, 0) + Vec3(0, 1, 3).cross(Vec3(step.state.q.segment<3>(i)));
  const Vector other = test::random_vector(carried.size(), 1, 2);
  EXPECT_GT(beam.term->dissipation({0, view(step.state.q), view(other), &step.data}), 1e-3);
  EXPECT_LT(beam.term->dissipation({0, view(step.state.q), view(carried), &step.data}), 1e-20);
}

TEST(ModalDamping, TakesTheModesOfThePinsThatHold) {
  test::BeamSpec spec = beam_spec("linear", false);
  DampedBeam beam{test::make_beam(spec)};
  Pin pin = test::fixed(test::nodes_at_x(beam.model.bodies[0].mesh, -spec.size.x() / 2));
  pin.until = 0.055;
  beam.system().add_pin(pin);
  add_damping({.modes = 3, .ratios = {0.1}}, beam);
  ASSERT_EQ(beam.term->sets().size(), 2U);
  EXPECT_FALSE(beam.term->sets()[0]->turns);
  EXPECT_TRUE(beam.term->sets()[1]->turns);
  EXPECT_LT(beam.term->sets()[0]->c[0], beam.term->sets()[1]->c[0]);
  State state = beam.system().make_state();
  state.v = test::random_vector(state.v.size(), 0.1, 4);
  const auto stepper = make_stepper("trbdf2", {.linear = "cholesky", .tolerance = 1e-9});
  for (int n = 0; n < 10; ++n) {
    ASSERT_TRUE(stepper->step(beam.system(), state, 0.01).ok);
    const auto& known = state.memories.back();
    EXPECT_EQ(known, beam.term->sets()[n < 5 ? 0 : 1]) << n;
    EXPECT_EQ(beam.term->recall(known->numbers()), known);
  }
  EXPECT_THROW(beam.term->recall(std::vector<double>{2}), InputError);
}

// 0.1 s of a bent beam that swings.
Vector end_of_swing(bool pinned, StageTreatment treatment, int steps, SolverOptions options) {
  ModalLaw law = kCurved;
  law.treatment = treatment;
  const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", pinned), law);
  State state = test::deformed(beam.system(), 0.3);
  options.tolerance = 1e-10;
  const auto stepper = make_stepper("trbdf2", options);
  for (int n = 0; n < steps; ++n)
    EXPECT_TRUE(stepper->step(beam.system(), state, 0.1 / steps).ok) << n;
  return state.q;
}

TEST(ModalDamping, GivesOneMotionWithAllSolvers) {
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
TEST(ModalDamping, CorrectedToSecondOrderComesNearTheTrueForceAtThatOrder) {
  const auto apart = [](int steps) {
    return (end_of_swing(true, StageTreatment::second_order, steps, {.linear = "cholesky"}) -
            end_of_swing(true, StageTreatment::force, steps, {.linear = "cholesky"}))
        .norm();
  };
  const double coarse = apart(10), fine = apart(20);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_GT(coarse / fine, 3);
}

TEST(ModalDamping, RefusesWhatMakesNoSense) {
  const auto refused = [](const ModalLaw& law) -> std::string {
    try {
      make_damped(beam_spec("linear"), law);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused({.modes = 0, .ratios = {0.1}}), HasSubstr("modes: must be from 1 to 100"));
  EXPECT_THAT(refused({.modes = 3, .ratios = {0.1, 0.1}}),
              HasSubstr("ratio: one for all modes or 3, one for each, got 2"));
  EXPECT_THAT(refused({.modes = 3, .ratios = {-0.1}}), HasSubstr("ratio: must not be negative"));
  EXPECT_THAT(refused({.modes = 3, .ratios = {0.1}, .curve = curve({{-1, 1}, {1, 1}})}),
              HasSubstr("knots: an amplitude has no sign"));
  DampedBeam small{test::make_beam({.size = Vec3(1, 1, 1),
                                    .cells = {1, 1, 1},
                                    .law = "linear",
                                    .pin_left = true,
                                    .gravity = Vec3::Zero()})};
  try {
    add_damping({.modes = 13, .ratios = {0.1}}, small);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("modes: 13 are wanted, the body has 12 that deform it"));
  }
}

}  // namespace
}  // namespace pliant
