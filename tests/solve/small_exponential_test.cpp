// The exponential of small matrices against closed forms.
#include <pliant/solve/small_exponential.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

// An oscillator: exp([[0, 1], [−ω², 0]]) = [[cos ω, sin ω/ω], [−ω sin ω, cos ω]]. Squaring loses a
// digit or so for each factor of ten in ω.
TEST(SmallExponential, TurnsAnOscillatorByItsAngle) {
  SmallExponential exponential;
  for (const double omega : {1e-3, 0.5, 3.0, 40.0, 500.0}) {
    Matrix A(2, 2), wanted(2, 2);
    A << 0, omega, -omega, 0;
    wanted << std::cos(omega), std::sin(omega), -std::sin(omega), std::cos(omega);
    EXPECT_LT((exponential.compute(A) - wanted).norm(), 1e-14 * (1 + omega)) << omega;
  }
}

TEST(SmallExponential, IsAPolynomialOfANilpotentMatrix) {
  Matrix A = Matrix::Zero(4, 4), wanted = Matrix::Identity(4, 4);
  for (int i = 0; i < 3; ++i) A(i, i + 1) = 1;
  wanted(0, 1) = wanted(1, 2) = wanted(2, 3) = 1;
  wanted(0, 2) = wanted(1, 3) = 0.5;
  wanted(0, 3) = 1. / 6;
  EXPECT_LT((SmallExponential().compute(A) - wanted).norm(), 1e-15);
}

// One object for many sizes: what an earlier, larger matrix left must not come through.
TEST(SmallExponential, ForgetsTheMatrixBefore) {
  SmallExponential exponential;
  std::srand(1);
  const Matrix large = Matrix::Random(30, 30);
  const Matrix S = large.topLeftCorner(7, 7) + large.topLeftCorner(7, 7).transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(S);
  const Matrix wanted = eigen.eigenvectors() *
                        eigen.eigenvalues().array().exp().matrix().asDiagonal() *
                        eigen.eigenvectors().transpose();
  static_cast<void>(exponential.compute(large));
  EXPECT_LT((exponential.compute(S) - wanted).norm(), 1e-13 * wanted.norm());
  EXPECT_EQ(exponential.compute(large).rows(), 30);
}

TEST(SmallExponential, IsNotFiniteWhereTheMatrixIsNot) {
  Matrix A = Matrix::Identity(2, 2);
  A(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(SmallExponential().compute(A).allFinite());
}

}  // namespace
}  // namespace pliant
