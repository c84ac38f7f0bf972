// Modified Newton: factors kept over stages and steps change the cost, not the result.
#include <pliant/stage/newton_stage.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Result {
  Vector v;
  int newton = 0, factorizations = 0;
};

// Ten backward Euler stages in a row of a beam that falls and bends.
Result run(const SolverOptions& options) {
  const Model model = test::make_beam({.cells = {8, 2, 2}, .young = 3e4});
  const System& system = *model.system;
  NewtonStage solver(options);
  State state = system.make_state();
  StepData data;
  DofMask mask;
  Result result;
  for (int k = 0; k < 10; ++k) {
    system.open_step(state, 0.01, data, mask);
    Stage stage{
        .t = state.t + 0.01, .gamma_q = 0.01, .gamma_v = 0.01, .q_p = state.q, .v_p = state.v};
    Vector v = state.v, q;
    const StageReport report = solver.solve({system, state, data, mask}, stage, v, q);
    EXPECT_TRUE(report.ok) << report.reason;
    result.newton += report.newton;
    result.factorizations += report.factorizations;
    state.q = q;
    state.v = v;
    state.t = stage.t;
  }
  result.v = state.v;
  return result;
}

TEST(ReuseOfFactors, SavesFactorisationsAndReachesTheSameSolution) {
  const Result fresh = run({.linear = "cholesky", .tolerance = 1e-10, .reuse = false});
  const Result reused = run({.linear = "cholesky", .tolerance = 1e-10, .reuse = true});
  EXPECT_EQ(fresh.factorizations, fresh.newton);
  EXPECT_LT(reused.factorizations, fresh.factorizations / 3);
  EXPECT_LT((reused.v - fresh.v).norm(), 1e-8 * fresh.v.norm());
}

TEST(ReuseOfFactors, NeedsASolverThatKeepsThem) {
  const Result pcg = run({.linear = "pcg", .tolerance = 1e-10, .reuse = true});
  EXPECT_EQ(pcg.factorizations, pcg.newton);
}

// Stages of other lengths have other matrices.
TEST(ReuseOfFactors, EndsWhereTheStageChanges) {
  const Model model = test::make_beam({.cells = {8, 2, 2}});
  const System& system = *model.system;
  NewtonStage solver({.linear = "cholesky"});
  State state = system.make_state();
  StepData data;
  DofMask mask;
  system.open_step(state, 0.01, data, mask);
  for (const double h : {0.01, 0.02, 0.02, 0.01}) {
    Stage stage{.t = h, .gamma_q = h, .gamma_v = h, .q_p = state.q, .v_p = state.v};
    Vector v = state.v, q;
    const StageReport report = solver.solve({system, state, data, mask}, stage, v, q);
    ASSERT_TRUE(report.ok);
    static double last = 0;
    EXPECT_EQ(report.factorizations > 0, h != last) << h;
    last = h;
  }
}

}  // namespace
}  // namespace pliant
