// Minimal residuals on operators whose answers are known.
#include <pliant/solve/minres.hpp>

#include "kkt_fixtures.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

const VectorOperator kPlain = [](const Vector& in, Vector& out) { out = in; };

VectorOperator times(const Matrix& K) {
  return [K](const Vector& in, Vector& out) { out = K * in; };
}

TEST(Minres, SolvesIndefiniteSystemsInAsManyStepsAsThereAreEigenvalues) {
  const Matrix Q = Eigen::HouseholderQR<Matrix>(test::random_matrix(30, 30, 1)).householderQ();
  Vector eigenvalues(30);
  for (Eigen::Index i = 0; i < 30; ++i) eigenvalues[i] = std::array{-2.0, 1.0, 5.0}[i % 3];
  const Matrix K = Q * eigenvalues.asDiagonal() * Q.transpose();
  const Vector exact = test::random_matrix(30, 1, 2);
  Vector x = Vector::Zero(30);
  const MinresReport report = solve_minres(times(K), kPlain, K * exact, x);
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm());
}

TEST(Minres, NeedsOneStepWithAPerfectPreconditioner) {
  const Matrix R = test::random_matrix(20, 20, 3), K = R * R.transpose() + Matrix::Identity(20, 20);
  const Vector exact = test::random_matrix(20, 1, 4);
  Vector x = Vector::Zero(20);
  const MinresReport report = solve_minres(times(K), times(K.inverse()), K * exact, x);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm());
}

TEST(Minres, BeginsAtTheGuess) {
  const Matrix K = test::random_kkt(20, 5, 5).whole();
  const Vector exact = test::random_matrix(25, 1, 6);
  Vector x = exact;
  const MinresReport report = solve_minres(times(K), kPlain, K * exact, x);
  EXPECT_LE(report.iterations, 1);
  EXPECT_LT((x - exact).norm(), 1e-14 * exact.norm());
}

TEST(Minres, SolvesSingularSystemsThatHaveAnAnswer) {
  test::DenseKkt k = test::random_kkt(20, 5, 7);
  k.J.row(4) = k.J.row(0);
  k.g[4] = k.g[0];
  Vector x, y, b(25), z = Vector::Zero(25);
  k.solve(x, y);
  b << k.f, k.g;
  const MinresReport report = solve_minres(times(k.whole()), kPlain, b, z);
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_LT((z.head(20) - x).norm(), 1e-9 * x.norm());
  EXPECT_LT((z.tail(5) - y).norm(), 1e-9 * y.norm());  // from zero it finds the shortest
}

TEST(Minres, SaysWhenItRunsOutOfStepsAndWhenThePreconditionerIsIndefinite) {
  const Matrix K = test::random_kkt(40, 5, 8).whole();
  const Vector b = test::random_matrix(45, 1, 9);
  Vector x = Vector::Zero(45);
  const MinresReport few = solve_minres(times(K), kPlain, b, x, {.max_iterations = 3});
  EXPECT_EQ(few.status, SolveStatus::not_converged);
  EXPECT_EQ(few.iterations, 3);
  EXPECT_LT(few.residual, 1);
  x.setZero();
  const VectorOperator negative = [](const Vector& in, Vector& out) { out = -in; };
  EXPECT_EQ(solve_minres(times(K), negative, b, x).status, SolveStatus::not_positive_definite);
}

}  // namespace
}  // namespace pliant
