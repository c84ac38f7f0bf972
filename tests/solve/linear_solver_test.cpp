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
  AutoSolver solver({});
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
  AutoSolver first({}), second({});
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

// M + K of the beam with a few springs between nodes far apart, as contacts are: more of them each
// time, then others.
Problem coupled_problem(int number, double s = 1) {
  const Problem plain = beam_problem(s);
  std::vector<std::array<Index, 2>> couplings;
  for (int k = std::max(0, number - 6); k < number; ++k)
    couplings.push_back({k, plain.pattern->rows - 1 - 2 * k});
  PatternExtension extension = extend_pattern(*plain.pattern, couplings);
  const auto pattern = std::make_shared<const BlockPattern>(std::move(extension.pattern));
  Problem out{pattern, BlockMatrix(pattern), plain.b};
  for (Index k = 0; k < plain.pattern->blocks(); ++k)
    std::copy_n(plain.A.block(k), 9, out.A.block(extension.place[static_cast<std::size_t>(k)]));
  for (const auto& [i, j] : couplings)
    for (const auto& [a, b, sign] : {std::tuple{i, i, 1}, {j, j, 1}, {i, j, -1}, {j, i, -1}})
      for (int c = 0; c < 3; ++c) out.A.block(pattern->find(a, b))[4 * c] += sign * 10.0;
  return out;
}

Vector solved(LinearSolver& solver, const Problem& problem) {
  Vector x(problem.b.size());
  solver.analyze(problem.pattern);
  EXPECT_EQ(solver.factorize(problem.A), SolveStatus::ok);
  EXPECT_EQ(solver.solve(view(problem.b), view(x), {1e-12}), SolveStatus::ok);
  return x;
}

TEST(CholmodSolver, SolvesWithAnOrderMadeForAnotherPattern) {
  CholmodSolver keeps(CholmodSolver::Kind::llt, false), anew(CholmodSolver::Kind::llt, false);
  keeps.expect_patterns();
  int same = 0;
  for (int k = 0; k < 20; ++k) {
    const Problem problem = coupled_problem(k);
    const Vector x = solved(keeps, problem), y = solved(anew, problem);
    EXPECT_LT((x - y).norm(), 1e-10 * y.norm()) << k;
    EXPECT_LT(keeps.factor_flops(), 2.5 * anew.factor_flops()) << k;
    same += x == y;
  }
  EXPECT_LT(same, 20);  // else no order was kept
}

TEST(CholmodSolver, GoesOnWithTheSameOrderAfterItsMemoryIsRestored) {
  for (const int stop : {0, 3, 9}) {
    CholmodSolver one(CholmodSolver::Kind::llt, false), other(CholmodSolver::Kind::llt, false);
    one.expect_patterns(), other.expect_patterns();
    for (int k = 0; k <= stop; ++k) solved(one, coupled_problem(k));
    other.analyze(coupled_problem(0).pattern);  // of the system alone, as a resumed run begins
    other.restore(one.memory());
    EXPECT_EQ(one.memory(), other.memory());
    for (int k = stop; k < 14; ++k)
      EXPECT_EQ(solved(one, coupled_problem(k)), solved(other, coupled_problem(k))) << k;
  }
}

// Soft at first, then stiffer: with other springs each time, so that factors need an analysis anew,
// or with the same ones.
bool chooses_factors(double s, bool changes) {
  AutoSolver solver({});
  for (int k = 0; k < 12; ++k) {
    const Problem problem = coupled_problem(changes ? 6 + k : 6, k < 8 ? 1e-5 : s);
    solver.analyze(problem.pattern);
    Vector x(problem.b.size());
    EXPECT_EQ(solver.factorize(problem.A), SolveStatus::ok);
    EXPECT_EQ(solver.solve(view(problem.b), view(x), {1e-6}), SolveStatus::ok);
  }
  return solver.keeps_factors();
}

TEST(AutoSolver, IteratesLongerWherePatternsChange) {
  int same = 0, changing = 0;
  for (double s = 1e-2; s < 10; s *= 2) {
    same += chooses_factors(s, false);
    changing += chooses_factors(s, true);
  }
  EXPECT_GT(same, changing);
}

// A resumed run begins with the system's own pattern.
TEST(AutoSolver, DecidesAlikeAfterItsMemoryIsRestoredWherePatternsChange) {
  for (const int stop : {1, 4}) {
    AutoSolver one({}), other({});
    one.expect_patterns(), other.expect_patterns();
    for (int k = 0; k <= stop; ++k) solved(one, coupled_problem(k));
    other.analyze(coupled_problem(0).pattern);
    other.restore(one.memory());
    EXPECT_EQ(one.memory(), other.memory());
    for (int k = stop; k < 10; ++k)
      EXPECT_EQ(solved(one, coupled_problem(k)), solved(other, coupled_problem(k))) << k;
  }
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
