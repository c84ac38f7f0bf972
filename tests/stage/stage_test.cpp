#include <pliant/load/face_load.hpp>
#include <pliant/stage/linear_stage.hpp>
#include <pliant/stage/newton_stage.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

// A stage of a deformed, moving, damped beam whose left end is turned by a pin.
struct StageSetup {
  explicit StageSetup(bool windy = false, double beta = 1e-3)
      : model(
            test::make_beam({.cells = {5, 2, 2}, .alpha = 0.5, .beta = beta, .pin_left = false})) {
    Pin pin = test::fixed(test::nodes_at_x(model.bodies[0].mesh, -4));
    pin.motion.angular_velocity = Vec3(2, 0, 1);
    system().add_pin(pin);
    if (windy)
      system().add_term(std::make_unique<Wind>(
          Curve(Vec3(5, 3, 1)), 100,
          make_load_faces(model.bodies[0].mesh, model.bodies[0].surface,
                          std::vector<bool>(model.bodies[0].mesh.points.size(), true), 0),
          system().nodes()));
    state = system().make_state();
    state.q += test::random_vector(system().dofs(), 0.02, 1);
    state.v = test::random_vector(system().dofs(), 0.5, 2);
    system().open_step(state, h, data, mask);
    stage.t = h;
    stage.gamma_q = 0.4 * h;
    stage.gamma_v = 0.6 * h;
    stage.q_p = state.q + 0.3 * h * state.v;
    stage.v_p = state.v;
    stage.q_base = &state.q;
    stage.v_base = &state.v;
  }
  System& system() { return *model.system; }
  StepContext context() { return {system(), state, data, mask}; }
  Model model;
  State state;
  StepData data;
  DofMask mask;
  Stage stage;
  double h = 0.01;
};

TEST(StageProblem, ResidualIsTheGradientOfTheIncrementalPotential) {
  StageSetup s;
  const StepContext context = s.context();
  StageProblem problem;
  problem.set(context, s.stage);
  ASSERT_TRUE(problem.has_merit());
  Vector v = test::random_vector(s.system().dofs(), 0.5, 3), r(v.size()), unused(v.size());
  problem.prescribe_velocity(v);
  problem.evaluate(view(v), view(r));
  Vector d = test::random_vector(v.size(), 1, 4);
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (s.mask[i]) d[i] = 0;
  const double slope = test::derivative(
      [&](double e) {
        const Vector x = v + e * d;
        return problem.evaluate(view(x), view(unused));
      },
      1e-3);
  EXPECT_NEAR(slope, r.dot(d), 1e-7 * std::abs(r.dot(d)));
  EXPECT_GT(std::abs(r.dot(d)), 1e-3);
}

TEST(StageProblem, TangentIsTheDerivativeOfTheResidual) {
  StageSetup s;
  const StepContext context = s.context();
  StageProblem problem;
  problem.set(context, s.stage);
  Vector v = test::random_vector(s.system().dofs(), 0.5, 3);
  problem.prescribe_velocity(v);
  Vector d = test::random_vector(v.size(), 1, 4);
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (s.mask[i]) d[i] = 0;
  const Vector wanted = test::derivative(
      [&](double e) {
        const Vector x = v + e * d;
        Vector r(v.size());
        problem.evaluate(view(x), view(r));
        return r;
      },
      1e-3);
  BlockMatrix A(s.system().pattern());
  problem.tangent(view(v), false, A);
  Vector Ad(v.size());
  A.multiply(view(d), view(Ad));
  EXPECT_LT((Ad - wanted).norm(), 1e-7 * wanted.norm());
}

