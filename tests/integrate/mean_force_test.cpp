// The mean force that a step tells of (State::mean_force) is what its method made of the forces:
// where no pin holds, M (v₁ − v₀) = h f̄ to what stages are solved to, and h f̄ with what pins bear
// elsewhere. So the work of pins and moving obstacles is seen also where all happens within a step.
#include <pliant/integrate/advance.hpp>
#include <pliant/integrate/energy_guard.hpp>
#include <pliant/load/point_load.hpp>

#include <integrate/contact_scene.hpp>
#include <integrate/halves.hpp>
#include <integrate/particles.hpp>

#include "support/beams.hpp"
#include "support/names.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

const SolverOptions kExactWork = {.linear = "cholesky", .tolerance = 1e-12};

// One end is drawn along at one speed, since what a pin's own change of velocity does through a
// consistent mass is known to methods in their own way; the other is loaded.
struct DrawnBeam {
  Model model = test::make_beam({.size = Vec3(3, 1, 1),
                                 .cells = {3, 1, 1},
                                 .law = "stable-neo-hookean",
                                 .young = 2e4,
                                 .alpha = 0.7,
                                 .beta = 1e-3,
                                 .pin_left = false});
  System& system = *model.system;
  State state;

  DrawnBeam() {
    Pin pin = test::fixed(test::nodes_at_x(model.bodies[0].mesh, -1.5));
    pin.motion.velocity = Vec3(0.2, 0, 0.1);
    system.add_pin(pin);
    system.add_term(std::make_unique<PointLoad>(
        Curve({-1, 1}, {Vec3(-800, -400, 1600), Vec3(800, 400, -1600)}),
        test::nodes_at_x(model.bodies[0].mesh, 1.5), view(system.rest())));
    state = system.make_state();
    for (Index n = 0; n < system.nodes(); ++n) node(view(state.v), n) = pin.motion.velocity;
  }
};

std::vector<std::string> methods_that_meet_contact() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators())
    if (can_meet_contact(info.name)) names.emplace_back(info.name);
  return names;
}

// How much of the impulses on free nodes a step's mean force leaves unsaid.
double left_unsaid(const System& system, const State& before, const State& after) {
  const Vector dv = after.v - before.v;
  Vector J(dv.size());
  system.mass().multiply(view(dv), view(J));
  const double h = after.t - before.t, size = J.lpNorm<Eigen::Infinity>();
  J -= h * after.mean_force->all;
  for (std::size_t p = 0; p < after.pins.size(); ++p)
    for (const Index n : system.pins()[p].nodes)
      if (after.pins[p].active) node(view(J), n).setZero();
  return J.lpNorm<Eigen::Infinity>() / size;
}

class MeanForce : public ::testing::TestWithParam<std::string> {};

TEST_P(MeanForce, IsWhatChangesTheMomentumOfFreeNodes) {
  DrawnBeam beam;
  const System& system = beam.system;
  State& state = beam.state;
  const auto stepper = make_stepper(GetParam(), kExactWork);
  for (const double h : {0.01, 0.01, 0.004, 0.006, 0.02, 0.003}) {
    const State before = state;
    ASSERT_TRUE(stepper->step(system, state, h).ok);
    ASSERT_TRUE(state.mean_force);
    EXPECT_LT(left_unsaid(system, before, state), 1e-8) << "h = " << h;
    EXPECT_TRUE(state.end_force);
  }
}

// The beam's other end hangs on a rod, whose force is no term's; pins that pull at it feel it.
TEST_P(MeanForce, KnowsThatOfConstraints) {
  DrawnBeam beam;
  System& system = beam.system;
  State& state = beam.state;
  const Index end = test::nodes_at_x(beam.model.bodies[0].mesh, 1.5)[0];
  const Vec3 above = node(view(system.rest()), end) + Vec3(0, 2, 0);
  system.add_constraint(std::make_unique<DistanceConstraints>(
      std::vector<DistanceRow>{fixtures::hung_up(end, above, 1.99, 1e-5)}));
  const auto stepper = make_stepper(GetParam(), kExactWork);
  for (int k = 0; k < 4; ++k) {
    const State before = state;
    ASSERT_TRUE(stepper->step(system, state, 0.01).ok);
    ASSERT_TRUE(state.mean_force);
    EXPECT_LT(left_unsaid(system, before, state), 1e-7) << "step " << k;
  }
}

