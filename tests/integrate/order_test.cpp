// The measured order of every integrator on a nonlinear beam with mass damping, a moving pin and a
// load over time, against the classical Runge–Kutta method at a tiny step. The mesh is small enough
// that hω < 1 for every mode.
#include <pliant/integrate/dirk_table.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/point_load.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

#include <map>

namespace pliant {
namespace {

constexpr double kEnd = 0.16;

const Model& beam() {
  static const Model model = [] {
    Model made = test::make_beam(
        {.size = Vec3(3, 1, 1), .cells = {3, 1, 1}, .young = 2e4, .alpha = 0.7, .pin_left = false});
    System& system = *made.system;
    Pin pin = test::fixed(test::nodes_at_x(made.bodies[0].mesh, -1.5));
    pin.motion.angular_velocity = Vec3(0, 1.5, 2);
    pin.motion.velocity = Vec3(0.2, 0, 0.1);
    pin.motion.center = Vec3(-1.5, 0, 0);
    system.add_pin(pin);
    const auto tip = test::nodes_at_x(made.bodies[0].mesh, 1.5);
    // A cubic over the whole time, so that the load is smooth where it is sampled.
    system.add_term(std::make_unique<PointLoad>(
        Curve({-1, 1}, {Vec3(-800, -400, 1600), Vec3(800, 400, -1600)}), tip, view(system.rest())));
    return made;
  }();
  return model;
}

Vector run(std::string_view integrator, int steps) {
  const System& system = *beam().system;
  const auto stepper = make_stepper(integrator, {.linear = "cholesky", .tolerance = 1e-13});
  State state = system.make_state();
  // Started with the pin's own motion, so that nothing begins with a jerk.
  for (Index n = 0; n < system.nodes(); ++n) {
    const Vec3 x = state.q.segment<3>(3 * n);
    state.v.segment<3>(3 * n) = Vec3(0.2, 0, 0.1) + Vec3(0, 1.5, 2).cross(x - Vec3(-1.5, 0, 0));
  }
  const double h = kEnd / steps;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(system, state, h);
    EXPECT_TRUE(report.ok) << integrator << ": " << report.reason;
    state.t = (k + 1) * h;
  }
  Vector result(2 * state.q.size());
  result << state.q, state.v * 0.05;  // velocities scaled to the size of displacements
  return result;
}

const Vector& reference() {
  static const Vector result = run("rk4", 2000);
  return result;
}

class EveryIntegrator : public testing::TestWithParam<IntegratorInfo> {};

TEST_P(EveryIntegrator, ReachesItsOrder) {
  const IntegratorInfo& info = GetParam();
  const int steps = 40;
  const double coarse = (run(info.name, steps) - reference()).norm();
  const double fine = (run(info.name, 2 * steps) - reference()).norm();
  const double order = std::log2(coarse / fine);
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, info.order - 0.15) << "errors " << coarse << ", " << fine;
  // Far above what Newton's tolerance and the reference leave, and small enough to be convergence.
  EXPECT_GT(fine, 1e-11);
  EXPECT_LT(fine, 0.1);
}

TEST_P(EveryIntegrator, GivesTheSameStateAgain) {
  EXPECT_EQ(run(GetParam().name, 5), run(GetParam().name, 5));
}

INSTANTIATE_TEST_SUITE_P(List, EveryIntegrator, testing::ValuesIn(integrators()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pliant
