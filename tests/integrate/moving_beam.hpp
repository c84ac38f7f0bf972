// A nonlinear beam with mass damping, a turning pin and a load over time, small enough that hω < 1
// for every mode: what the tests of order and of equivalence step through.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/load/point_load.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant::test {

constexpr double kEnd = 0.16;  // s

inline Model make_moving_beam(double beta = 0, const std::string& law = "stable-neo-hookean") {
  Model made = make_beam({.size = Vec3(3, 1, 1),
                          .cells = {3, 1, 1},
                          .law = law,
                          .young = 2e4,
                          .alpha = 0.7,
                          .beta = beta,
                          .pin_left = false});
  System& system = *made.system;
  Pin pin = fixed(nodes_at_x(made.bodies[0].mesh, -1.5));
  pin.motion.angular_velocity = Vec3(0, 1.5, 2);
  pin.motion.velocity = Vec3(0.2, 0, 0.1);
  pin.motion.center = Vec3(-1.5, 0, 0);
  system.add_pin(pin);
  // A cubic over the whole time, so that the load is smooth where it is sampled.
  system.add_term(
      std::make_unique<PointLoad>(Curve({-1, 1}, {Vec3(-800, -400, 1600), Vec3(800, 400, -1600)}),
                                  nodes_at_x(made.bodies[0].mesh, 1.5), view(system.rest())));
  return made;
}

// Started with the pin's own motion, so that nothing begins with a jerk.
inline State moving_start(const System& system) {
  State state = system.make_state();
  for (Index n = 0; n < system.nodes(); ++n) {
    const Vec3 x = state.q.segment<3>(3 * n);
    state.v.segment<3>(3 * n) = Vec3(0.2, 0, 0.1) + Vec3(0, 1.5, 2).cross(x - Vec3(-1.5, 0, 0));
  }
  return state;
}

// Positions, and velocities scaled to the size of displacements, after `steps` steps to kEnd.
inline Vector run_to_end(const System& system, const IntegratorOptions& integrator, int steps,
                         const SolverOptions& solver = {.linear = "cholesky", .tolerance = 1e-13}) {
  const auto stepper = make_stepper(integrator, solver);
  State state = moving_start(system);
  const double h = kEnd / steps;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(system, state, h);
    EXPECT_TRUE(report.ok) << integrator.type << ": " << report.reason;
    state.t = (k + 1) * h;
  }
  Vector result(2 * state.q.size());
  result << state.q, state.v * 0.05;
  return result;
}

}  // namespace pliant::test
