// Complementarity problems against an enumeration of all active sets, against the conditions
// themselves written out, and against blocks on slopes; and those that break solvers: redundant
// contacts, masses far apart, no answer at all.
#include <pliant/solve/lcp.hpp>

#include "kkt_fixtures.hpp"

#include <pliant/core/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

LcpProblem make_lcp(const Matrix& W, const Vector& b) {
  LcpProblem p;
  p.W = W.sparseView(1, 0);
  p.b = b;
  p.lower = Vector::Zero(b.size());
  p.upper = Vector::Constant(b.size(), kNone);
  return p;
}

// J M⁻¹ Jᵀ with inverse masses that fall from one to 10^−spread.
Matrix schur(const Matrix& J, double spread) {
  Vector inverse_mass(J.cols());
  for (Eigen::Index i = 0; i < J.cols(); ++i)
    inverse_mass[i] =
        std::pow(10, -spread * static_cast<double>(i) / static_cast<double>(J.cols() - 1));
  return J * inverse_mass.asDiagonal() * J.transpose();
}

void add_cone(LcpProblem& p, Index normal, double mu) {
  p.cones.push_back({normal, {normal + 1, normal + 2}, mu});
  for (const Index t : {normal + 1, normal + 2}) p.lower[t] = -kNone, p.upper[t] = kNone;
}

LcpReport expect_solved(const LcpProblem& p, Vector& lambda, const LcpOptions& options = {}) {
  const LcpReport report = solve_lcp(p, lambda, options);
  EXPECT_EQ(report.status, SolveStatus::ok) << report.residual;
  EXPECT_LE(report.residual, options.tolerance);
  EXPECT_TRUE(report.infeasible.empty());
  return report;
}

// The conditions row by row; slack is allowed in λ and in w, each by its own size.
void expect_conditions(const LcpProblem& p, const Vector& lambda, double tolerance) {
  const Vector w = p.W * lambda + p.b;
  std::vector<bool> tangential(static_cast<std::size_t>(p.b.size()), false);
  const Vector terms = Matrix(p.W).cwiseAbs() * lambda.cwiseAbs() + p.b.cwiseAbs();
  const double dw = tolerance * terms.maxCoeff();
  const double dl = tolerance * std::max(lambda.lpNorm<Eigen::Infinity>(), 1e-300);
  for (const FrictionCone& cone : p.cones) {
    const Eigen::Vector2d l(lambda[cone.tangents[0]], lambda[cone.tangents[1]]);
    const Eigen::Vector2d v(w[cone.tangents[0]], w[cone.tangents[1]]);
    const double rim = cone.mu * lambda[cone.normal];
    EXPECT_LE(l.norm(), rim + dl);
    if (v.norm() > dw) {  // it slides: on the rim, and against the motion
      EXPECT_NEAR(l.norm(), rim, dl);
      EXPECT_NEAR(l.dot(v), -l.norm() * v.norm(), dl * v.norm() + dw * l.norm());
    }
    for (const Index t : cone.tangents) tangential[static_cast<std::size_t>(t)] = true;
  }
  for (Eigen::Index i = 0; i < p.b.size(); ++i) {
    if (tangential[static_cast<std::size_t>(i)]) continue;
    EXPECT_GE(lambda[i], p.lower[i] - dl);
    EXPECT_LE(lambda[i], p.upper[i] + dl);
    EXPECT_TRUE(w[i] <= dw || lambda[i] <= p.lower[i] + dl) << i;
    EXPECT_TRUE(w[i] >= -dw || lambda[i] >= p.upper[i] - dl) << i;
  }
}

// Every row free, at its lower or at its upper bound: for a definite W one choice fits.
Vector enumerate(const LcpProblem& p) {
  const Matrix W = p.W;
  const auto n = static_cast<int>(p.b.size());
  for (long code = 0; code < std::lround(std::pow(3, n)); ++code) {
    Matrix M = W;
    Vector right = -p.b;
    std::vector<int> choice;
    bool possible = true;
    long rest = code;
    for (int i = 0; i < n; ++i, rest /= 3) {
      choice.push_back(static_cast<int>(rest % 3));
      if (choice.back() == 0) continue;
      M.row(i) = Vector::Unit(n, i);
      right[i] = choice.back() == 1 ? p.lower[i] : p.upper[i];
      possible = possible && std::isfinite(right[i]);
    }
    if (!possible) continue;
    const Vector lambda = M.fullPivLu().solve(right), w = W * lambda + p.b;
    bool fits = true;
    for (int i = 0; i < n && fits; ++i) {
      const int c = choice[static_cast<std::size_t>(i)];
      fits = c == 0   ? lambda[i] >= p.lower[i] && lambda[i] <= p.upper[i]
             : c == 1 ? w[i] >= 0
                      : w[i] <= 0;
    }
    if (fits) return lambda;
  }
  return {};
}

