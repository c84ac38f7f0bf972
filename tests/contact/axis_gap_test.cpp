// Bounds by boxes against the distance itself.
#include <pliant/contact/axis_gap.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

PairPoints random_points(std::mt19937& random, double width) {
  std::uniform_real_distribution<double> coordinate(-width, width);
  return PairPoints::NullaryExpr([&] { return coordinate(random); });
}

class AxisGap : public ::testing::TestWithParam<PairKind> {};

TEST_P(AxisGap, IsNeverAboveTheDistance) {
  std::mt19937 random(3);
  int apart = 0;
  for (int k = 0; k < 20000; ++k) {
    const PairPoints x = random_points(random, 1);
    const double gap = axis_gap(GetParam(), x);
    apart += gap > 0;
    EXPECT_LE(gap, distance(GetParam(), x) * (1 + 1e-14));
  }
  EXPECT_GT(apart, 1000);
}

// Simplices that face each other along an axis are as far apart as their boxes.
TEST_P(AxisGap, IsTheDistanceAcrossAnAxis) {
  PairPoints x;
  x.col(0) << 0.2, 1, 0.2;
  x.col(1) << 0.3, GetParam() == PairKind::edge_edge ? 1 : 0.25, 0.1;
  x.col(2) << 0, 0.25, 0;
  x.col(3) << 1, 0.25, 1;
  if (GetParam() == PairKind::point_triangle) x.col(1) << 0, 0.25, 1;
  if (GetParam() == PairKind::point_point) x.col(1) << 0.2, 0.25, 0.2;
  if (GetParam() == PairKind::point_edge) x.col(1) << 1, 0.25, 1;
  EXPECT_DOUBLE_EQ(axis_gap(GetParam(), x), 0.75);
  EXPECT_NEAR(distance(GetParam(), x), 0.75, 1e-15);
}

TEST_P(AxisGap, HoldsAllTheWay) {
  std::mt19937 random(5);
  int apart = 0;
  for (int k = 0; k < 5000; ++k) {
    const PairPoints x = random_points(random, 1), dx = random_points(random, 0.5);
    const double gap = axis_gap_on_way(GetParam(), x, dx);
    apart += gap > 0;
    for (double t = 0; t <= 1; t += 0.125)
      EXPECT_LE(gap, distance(GetParam(), x + t * dx) + 1e-14) << t;
  }
  EXPECT_GT(apart, 100);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AxisGap, ::testing::ValuesIn(pair_kinds));

}  // namespace
}  // namespace pliant