// M (v − v_p) = γv f(t, q_p + γq v, v) on free coordinates, the prescribed ones where they belong.
void expect_solved(StageSetup& s, const Vector& v, const Vector& q, double tolerance) {
  System& system = s.system();
  Vector f(v.size()), w(v.size()), Mw(v.size()), q_wanted = s.stage.q_p + s.stage.gamma_q * v;
  Vector q_fixed = q, v_fixed = v, a = Vector::Zero(v.size());
  system.prescribe(s.state, s.stage.t, view(q_fixed), view(v_fixed), view(a));
  EXPECT_EQ(q_fixed, q);
  EXPECT_EQ(v_fixed, v);
  system.force({s.stage.t, view(q), view(v), &s.data}, view(f));
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    w[i] = s.mask[i] ? s.stage.gamma_v * a[i] : v[i] - s.stage.v_p[i];
    if (!s.mask[i]) {
      EXPECT_NEAR(q[i], q_wanted[i], 1e-13);
    }
  }
  system.mass().multiply(view(w), view(Mw));
  double worst = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (!s.mask[i]) worst = std::max(worst, std::abs(Mw[i] - s.stage.gamma_v * f[i]));
  EXPECT_LT(worst, tolerance * Mw.lpNorm<Eigen::Infinity>());
}

TEST(NewtonStage, SolvesTheStageWithEveryLinearSolver) {
  for (const LinearSolverInfo& info : linear_solvers()) {
    StageSetup s;
    NewtonStage newton({.linear = std::string(info.name), .tolerance = 1e-10});
    Vector v = s.state.v, q;
    const StageReport report = newton.solve(s.context(), s.stage, v, q);
    ASSERT_TRUE(report.ok) << report.reason;
    EXPECT_GT(report.newton, 1);
    expect_solved(s, v, q, 1e-8);
  }
}

TEST(NewtonStage, SolvesTheStageWhereForcesHaveNoPotential) {
  StageSetup s(true);
  ASSERT_FALSE(s.system().has_potential());
  NewtonStage newton({.linear = "cholesky", .tolerance = 1e-10});
  Vector v = s.state.v, q;
  const StageReport report = newton.solve(s.context(), s.stage, v, q);
  ASSERT_TRUE(report.ok) << report.reason;
  expect_solved(s, v, q, 1e-8);
}

TEST(NewtonStage, StartsAgainFromTheBodiesWhereTheGuessIsInsideOut) {
  const Model model = test::make_beam({.cells = {5, 2, 2}, .law = "neo-hookean"});
  const System& system = *model.system;
  State state = system.make_state();
  StepData data;
  DofMask mask;
  system.open_step(state, 0.01, data, mask);
  Stage stage{0.01, 0.01, 0.01, state.q, state.v, &state.q, &state.v};
  NewtonStage newton({.linear = "cholesky"});
  Vector v = test::random_vector(system.dofs(), 1e4, 5), q;
  const StageReport report = newton.solve({system, state, data, mask}, stage, v, q);
  EXPECT_TRUE(report.ok) << report.reason;
}

// On a system that is linear in q and v the linear stage is the stage itself.
TEST(LinearStage, EqualsNewtonOnALinearBody) {
  Model model = test::make_beam(
      {.cells = {5, 2, 2}, .law = "linear", .alpha = 0.5, .beta = 1e-3, .pin_left = false});
  System& system = *model.system;
  Pin pin = test::fixed(test::nodes_at_x(model.bodies[0].mesh, -4));
  pin.motion.velocity = Vec3(1, 0.5, 0);
  pin.motion.curve = Curve({0, 0.05, 1}, {Vec3::Zero(), Vec3(0.1, 0, 0), Vec3(1, 1, 0)});
  system.add_pin(pin);
  State state = system.make_state();
  state.v = test::random_vector(system.dofs(), 0.5, 2);
  StepData data;
  DofMask mask;
  system.open_step(state, 0.05, data, mask);
  Stage stage{0.05, 0.03, 0.02, state.q + 0.01 * state.v, state.v, &state.q, &state.v};
  const StepContext context{system, state, data, mask};
  NewtonStage newton({.linear = "cholesky", .tolerance = 1e-12});
  LinearStage linear({.linear = "cholesky"});
  Vector v1 = state.v, q1, v2 = state.v, q2;
  ASSERT_TRUE(newton.solve(context, stage, v1, q1).ok);
  ASSERT_TRUE(linear.solve(context, stage, v2, q2).ok);
  EXPECT_LT((v1 - v2).lpNorm<Eigen::Infinity>(), 1e-10 * v1.lpNorm<Eigen::Infinity>());
  EXPECT_LT((q1 - q2).lpNorm<Eigen::Infinity>(), 1e-11);
}

}  // namespace
}  // namespace pliant
