// Bodies and runs by which the local–global solver is held against Newton's method.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>

#include <gtest/gtest.h>

namespace pliant::test {

// Held at its left end, moved up and down at its right, and heavy.
inline Model make_test_model(SolidInput solid) {
  Pin held, pulled;
  for (Index n = 0; n < solid.mesh.point_count(); ++n) {
    const double x = solid.mesh.points[static_cast<std::size_t>(n)].x();
    if (x < -0.99) held.nodes.push_back(n);
    if (x > 0.99) pulled.nodes.push_back(n);
  }
  pulled.axes = {false, true, false};
  pulled.motion.velocity = Vec3(0, 0.4, 0);
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model model = make_model(std::move(solids));
  System& system = *model.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  system.add_pin(std::move(held));
  system.add_pin(std::move(pulled));
  return model;
}

inline SolidInput solid_of(std::string law, ElementType element = ElementType::tet4) {
  SolidInput solid;
  solid.name = "bar";
  solid.mesh = make_box({.size = Vec3(2, 0.5, 0.5), .cells = {6, 2, 2}, .element = element});
  solid.materials = {{std::move(law), {}}};
  solid.materials[0].constants.young = 1e5;
  return solid;
}

inline State run(const System& system, const std::string& integrator, const SolverOptions& options,
                 int steps = 5) {
  const auto stepper = make_stepper(integrator, options);
  State state = system.make_state();
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(system, state, 0.02);
    EXPECT_TRUE(report.ok) << report.reason;
    if (!report.ok) break;
  }
  return state;
}

inline SolverOptions admm(double tolerance = 1e-9) {
  SolverOptions options;
  options.type = "admm";
  options.tolerance = tolerance;
  options.max_iterations = 200;
  return options;
}

inline void expect_same(const System& system, const std::string& integrator,
                        const std::string& what, int steps = 5) {
  SolverOptions newton;
  newton.tolerance = 1e-11;
  const State a = run(system, integrator, admm(), steps),
              b = run(system, integrator, newton, steps);
  const double moved = (b.q - system.rest()).norm();
  EXPECT_GT(moved, 1e-3) << what;
  EXPECT_LT((a.q - b.q).norm(), 1e-6 * moved) << what;
  EXPECT_LT((a.v - b.v).norm(), 1e-6 * b.v.norm()) << what;
}

}  // namespace pliant::test
