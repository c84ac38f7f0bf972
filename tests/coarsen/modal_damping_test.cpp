// Damping of single modes: its derivatives, what it leaves alone, which modes it takes and what it
// refuses.
#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include "coarsen/damped_beam.hpp"
#include "support/term_checks.hpp"

#include <gmock/gmock.h>

namespace pliant::test {
namespace {

using testing::HasSubstr;

Matrix whole_tangent(const Term& term, const System& system, const Configuration& c,
                     Tangent tangent) {
  BlockMatrix A(system.pattern());
  term.add_tangent(c, tangent, A);
  LowRank update;
  update.Y.resize(system.dofs(), 0);
  update.Z.resize(system.dofs(), 0);
  term.add_low_rank(c, tangent, update);
  Matrix out = dense(A);
  if (!update.empty()) out += update.Y * update.Z.transpose();
  return out;
}

void expect_derivatives(const DampedBeam& beam, const Point& x) {
  const ModalDamping& term = *beam.term;
  const System& system = beam.system();
  const Vector d = random_vector(system.dofs(), 1, 3);
  Vector q, v;
  expect_force_is_gradient(term, x, d, 1e-3, 1e-7, true);
  const Configuration c = x.along(q, v, d, 0, true);
  for (const bool velocity : {true, false}) {
    const Vector wanted = -derivative(
        [&](double s) { return force_of(term, x.along(q, v, d, s, velocity), system.dofs()); },
        1e-4);
    const Configuration here = x.along(q, v, d, 0, velocity);
    const Vector found =
        whole_tangent(term, system, here,
                      {.stiffness = velocity ? 0.0 : 1.0, .damping = velocity ? 1.0 : 0.0}) *
        d;
    EXPECT_LE((found - wanted).norm(), 1e-6 * wanted.norm() + 1e-300) << velocity;
    if (velocity || !term.has_potential()) {
      EXPECT_GT(wanted.norm(), 0);
    }
  }
  // ∂R/∂q and ∂²R/∂q∂v as the objective of a stage has them, with γq = 1 and v̂ = none.
  const StageForm form{.gamma_q = 1, .v_hat = {}};
  const double slope =
      derivative([&](double s) { return term.dissipation(x.along(q, v, d, s, false)); }, 1e-4);
  const auto gradient = [&](double s) {
    const Configuration at = x.along(q, v, d, s, true);
    Vector f = Vector::Zero(system.dofs());
    term.add_stage_force(at, form, view(f));
    return f;
  };
  EXPECT_NEAR(-gradient(0).dot(d), slope, 1e-6 * (std::abs(slope) + gradient(0).norm()));
  const Vector mixed = -derivative(gradient, 1e-4);
  x.along(q, v, d, 0, true);
  BlockMatrix A(system.pattern());
  LowRank update;
  update.Y.resize(system.dofs(), 0);
  update.Z.resize(system.dofs(), 0);
  term.add_stage_tangent(c, form, {.damping = 1}, A);
  term.add_stage_low_rank(c, form, {.damping = 1}, update);
  Vector found = dense(A) * d;
  update.add_product(d, found);
  EXPECT_LE((found - mixed).norm(), 1e-6 * mixed.norm() + 1e-300);
}

TEST(ModalDamping, HasTheDerivativesItSays) {
  for (const bool pinned : {true, false})
    for (const bool curved : {true, false}) {
      const DampedBeam beam =
          make_damped(beam_spec("stable-neo-hookean", pinned),
                      curved ? kCurved : ModalLaw{.modes = 6, .ratios = {0.05}});
      const System& system = beam.system();
      EXPECT_EQ(beam.term->has_potential(), pinned && !curved);
      for (const double angle : {0.0, 0.3, 2.5}) {
        const OpenStep step(system, deformed(system, angle));
        // Beside where the step began, as a stage is.
        const Point x{0, step.state.q + random_vector(system.dofs(), 0.02, 5),
                      random_vector(system.dofs(), 1, 6), &step.data};
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
    const Point x{0, step.state.q, random_vector(system.dofs(), 1, 6), &step.data};
    SCOPED_TRACE(squeeze);
    expect_derivatives(beam, x);
  }
}

TEST(ModalDamping, NeverDrivesAndVanishesAtRest) {
  for (const bool pinned : {true, false}) {
    const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", pinned), kCurved);
    const System& system = beam.system();
    for (unsigned seed = 0; seed < 20; ++seed) {
      const OpenStep step(system, deformed(system, 0.2 * seed));
      const Vector v = random_vector(system.dofs(), 3, seed);
      const Configuration c{0, view(step.state.q), view(v), &step.data};
      const double R = beam.term->dissipation(c);
      EXPECT_GT(R, 0);
      // R is quadratic in v: its power is 2 R.
      EXPECT_NEAR(force_of(*beam.term, c, v.size()).dot(v), -2 * R, 1e-9 * R);
      const Vector still = Vector::Zero(v.size());
      EXPECT_TRUE(force_of(*beam.term, {0, c.q, view(still), &step.data}, v.size()).isZero(0));
    }
  }
}

TEST(ModalDamping, TakesNeitherMomentumNorAngularMomentumFromAFreeBody) {
  const DampedBeam beam = make_damped(beam_spec("stable-neo-hookean", false), kCurved);
  const System& system = beam.system();
  const OpenStep step(system, deformed(system, 0.8));
  // Far from where the step began, where the frozen turn is no longer the body's.
  State later = deformed(system, 1.9);
  const Vector v = random_vector(system.dofs(), 3, 1);
  const Vector f = force_of(*beam.term, {0, view(later.q), view(v), &step.data}, v.size());
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

TEST(ModalDamping, MovesAlongWithPinsThatCarryTheBody) {
  BeamSpec spec = beam_spec("stable-neo-hookean", false);
  DampedBeam beam{make_beam(spec)};
  Pin pin = fixed(nodes_at_x(beam.model.bodies[0].mesh, -spec.size.x() / 2));
  pin.motion.velocity = Vec3(1, 0, 0);
  beam.system().add_pin(pin);
  add_damping({.modes = 5, .ratios = {0.3}}, beam);
  const OpenStep step(beam.system(), beam.system().make_state());
  Vector carried(beam.system().dofs());
  for (Eigen::Index i = 0; i < carried.size(); i += 3)
    carried.segment<3>(i) = Vec3(1, 2, 0) + Vec3(0, 1, 3).cross(Vec3(step.state.q.segment<3>(i)));
  const Vector other = random_vector(carried.size(), 1, 2);
  EXPECT_GT(beam.term->dissipation({0, view(step.state.q), view(other), &step.data}), 1e-3);
  EXPECT_LT(beam.term->dissipation({0, view(step.state.q), view(carried), &step.data}), 1e-20);
}

TEST(ModalDamping, TakesTheModesOfThePinsThatHold) {
  BeamSpec spec = beam_spec("linear", false);
  DampedBeam beam{make_beam(spec)};
  Pin pin = fixed(nodes_at_x(beam.model.bodies[0].mesh, -spec.size.x() / 2));
  pin.until = 0.055;
  beam.system().add_pin(pin);
  add_damping({.modes = 3, .ratios = {0.1}}, beam);
  ASSERT_EQ(beam.term->sets().size(), 2U);
  EXPECT_FALSE(beam.term->sets()[0]->turns);
  EXPECT_TRUE(beam.term->sets()[1]->turns);
  EXPECT_LT(beam.term->sets()[0]->c[0], beam.term->sets()[1]->c[0]);
  State state = beam.system().make_state();
  state.v = random_vector(state.v.size(), 0.1, 4);
  const auto stepper = make_stepper("trbdf2", {.linear = "cholesky", .tolerance = 1e-9});
  for (int n = 0; n < 10; ++n) {
    ASSERT_TRUE(stepper->step(beam.system(), state, 0.01).ok);
    const auto& known = state.memories.back();
    EXPECT_EQ(known, beam.term->sets()[n < 5 ? 0 : 1]) << n;
    EXPECT_EQ(beam.term->recall(known->numbers()), known);
  }
  EXPECT_THROW(beam.term->recall(std::vector<double>{2}), InputError);
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
  DampedBeam small{make_beam({.size = Vec3(1, 1, 1),
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
}  // namespace pliant::test