TEST(Lcp, FindsTheOneAnswerThatEnumerationFinds) {
  int at_bounds = 0, free = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Matrix J = test::random_matrix(7, 9, seed);
    LcpProblem p = make_lcp(J * J.transpose(), test::random_matrix(7, 1, seed + 100));
    p.upper[1] = 0.2, p.lower[2] = -kNone, p.upper[2] = 0.1;
    p.lower[3] = -kNone;            // an equality
    p.lower[4] = p.upper[4] = 0.3;  // a given value
    Vector lambda;
    expect_solved(p, lambda);
    const Vector exact = enumerate(p);
    ASSERT_EQ(exact.size(), 7);
    EXPECT_LT((lambda - exact).norm(), 1e-8 * exact.norm());
    for (int i = 0; i < 7; ++i)
      (exact[i] == p.lower[i] || exact[i] == p.upper[i] ? at_bounds : free)++;
  }
  EXPECT_GT(at_bounds, 30);
  EXPECT_GT(free, 30);
}

TEST(Lcp, MeetsTheConditionsOfLargerProblems) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Matrix J = test::random_matrix(120, 130, seed);
    LcpProblem p = make_lcp(J * J.transpose(), test::random_matrix(120, 1, seed + 10));
    for (Index c = 0; c < 60; c += 3) add_cone(p, c, 0.1 * (c % 9));
    Vector lambda;
    expect_solved(p, lambda);
    expect_conditions(p, lambda, 1e-8);
    EXPECT_GT((lambda.array() > 0).count(), 20);
  }
}

TEST(Lcp, WithoutBoundsIsALinearSystem) {
  const Matrix J = test::random_matrix(20, 25, 5), W = J * J.transpose();
  LcpProblem p = make_lcp(W, test::random_matrix(20, 1, 6));
  p.lower.setConstant(-kNone);
  Vector lambda;
  expect_solved(p, lambda);
  EXPECT_LT((lambda + W.ldlt().solve(p.b)).norm(), 1e-7 * lambda.norm());
}

// A block of mass m on a slope: in a step h gravity gives it h g (−cos θ, sin θ, 0) in the frame of
// the contact, normal first.
class Slope : public testing::TestWithParam<double> {
 protected:
  static constexpr double m = 2.5, h = 0.01, g = 9.81, mu = 0.5;
  LcpProblem slope(double angle) const {
    LcpProblem p = make_lcp(Matrix::Identity(3, 3) / m,
                            h * g * Eigen::Vector3d(-std::cos(angle), std::sin(angle), 0));
    add_cone(p, 0, mu);
    return p;
  }
};

TEST_P(Slope, HoldsABlockBelowTheAngleOfFrictionAndLetsItSlideAbove) {
  const double angle = GetParam(), weight = m * g * h;
  const LcpProblem p = slope(angle);
  Vector lambda;
  expect_solved(p, lambda);
  const Vector w = p.W * lambda + p.b;
  EXPECT_NEAR(lambda[0], weight * std::cos(angle), 1e-10);
  EXPECT_NEAR(lambda[2], 0, 1e-12);
  if (std::tan(angle) <= mu) {
    EXPECT_NEAR(lambda[1], -weight * std::sin(angle), 1e-10);
    EXPECT_NEAR(w[1], 0, 1e-10);
  } else {
    EXPECT_NEAR(lambda[1], -mu * weight * std::cos(angle), 1e-10);
    EXPECT_NEAR(w[1], h * g * (std::sin(angle) - mu * std::cos(angle)), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Angles, Slope, testing::Values(0.0, 0.2, 0.46, 0.47, 1.0, 1.5));

// A table on many legs: no force is determined but all its sums are.
TEST(Lcp, SharesTheWeightAmongRedundantContacts) {
  constexpr Index legs = 40;
  Matrix J(3 * legs, 6);  // normals, then tangents, of points around the centre of a rigid body
  for (Index k = 0; k < legs; ++k) {
    const double a = 2 * 3.141592653589793 * k / legs;
    const Vec3 r(std::cos(a), std::sin(a), -0.5);
    const std::array<Vec3, 3> axes = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (Index i = 0; i < 3; ++i) {
      J.row(3 * k + i).head<3>() = axes[static_cast<std::size_t>(i)];
      J.row(3 * k + i).tail<3>() = r.cross(axes[static_cast<std::size_t>(i)]);
    }
  }
  Vector velocity = Vector::Zero(6);
  velocity << 0.02, 0, -0.1, 0, 0, 0;  // pushed sideways by less than friction holds
  LcpProblem p = make_lcp(J * J.transpose(), J * velocity);
  for (Index k = 0; k < legs; ++k) add_cone(p, 3 * k, 0.5);
  Vector lambda;
  expect_solved(p, lambda);
  expect_conditions(p, lambda, 1e-8);
  EXPECT_LT((velocity + J.transpose() * lambda).norm(), 1e-9);  // it stands still
}

TEST(Lcp, SolvesIllConditionedProblems) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const Matrix J = test::random_matrix(40, 50, seed);
    LcpProblem p = make_lcp(schur(J, 8), test::random_matrix(40, 1, seed + 10));
    Vector lambda;
    expect_solved(p, lambda);
    expect_conditions(p, lambda, 1e-8);
    for (Index c = 0; c + 2 < 40; c += 3) add_cone(p, c, 0.6);
    expect_solved(p, lambda);
    expect_conditions(p, lambda, 1e-8);
  }
}