// A step made in parts has the mean of all of them.
TEST_P(MeanForce, IsThatOfTheWholeStepWhereItIsMadeInParts) {
  DrawnBeam beam;
  const System& system = beam.system;
  State& state = beam.state;
  fixtures::Halves halves(make_stepper(GetParam(), kExactWork), 0.006);
  for (int k = 0; k < 3; ++k) {
    const State before = state;
    ASSERT_TRUE(advance(halves, system, state, k == 1 ? 0.005 : 0.02, {}, {}).ok);
    ASSERT_TRUE(state.mean_force);
    EXPECT_LT(left_unsaid(system, before, state), 1e-8);
  }
}

// Of all that a moving floor does to a block that meets it in free space nothing is missing: the
// work is the floor's speed times what the block's momentum changes by, and seen from the floor
// there is never more energy than before.
TEST_P(MeanForce, TellsTheWorkOfAMovingFloor) {
  const Vec3 V(0, 0.5, 0);
  fixtures::ContactScene scene({fixtures::block(Vec3(0, 0.3, 0))}, Vec3::Zero(), fixtures::kYoung,
                               {.velocity = V});
  const System& system = scene.system();
  State& state = scene.state;
  for (Index n = 0; n + 1 < system.nodes(); ++n) node(view(state.v), n) = Vec3(0, -1, 0);
  const auto p = [&] { return system.momentum(view(state.q), view(state.v)).linear; };
  const auto seen_from_floor = [&] { return scene.energy() - V.dot(p()); };
  const double mass = -p().y(), first = seen_from_floor() + 0.5 * mass * V.squaredNorm();
  const auto stepper = make_guarded_stepper(GetParam(), kExactWork);
  for (const double h : {0.005, 0.02}) {
    const Vec3 before = p();
    const double energy = seen_from_floor();
    WorkMeter meter(system, state);
    double most = energy;
    for (int k = 0; k < 40 * 0.005 / h; ++k) {
      ASSERT_TRUE(advance(*stepper, system, state, h, {}, {}).ok);
      meter.add_step(state);
      EXPECT_EQ(meter.doubt(), 0);
      most = std::max(most, seen_from_floor());
    }
    EXPECT_GT(meter.work(), 0.1 * first);
    EXPECT_NEAR(meter.work(), V.dot(p() - before), 1e-6 * first);
    EXPECT_LT(most - energy, 2 * EnergyGuard::default_tolerance * first);
    // Once more, with longer steps.
    for (Index n = 0; n + 1 < system.nodes(); ++n) node(view(state.v), n).y() -= 2.5;
  }
}

// What a floor does that heaves, with a block on it, is no gain of the block's: backward Euler only
// ever loses beside its work.
TEST(MeanForceOfAFloor, HoldsNothingAgainstAFloorThatHeaves) {
  constexpr double h = 0.01, amplitude = 0.01, omega = 30;
  std::vector<double> times;
  std::vector<Vec3> places;
  for (int k = 0; k <= 40; ++k) {
    times.push_back(k * 0.0125);
    places.emplace_back(0, amplitude * (1 - std::cos(omega * times.back())), 0);
  }
  fixtures::ContactScene scene({fixtures::block(Vec3(0, 0.253, 0))}, Vec3(0, -9.81, 0),
                               fixtures::kYoung, {.curve = Curve(times, places)});
  const auto stepper = make_stepper("be", kExactWork);
  WorkMeter meter(scene.system(), scene.state);
  double pressed = 0;
  for (int k = 0; k < 50; ++k) {
    const double before = scene.energy(), done = meter.work();
    ASSERT_TRUE(stepper->step(scene.system(), scene.state, h).ok);
    meter.add_step(scene.state);
    EXPECT_LT(scene.energy() - before, meter.work() - done + 1e-7) << "step " << k;
    pressed += std::abs(meter.work() - done);
  }
  EXPECT_GT(pressed, 10);
}

INSTANTIATE_TEST_SUITE_P(Methods, MeanForce, ::testing::ValuesIn(methods_that_meet_contact()),
                         test::method_name<std::string>);

}  // namespace
}  // namespace pliant
