// Multipliers with bounds, against the complementarity solver, which goes another way.
#include <pliant/stage/row_states.hpp>

#include <pliant/constraint/dot_rows.hpp>
#include <pliant/solve/lcp.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

constexpr Index kRows = 12;

// Rows that push, rows of limited strength, and equations.
MultiplierBounds bounds_of(Index row) {
  if (row % 3 == 0) return MultiplierBounds::pushes();
  if (row % 3 == 1) return {-0.3, 0.3};
  return {};
}

ConstraintSet some_rows() {
  std::vector<DotRow> rows;
  for (Index k = 0; k < kRows; ++k)
    rows.push_back({.name = "row",
                    .u = LinearForm(MappedPoint::of_node(k)),
                    .w = LinearForm(Vec3(1, 0, 0)),
                    .bounds = bounds_of(k)});
  ConstraintSet set;
  set.add(std::make_unique<DotConstraints>(rows));
  return set;
}

struct Problem {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(kRows, kRows);
  Vector b = Vector::Zero(kRows);

  explicit Problem(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Eigen::MatrixXd J(kRows, kRows + 3);
    for (double& x : J.reshaped()) x = normal(random);
    for (double& x : b) x = normal(random);
    W = J * J.transpose();
  }
};

// Rounds of guesses as a stage makes them, each with the equations of that guess.
Vector solve_by_states(const Problem& problem, const ConstraintSet& set, int& rounds) {
  RowStates states;
  Vector lambda = Vector::Zero(kRows), values = problem.b;
  states.set(set, lambda, values);
  for (rounds = 1; rounds < 100; ++rounds) {
    lambda.setZero();
    states.hold(1, lambda);
    std::vector<JacobianEntry> J;
    for (Index k = 0; k < kRows; ++k) J.push_back({k, k, Vec3(1, 0, 0)});
    states.leave_out(J);
    Eigen::MatrixXd A = problem.W;
    Vector right = -problem.b;
    for (Index k = 0; k < kRows; ++k)
      if (J[static_cast<std::size_t>(k)].gradient.isZero(0)) {
        A.row(k).setZero();
        A(k, k) = 1;
        right[k] = lambda[k];
      }
    lambda = A.partialPivLu().solve(right);
    values = problem.W * lambda + problem.b;
    if (states.settle(values, lambda, 1e-12)) break;
  }
  return lambda;
}

TEST(RowStates, FindTheAnswerOfTheComplementaritySolver) {
  const ConstraintSet set = some_rows();
  ASSERT_TRUE(set.has_bounds());
  int at_bounds = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Problem problem(seed);
    LcpProblem lcp;
    lcp.W = problem.W.sparseView();
    lcp.b = problem.b;
    lcp.lower = set.low();
    lcp.upper = set.high();
    Vector expected;
    ASSERT_EQ(solve_lcp(lcp, expected).status, SolveStatus::ok) << seed;
    int rounds = 0;
    const Vector lambda = solve_by_states(problem, set, rounds);
    EXPECT_LT(rounds, 40) << seed;
    EXPECT_LT((lambda - expected).norm(), 1e-6 * (1 + expected.norm())) << seed;
    for (Index k = 0; k < kRows; ++k)
      at_bounds += expected[k] <= set.low()[k] || expected[k] >= set.high()[k];
  }
  EXPECT_GT(at_bounds, 200);
}

// Forces are judged against the largest of them: a row that pulls with a nanonewton is let go where
// nothing pushes harder, and one that pulls by rounding beside a meganewton stays.
TEST(RowStates, JudgeForcesAgainstTheLargestOfThem) {
  std::vector<DotRow> rows;
  for (Index k = 0; k < 2; ++k)
    rows.push_back({.name = "limit",
                    .u = LinearForm(MappedPoint::of_node(k)),
                    .w = LinearForm(Vec3(1, 0, 0)),
                    .bounds = MultiplierBounds::pushes()});
  ConstraintSet set;
  set.add(std::make_unique<DotConstraints>(rows));
  const Vector touching = Vector::Zero(2);
  for (const double force : {1e-12, 1e-9, 1.0, 1e6}) {
    RowStates states;
    states.set(set, Vector::Constant(2, force), touching);
    EXPECT_EQ(states.pushing(), 2) << force;
    EXPECT_TRUE(states.settle(touching, Vector{{force, -1e-12 * force}}, 0)) << force;
    EXPECT_FALSE(states.settle(touching, Vector{{force, -1e-3 * force}}, 0)) << force;
    EXPECT_EQ(states.pushing(), 1) << force;
  }
}

// Equations without a solution end with forces beyond all bounds.
TEST(RowStates, GiveInWhereMoreIsAskedThanTheyHave) {
  const ConstraintSet set = some_rows();
  RowStates states;
  states.set(set, Vector::Zero(kRows), Vector::Constant(kRows, -1));
  Vector lambda = Vector::Zero(kRows);
  EXPECT_FALSE(states.give_in(lambda));
  lambda[1] = 50, lambda[2] = 1e9, lambda[4] = -50;  // two motors of 0.3 N, and an equation
  EXPECT_TRUE(states.give_in(lambda));
  EXPECT_FALSE(states.give_in(lambda));
  Vector mu = Vector::Zero(kRows);
  states.hold(2, mu);
  EXPECT_EQ(mu[1], 2 * 0.3);
  EXPECT_EQ(mu[2], 0);
  EXPECT_EQ(mu[4], -2 * 0.3);
}

TEST(RowStates, LeaveEquationsAlone) {
  std::vector<DotRow> rows = {
      {.name = "row", .u = LinearForm(MappedPoint::of_node(0)), .w = LinearForm(Vec3(1, 0, 0))}};
  ConstraintSet set;
  set.add(std::make_unique<DotConstraints>(rows));
  RowStates states;
  states.set(set, Vector::Constant(1, -5), Vector::Constant(1, 3));
  EXPECT_FALSE(states.any());
  Vector x = Vector::Constant(1, 3);
  states.leave_out(x);
  states.stand_alone(x);
  states.hold(1, x);
  EXPECT_EQ(x[0], 3);
  EXPECT_TRUE(states.settle(x, x, 0));
}

}  // namespace
}  // namespace pliant