TEST(Lcp, SolvesRedundantFrictionOfMassesAMillionApart) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const Matrix J = test::random_matrix(45, 30, seed);
    LcpProblem p = make_lcp(schur(J, 6), J * test::random_matrix(30, 1, seed + 10));
    for (Index c = 0; c < 45; c += 3) add_cone(p, c, 0.6);
    Vector lambda;
    expect_solved(p, lambda);
    expect_conditions(p, lambda, 1e-8);
  }
}

TEST(Lcp, AnswersInAnyUnits) {
  const Matrix J = test::random_matrix(12, 15, 8);
  LcpProblem p = make_lcp(J * J.transpose(), test::random_matrix(12, 1, 9)), scaled = p;
  Vector unit(12);
  for (Index i = 0; i < 12; ++i) unit[i] = std::pow(10, i / 3 - 2);
  for (Index c = 0; c < 12; c += 3) add_cone(p, c, 0.4), add_cone(scaled, c, 0.4);
  scaled.W = unit.asDiagonal() * p.W * unit.asDiagonal();
  scaled.b = unit.asDiagonal() * p.b;
  Vector lambda, other;
  expect_solved(p, lambda);
  expect_solved(scaled, other);
  EXPECT_LT((lambda - unit.asDiagonal() * other).norm(), 1e-7 * lambda.norm());
}

TEST(Lcp, NeedsNothingFromItsOwnAnswer) {
  const Matrix J = test::random_matrix(30, 40, 11);
  LcpProblem p = make_lcp(J * J.transpose(), test::random_matrix(30, 1, 12));
  for (Index c = 0; c < 30; c += 3) add_cone(p, c, 0.4);
  Vector lambda;
  const LcpReport cold = expect_solved(p, lambda);
  EXPECT_GT(cold.sweeps, 0);
  const Vector answer = lambda;
  const LcpReport warm = expect_solved(p, lambda);
  EXPECT_EQ(warm.sweeps + warm.newton, 0);
  EXPECT_LT((lambda - answer).norm(), 1e-14 * answer.norm());
}

TEST(Lcp, SweepsAloneComeToTheSameAnswerMoreSlowly) {
  const Matrix J = test::random_matrix(30, 40, 13);
  LcpProblem p = make_lcp(J * J.transpose(), test::random_matrix(30, 1, 14));
  for (Index c = 0; c < 30; c += 3) add_cone(p, c, 0.4);
  Vector by_newton, by_sweeps, relaxed;
  const LcpReport few = expect_solved(p, by_newton, {.sweeps = 5});
  const LcpReport many =
      expect_solved(p, by_sweeps, {.sweeps = 5, .max_sweeps = 20000, .newton = 0});
  expect_solved(p, relaxed, {.max_sweeps = 20000, .relaxation = 0.7, .newton = 0});
  EXPECT_GT(few.newton, 0);
  EXPECT_EQ(many.newton, 0);
  EXPECT_GT(many.sweeps, few.sweeps);
  EXPECT_LT((by_newton - by_sweeps).norm(), 1e-7 * by_newton.norm());
  EXPECT_LT((by_newton - relaxed).norm(), 1e-7 * by_newton.norm());
}

