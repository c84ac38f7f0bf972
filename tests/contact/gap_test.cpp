#include <pliant/contact/barrier.hpp>
#include <pliant/contact/gap.hpp>
#include <pliant/core/symmetric.hpp>

#include <contact/random_pairs.hpp>
#include <contact/squared_distance.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace fixtures;

TEST(Barrier, IsTheFormulaAndItsDerivatives) {
  const double delta = 0.3;
  for (const double x : {1e-6, 1e-3, 0.05, 0.15, 0.29}) {
    const Barrier b = barrier(x, delta);
    EXPECT_DOUBLE_EQ(b.value, barrier_value(x, delta));
    const double h = 1e-5 * x;
    const auto value = [&](double at) { return barrier_value(at, delta); };
    EXPECT_NEAR(b.first, (value(x + h) - value(x - h)) / (2 * h), 1e-6 * std::abs(b.first));
    const double second = (barrier(x + h, delta).first - barrier(x - h, delta).first) / (2 * h);
    EXPECT_NEAR(b.second, second, 1e-6 * b.second);
    EXPECT_LT(b.first, 0);
    EXPECT_GT(b.second, 0);
  }
}

TEST(Barrier, EndsSmoothlyAndIsInfiniteAtContact) {
  const Barrier last = barrier(0.3 * (1 - 1e-9), 0.3);
  EXPECT_NEAR(last.value, 0, 1e-18);
  EXPECT_NEAR(last.first, 0, 1e-8);
  EXPECT_NEAR(last.second, 0, 1e-7);
  EXPECT_EQ(barrier(0.3, 0.3).value, 0);
  EXPECT_EQ(barrier(0.0, 0.3).value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(barrier(-1.0, 0.3).value, std::numeric_limits<double>::infinity());
}

// From the squared distance, derived and tested apart: d = √D.
PairHessian from_square(const PairDistance& D, double first, double second) {
  const double d = std::sqrt(D.squared);
  const PairGradient g = D.gradient / (2 * d);
  return first * (D.hessian / (2 * d) - g * g.transpose() / d) + second * g * g.transpose();
}

TEST(Gap, IsFiniteForEdgesThatAreParallelUpToTheLastDigits) {
  for (const double slant : {1e-6, 1e-9, 1e-12, 1e-14}) {
    PairPoints x;
    x.setZero();
    x(0, 1) = 1;
    x.col(2) = Vec3(0.1, 1e-3, -0.3 * slant), x.col(3) = Vec3(1.1, 1e-3, 0.7 * slant);
    const Nearest nearest = find_nearest(PairKind::edge_edge, x);
    ASSERT_EQ(nearest.parameters, 2) << slant;
    const Gap gap(nearest, x);
    EXPECT_NEAR(gap.distance(), 1e-3, 1e-15);
    EXPECT_TRUE(gap.hessian(-1, 1).allFinite()) << slant;
  }
}

TEST(Gap, AgreesWithTheSquaredDistance) {
  RandomPairs pairs(41);
  for (const PairKind kind : all_pair_kinds)
    for (int k = 0; k < 500; ++k) {
      const PairPoints x = pairs.general();
      const Nearest nearest = find_nearest(kind, x);
      const PairDistance D = squared_distance_derivatives(nearest, x);
      const Gap gap(nearest, x);
      EXPECT_DOUBLE_EQ(gap.distance(), std::sqrt(D.squared));
      EXPECT_LT((gap.gradient() - D.gradient / (2 * gap.distance())).norm(), 1e-13);
      const PairHessian expected = from_square(D, -1.3, 0.7);
      // Nearly flat features make large Hessians: relative to their size.
      EXPECT_LT((gap.hessian(-1.3, 0.7) - expected).norm(), 1e-9 * (1 + expected.norm()));
    }
}

TEST(Gap, PositivePartIsThatOfTheWholeMatrix) {
  RandomPairs pairs(42);
  int indefinite = 0;
  for (const PairKind kind : all_pair_kinds)
    for (int k = 0; k < 300; ++k) {
      const PairPoints x = pairs.general();
      const Gap gap(find_nearest(kind, x), x);
      for (const auto& [first, second] : {std::pair(-1.3, 0.7), {-0.1, 5.0}, {0.4, -0.2}}) {
        const PairHessian H = gap.hessian(first, second);
        const PairHessian expected = positive_part(H);
        indefinite += (H - expected).norm() > 1e-3;
        EXPECT_LT((gap.positive_hessian(first, second) - expected).norm(), 1e-10 * (1 + H.norm()));
      }
    }
  EXPECT_GT(indefinite, 1000);
}

}  // namespace
}  // namespace pliant
