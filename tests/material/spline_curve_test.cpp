#include <pliant/material/spline_curve.hpp>

#include <pliant/core/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

using Knots = std::vector<SplineCurve::Knot>;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Knots rising = {{-0.5, -2}, {0.3, -1.5}, {0.8, -0.1}, {1.1, 0.0}, {2, 0.9}, {2.1, 4}};

TEST(SplineCurve, PassesThroughItsKnots) {
  const SplineCurve curve(rising, "f");
  for (const auto& [x, y] : rising) EXPECT_NEAR(curve.at(x).value, y, 1e-14);
}

TEST(SplineCurve, ValueIsTheSlopeOfTheIntegralAndSlopeThatOfTheValue) {
  const SplineCurve curve(rising, "f");
  const double h = 1e-5;
  for (double x = -3.003; x < 5; x += 0.01) {
    const CurvePoint left = curve.at(x - h), right = curve.at(x + h), p = curve.at(x);
    EXPECT_NEAR((right.integral - left.integral) / (2 * h), p.value, 1e-6);
    EXPECT_NEAR((right.value - left.value) / (2 * h), p.slope, 1e-5 * (1 + std::abs(p.slope)));
  }
  EXPECT_EQ(curve.at(1).integral, 0);
}

TEST(SplineCurve, SlopeIsContinuousAtKnotsAndEnds) {
  const SplineCurve curve(rising, "f");
  for (const auto& [x, y] : rising) {
    EXPECT_NEAR(curve.at(x - 1e-9).slope, curve.at(x + 1e-9).slope, 1e-5);
    EXPECT_NEAR(curve.at(x - 1e-9).integral, curve.at(x + 1e-9).integral, 1e-7);
  }
}

TEST(SplineCurve, RisesEverywhereWhereItsKnotsRise) {
  const SplineCurve curve(rising, "f");
  double steepest = 0;
  for (double x = -10; x < 10; x += 0.003) {
    EXPECT_GE(curve.at(x).slope, -1e-13) << x;
    steepest = std::max(steepest, curve.at(x).slope);
  }
  EXPECT_GT(steepest, 10);
}

TEST(SplineCurve, NeverFallsBeyondItsEndsEvenWhereItsKnotsDo) {
  const SplineCurve curve(Knots{{0, 3}, {1, 0}, {2, 5}, {3, 1}}, "f");
  EXPECT_LT(curve.at(0.5).slope, 0);  // inside it follows the knots
  EXPECT_GE(curve.at(-5).slope, 0);
  EXPECT_GE(curve.at(9).slope, 0);
}

TEST(SplineCurve, TwoKnotsMakeALineWithoutEnds) {
  const SplineCurve curve(Knots{{0, -1}, {2, 1}}, "f");
  for (const double x : {-4.0, 0.0, 0.7, 2.0, 11.0}) {
    EXPECT_NEAR(curve.at(x).value, x - 1, 1e-13);
    EXPECT_NEAR(curve.at(x).slope, 1, 1e-13);
    EXPECT_NEAR(curve.at(x).integral, 0.5 * (x - 1) * (x - 1), 1e-12);
  }
}

TEST(SplineCurve, NotANumberStaysNotANumber) {
  const SplineCurve curve(rising, "f");
  EXPECT_TRUE(std::isnan(curve.at(std::numeric_limits<double>::quiet_NaN()).value));
}

TEST(SplineCurve, BadKnotsAreRefusedByNumber) {
  EXPECT_THAT(
      [] {
        SplineCurve(Knots{{1, 0}}, "g");
      },
      ThrowsMessage<InputError>(HasSubstr("g: needs at least two knots, got 1")));
  EXPECT_THAT(
      [] {
        SplineCurve(Knots{{1, 0}, {1, 2}}, "g");
      },
      ThrowsMessage<InputError>(HasSubstr("knots must rise, but knot 1 at 1 follows 1")));
  EXPECT_THAT(
      [] {
        SplineCurve(Knots{{1, 0}, {2, std::nan("")}}, "g");
      },
      ThrowsMessage<InputError>(HasSubstr("knot 1 is not finite")));
}

}  // namespace
}  // namespace pliant
