// What steps freeze, by its derivative: node by node against differences of the force.
#include <pliant/gradient/lag_gradient.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include "gradient/bars.hpp"
#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

// Squeezed by 15 %, so that the K of Rayleigh damping is made positive, or stretched by as much, so
// that it is not.
void expect_derivative(const std::string& model, double stretch) {
  Json scene = test::held_bar("be");
  scene["materials"]["jelly"]["model"] = model;
  const BuiltScene built =
      build_scene(describe(resolve(scene, built_vocabulary()), "", "scene"), Log());
  const System& system = *built.model.system;
  State state = built.start;
  state.q = stretch * state.q + test::random_vector(system.dofs(), 0.004, 1);
  state.v = test::random_vector(system.dofs(), 1, 2);
  StepEquations equations(system);
  equations.begin(state, 0.02);
  const Vector q_p = state.q + test::random_vector(system.dofs(), 0.002, 3), none;
  const Vector x = test::random_vector(system.dofs(), 1, 4);
  const StagePoint stage{0.02, 0.02, 0.02, q_p, state.v, none};
  equations.place(stage, x);
  ASSERT_TRUE(equations.linearize(stage, x));
  Vector w = test::random_vector(system.dofs(), 1, 5);
  equations.clear_fixed(w);
  Vector found = Vector::Zero(system.dofs());
  LagGradient(system).add(equations, stage.t, 1, w, found);
  EXPECT_GT(found.norm(), 0);
  const auto force = [&](Eigen::Index i, double moved) {
    State other = state;
    other.q[i] += moved;
    StepEquations there(system);
    there.begin(other, 0.02);
    there.place(stage, x);
    Vector f(system.dofs());
    system.force(there.configuration(stage.t), view(f));
    return w.dot(f);
  };
  for (Eigen::Index i = 0; i < system.dofs(); ++i) {
    if (equations.mask()[static_cast<std::size_t>(i)]) continue;
    constexpr double h = 1e-6;
    const double wanted = (force(i, h) - force(i, -h)) / (2 * h);
    EXPECT_NEAR(found[i], wanted, 1e-6 * found.lpNorm<Eigen::Infinity>()) << model << " " << i;
  }
}

TEST(LagGradient, IsTheDerivativeOfFrozenStiffness) {
  expect_derivative("stable-neo-hookean", 0.85);
  expect_derivative("stable-neo-hookean", 1.15);
  expect_derivative("stvk", 0.85);
  expect_derivative("corotated", 0.9);
}

}  // namespace
}  // namespace pliant
