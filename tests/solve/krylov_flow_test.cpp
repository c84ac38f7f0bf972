// φ₁(B) b₀ + φ₂(B) b₁ by Krylov subspaces, against the exponential of a dense augmented matrix.
#include <pliant/solve/krylov_flow.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

#include <unsupported/Eigen/MatrixFunctions>

namespace pliant {
namespace {

constexpr Eigen::Index n = 60;

// Oscillators with frequencies up to `stiffness`, coupled and slightly damped.
Matrix oscillators(double stiffness) {
  Matrix B = Matrix::Zero(n, n);
  const Eigen::Index half = n / 2;
  Matrix R(half, half);
  for (Eigen::Index k = 0; k < half; ++k)
    R.col(k) = test::random_vector(half, 1, 7 + static_cast<unsigned>(k));
  const Matrix Q = Eigen::HouseholderQR<Matrix>(R).householderQ();
  const Vector w = Vector::LinSpaced(half, 0, stiffness);
  B.topRightCorner(half, half).setIdentity();
  B.bottomLeftCorner(half, half) = -Q * w.cwiseAbs2().asDiagonal() * Q.transpose();
  B.bottomRightCorner(half, half) = -0.05 * Matrix::Identity(half, half);
  return B;
}

Vector exact(const Matrix& B, const Vector& b0, const Vector& b1) {
  Matrix A = Matrix::Zero(n + 2, n + 2);
  A.topLeftCorner(n, n) = B;
  A.col(n).head(n) = b1;
  A.col(n + 1).head(n) = b0;
  A(n, n + 1) = 1;
  return Matrix(A.exp()).col(n + 1).head(n);
}

KrylovFlow::Operator product(const Matrix& B) {
  return [&B](std::span<const double> x, std::span<double> y) {
    as_vector(y) = B * as_vector(x);
    return true;
  };
}

TEST(KrylovFlow, AgreesWithTheDenseExponentialWithinItsTolerance) {
  const Vector b0 = test::random_vector(n, 1, 1), b1 = test::random_vector(n, 2, 2);
  const Vector weights = Vector::Constant(n, 0.5) + 0.4 * test::random_vector(n, 1, 3);
  for (const double stiffness : {0.1, 3.0, 40.0})
    for (const double tolerance : {1e-4, 1e-9}) {
      const Matrix B = oscillators(stiffness);
      KrylovFlow flow;
      const KrylovReport report = flow.solve(product(B), b0, b1, weights, {.tolerance = tolerance});
      ASSERT_TRUE(report.ok);
      const Vector y = exact(B, b0, b1);
      // The estimate is of the local error in a weighted norm; the flow itself may stretch it by
      // the ratio of the two parts' scales, which is the stiffness.
      EXPECT_LT((flow.result() - y).norm(), 10 * (1 + stiffness) * tolerance * y.norm())
          << stiffness << ", " << tolerance;
    }
}

TEST(KrylovFlow, CutsTheIntervalWhereTheDimensionIsLimited) {
  const Vector b0 = test::random_vector(n, 1, 1), b1 = Vector::Zero(n);
  const Vector weights = Vector::Ones(n);
  const Matrix B = oscillators(30);
  KrylovFlow flow;
  const KrylovReport report =
      flow.solve(product(B), b0, b1, weights, {.tolerance = 1e-9, .max_dimension = 12});
  ASSERT_TRUE(report.ok);
  EXPECT_GT(report.parts, 2);
  EXPECT_LT((flow.result() - exact(B, b0, b1)).norm(), 1e-6);
}

TEST(KrylovFlow, EndsAtOnceWhereNothingDrives) {
  KrylovFlow flow;
  const Vector zero = Vector::Zero(n);
  const Matrix B = oscillators(3);
  const KrylovReport report = flow.solve(product(B), zero, zero, Vector::Ones(n), {});
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.products, 0);
  EXPECT_TRUE(flow.result().isZero(0));
}

// An invariant subspace closes the basis before it is full.
TEST(KrylovFlow, IsExactInAnInvariantSubspace) {
  Matrix B = Matrix::Zero(n, n);
  B(0, 1) = 1;
  B(1, 0) = -4;
  Vector b0 = Vector::Zero(n);
  b0[1] = 1;  // y₀ = (1 − cos 2)/4, y₁ = sin(2)/2
  KrylovFlow flow;
  const KrylovReport report = flow.solve(product(B), b0, Vector::Zero(n), Vector::Ones(n), {});
  ASSERT_TRUE(report.ok);
  EXPECT_NEAR(flow.result()[0], (1 - std::cos(2)) / 4, 1e-12);
  EXPECT_NEAR(flow.result()[1], std::sin(2) / 2, 1e-12);
  EXPECT_LE(report.products, 6);
}

TEST(KrylovFlow, SaysSoWhereTheOperatorFails) {
  KrylovFlow flow;
  const auto broken = [](std::span<const double>, std::span<double>) { return false; };
  const Vector one = Vector::Ones(n);
  EXPECT_FALSE(flow.solve(broken, one, one, one, {}).ok);
}

}  // namespace
}  // namespace pliant