TEST(Lcp, SaysWhenTheSweepsDoNotSuffice) {
  const Matrix J = test::random_matrix(40, 50, 1);
  LcpProblem p = make_lcp(schur(J, 8), test::random_matrix(40, 1, 11));
  Vector lambda;
  const LcpReport report = solve_lcp(p, lambda, {.max_sweeps = 50, .newton = 0});
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_GT(report.residual, 1e-10);
  EXPECT_EQ(report.sweeps, 50);
}

// A body between two walls that close in: each push calls for a stronger one against it.
TEST(Lcp, NamesTheRowsThatCannotBeMet) {
  Matrix W = Matrix::Identity(3, 3);
  W(1, 2) = W(2, 1) = -1;
  LcpProblem p = make_lcp(W, Eigen::Vector3d(-1, -1, -1));
  Vector lambda;
  const LcpReport report = solve_lcp(p, lambda);
  EXPECT_EQ(report.status, SolveStatus::failed);
  EXPECT_EQ(report.infeasible, (std::vector<Index>{1, 2}));
  EXPECT_TRUE(lambda.allFinite());
  EXPECT_EQ(solve_lcp(p, lambda, {.newton = 0}).infeasible, (std::vector<Index>{1, 2}));
  EXPECT_EQ(solve_lcp(p, lambda, {.sweeps = 1}).infeasible, (std::vector<Index>{1, 2}));
  p.upper[1] = 5;  // a wall that gives way makes it possible
  expect_solved(p, lambda);
  EXPECT_NEAR(lambda[1], 5, 1e-9);
  EXPECT_NEAR(lambda[2], 6, 1e-9);
}

TEST(Lcp, ARowNothingCanMoveIsInfeasibleOrIdle) {
  LcpProblem p = make_lcp(Matrix::Zero(1, 1), -Vector::Ones(1));
  Vector lambda;
  EXPECT_EQ(solve_lcp(p, lambda).infeasible, std::vector<Index>{0});
  p.b[0] = 1;
  expect_solved(p, lambda);
  EXPECT_EQ(lambda[0], 0);
}

// Friction along what a joint blocks moves nothing; its W_ii is a zero that rounding may turn
// negative, and it proves nothing about what can be met.
TEST(Lcp, TakesRoundingForZero) {
  Matrix W = Matrix::Zero(3, 3);
  W(0, 0) = 2, W(0, 1) = W(1, 0) = 0.5, W(1, 1) = 0.125, W(2, 2) = -4e-35;
  LcpProblem p = make_lcp(W, Vector{{-1, -0.25, 1e-17}});
  add_cone(p, 0, 0.5);
  Vector lambda;
  const LcpReport report = solve_lcp(p, lambda);
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_TRUE(report.infeasible.empty());
  EXPECT_NEAR((W * lambda + p.b)[0], 0, 1e-8);
}

TEST(Lcp, SolvesNothing) {
  Vector lambda;
  EXPECT_EQ(expect_solved(make_lcp(Matrix(0, 0), Vector(0)), lambda).sweeps, 0);
}

TEST(Lcp, RefusesWhatDoesNotFit) {
  const LcpProblem good = make_lcp(Matrix::Identity(4, 4), Vector::Ones(4));
  Vector lambda;
  const auto refuses = [&](auto&& spoil) {
    LcpProblem p = good;
    spoil(p);
    EXPECT_THROW((void)solve_lcp(p, lambda), InputError);
  };
  refuses([](LcpProblem& p) { p.b.resize(3); });
  refuses([](LcpProblem& p) { p.lower[2] = 1, p.upper[2] = 0; });
  refuses([](LcpProblem& p) { p.W.coeffRef(1, 1) = -1; });
  refuses([](LcpProblem& p) { p.cones = {{0, {1, 4}, 0.5}}; });
  refuses([](LcpProblem& p) { p.cones = {{0, {1, 1}, 0.5}}; });
  refuses([](LcpProblem& p) { p.cones = {{0, {1, 2}, -0.5}}; });
  refuses([](LcpProblem& p) { p.cones = {{0, {1, 2}, 0.5}}, p.lower[0] = -1; });
  EXPECT_THROW((void)solve_lcp(good, lambda, {.sweeps = 0}), InputError);
  EXPECT_THROW((void)solve_lcp(good, lambda, {.relaxation = 2}), InputError);
  LcpProblem p = good;
  p.b[1] = std::nan("");
  EXPECT_EQ(solve_lcp(p, lambda).status, SolveStatus::failed);
}

}  // namespace
}  // namespace pliant
