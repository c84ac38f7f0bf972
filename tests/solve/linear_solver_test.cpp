// Every linear solver of the list against a dense one.
#include <pliant/core/error.hpp>
#include <pliant/solve/auto_solver.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Problem {
  std::shared_ptr<const BlockPattern> pattern;
  BlockMatrix A;
  Vector b;
};

// M + s K of a small beam: positive definite, badly scaled for large s.
Problem beam_problem(double s, double poisson = 0.4) {
  test::BeamSpec spec;
  spec.cells = {6, 2, 2};
  spec.poisson = poisson;
  const Model model = test::make_beam(spec);
  const System& system = *model.system;
  Problem problem{system.pattern(), BlockMatrix(system.pattern()),
                  test::random_vector(system.dofs(), 1, 3)};
  system.mass().write_to(problem.A);
  const Vector v = Vector::Zero(system.dofs());
  system.add_tangent({0, view(system.rest()), view(v), nullptr}, {.stiffness = s}, problem.A);
  return problem;
}

class EveryLinearSolver : public testing::TestWithParam<std::string> {};

TEST_P(EveryLinearSolver, AgreesWithADenseFactorisation) {
  for (const double s : {1e-6, 1e-2, 1e2}) {
    const Problem problem = beam_problem(s);
    const auto solver = make_linear_solver(GetParam());
    solver->analyze(problem.pattern);
    ASSERT_EQ(solver->factorize(problem.A), SolveStatus::ok);
    Vector x(problem.b.size());
    ASSERT_EQ(solver->solve(view(problem.b), view(x), {1e-12}), SolveStatus::ok);
    const Eigen::MatrixXd D = test::dense(problem.A);
    const Vector exact = D.ldlt().solve(problem.b);
    EXPECT_LT((x - exact).norm(), 1e-7 * exact.norm()) << s;
    EXPECT_GT(solver->iterations(), 0);
  }
}

TEST_P(EveryLinearSolver, FactorisesAnewWithTheSamePattern) {
  Problem problem = beam_problem(1e-3);
  const auto solver = make_linear_solver(GetParam());
  solver->analyze(problem.pattern);
  Vector x(problem.b.size()), y(problem.b.size());
  ASSERT_EQ(solver->factorize(problem.A), SolveStatus::ok);
  ASSERT_EQ(solver->solve(view(problem.b), view(x), {1e-13}), SolveStatus::ok);
  for (double& value : problem.A.values()) value *= 2;
  ASSERT_EQ(solver->factorize(problem.A), SolveStatus::ok);
  ASSERT_EQ(solver->solve(view(problem.b), view(y), {1e-13}), SolveStatus::ok);
  EXPECT_LT((x - 2 * y).norm(), 1e-10 * x.norm());
}

TEST_P(EveryLinearSolver, RefusesAnIndefiniteMatrixUnlessItIsLdlt) {
  Problem problem = beam_problem(1e-3);
  for (double& value : problem.A.values()) value = -value;
  const auto solver = make_linear_solver(GetParam());
  solver->analyze(problem.pattern);
  SolveStatus status = solver->factorize(problem.A);
  Vector x(problem.b.size());
  if (status == SolveStatus::ok) status = solver->solve(view(problem.b), view(x), {});
  if (GetParam() == "ldlt") {
    EXPECT_EQ(status, SolveStatus::ok);
    const Vector exact = test::dense(problem.A).ldlt().solve(problem.b);
    EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm());
  } else {
    EXPECT_EQ(status, SolveStatus::not_positive_definite);
  }
}

TEST_P(EveryLinearSolver, SaysThatANanIsNoSolution) {
  Problem problem = beam_problem(1e-3);
  problem.b[5] = std::numeric_limits<double>::quiet_NaN();
  const auto solver = make_linear_solver(GetParam());
  solver->analyze(problem.pattern);
  ASSERT_EQ(solver->factorize(problem.A), SolveStatus::ok);
  Vector x(problem.b.size());
  EXPECT_NE(solver->solve(view(problem.b), view(x), {}), SolveStatus::ok);
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const LinearSolverInfo& info : linear_solvers()) names.emplace_back(info.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(List, EveryLinearSolver, testing::ValuesIn(solver_names()),
                         [](const auto& info) { return info.param; });

TEST(AutoSolver, LeavesConjugateGradientsWhereTheyNeedTooLong) {
  const Problem soft = beam_problem(1e-6), stiff = beam_problem(1e4, 0.499);
  AutoSolver solver(false);
  solver.analyze(soft.pattern);
  Vector x(soft.b.size());
  ASSERT_EQ(solver.factorize(soft.A), SolveStatus::ok);
  ASSERT_EQ(solver.solve(view(soft.b), view(x), {1e-6}), SolveStatus::ok);
  EXPECT_FALSE(solver.keeps_factors());
  ASSERT_EQ(solver.factorize(stiff.A), SolveStatus::ok);
  ASSERT_EQ(solver.solve(view(stiff.b), view(x), {1e-10}), SolveStatus::ok);
  EXPECT_TRUE(solver.keeps_factors());
}

TEST(AutoSolver, DecidesAlikeAfterItsMemoryIsRestored) {
  const Problem stiff = beam_problem(1e4, 0.499);
  AutoSolver first(false), second(false);
  first.analyze(stiff.pattern);
  second.analyze(stiff.pattern);
  Vector x(stiff.b.size()), y(stiff.b.size());
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(first.factorize(stiff.A), SolveStatus::ok);
    ASSERT_EQ(first.solve(view(stiff.b), view(x), {1e-10}), SolveStatus::ok);
  }
  second.restore(first.memory());
  ASSERT_EQ(first.factorize(stiff.A), SolveStatus::ok);
  ASSERT_EQ(first.solve(view(stiff.b), view(x), {1e-10}), SolveStatus::ok);
  ASSERT_EQ(second.factorize(stiff.A), SolveStatus::ok);
  ASSERT_EQ(second.solve(view(stiff.b), view(y), {1e-10}), SolveStatus::ok);
  EXPECT_EQ(x, y);
  EXPECT_EQ(first.memory(), second.memory());
}

TEST(LinearSolvers, AWrongNameIsAnsweredWithTheNearest) {
  try {
    make_linear_solver("cholseky");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cholesky"), std::string::npos);
  }
}

}  // namespace
}  // namespace pliant
