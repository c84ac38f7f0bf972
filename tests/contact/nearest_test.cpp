#include <pliant/contact/nearest.hpp>

#include <contact/random_pairs.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::all_pair_kinds;
using fixtures::corners;
using fixtures::RandomPairs;

// Both simplices are convex, so the points at the ends of r are nearest if and only if a slab of
// width ‖r‖ across r separates the simplices: r·(a − b) ≥ ‖r‖² for every corner a of the first and
// b of the second. Checked without knowing how the points were found.
void expect_nearest(PairKind kind, const PairPoints& x) {
  const Nearest nearest = find_nearest(kind, x);
  const Vec3 r = nearest.connection(x);
  const auto [first, second] = corners(kind);
  double plus = 0, minus = 0;
  for (const int i : first) {
    EXPECT_GE(nearest.w[i], 0);
    plus += nearest.w[i];
  }
  for (const int i : second) {
    EXPECT_LE(nearest.w[i], 0);
    minus -= nearest.w[i];
  }
  EXPECT_NEAR(plus, 1, 1e-15);
  EXPECT_NEAR(minus, 1, 1e-15);
  // Coordinates are below 1: rounding of a squared length is some 1e-15.
  for (const int a : first)
    for (const int b : second)
      EXPECT_GE(r.dot(x.col(a) - x.col(b)), r.squaredNorm() - 1e-13)
          << "kind " << static_cast<int>(kind) << "\n"
          << x;
}

TEST(Nearest, PointsAreSeparatedByASlabAsWideAsTheirDistance) {
  RandomPairs pairs(1);
  for (const PairKind kind : all_pair_kinds)
    for (int k = 0; k < 5000; ++k) expect_nearest(kind, pairs.general());
}

TEST(Nearest, PointsOfDegenerateSimplicesAreFoundToo) {
  RandomPairs pairs(2);
  for (const PairKind kind : all_pair_kinds)
    for (int k = 0; k < 5000; ++k) expect_nearest(kind, pairs.on_grid());
}

TEST(Nearest, PointsOfAlmostParallelEdgesAreFoundToo) {
  RandomPairs pairs(3);
  for (const double tilt : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15})
    for (int k = 0; k < 1000; ++k) {
      PairPoints x = pairs.general();
      x.col(3) = x.col(2) + 0.7 * (x.col(1) - x.col(0)) + tilt * pairs.vector();
      const Nearest nearest = find_nearest(PairKind::edge_edge, x);
      // Along such edges the distance varies by the tilt squared: places differ, distances do not.
      double best = std::numeric_limits<double>::infinity();
      for (int i = 0; i <= 400; ++i)
        for (const int end : {0, 1, 2, 3}) {
          const double s = i / 400.0;
          const Vec3 on = end < 2 ? Vec3((1 - s) * x.col(2) + s * x.col(3))
                                  : Vec3((1 - s) * x.col(0) + s * x.col(1));
          best = std::min(best, (x.col(end) - on).norm());
        }
      EXPECT_LE(nearest.connection(x).norm(), best + 1e-14);
    }
}

TEST(Nearest, FeaturesAreThoseOfTheGeometry) {
  PairPoints x;
  x.col(1) = Vec3(0, 0, 0), x.col(2) = Vec3(1, 0, 0), x.col(3) = Vec3(0, 1, 0);
  const auto parameters = [&x](const Vec3& p) {
    x.col(0) = p;
    return find_nearest(PairKind::point_triangle, x).parameters;
  };
  EXPECT_EQ(parameters({0.25, 0.25, 1}), 2);  // above the face
  EXPECT_EQ(parameters({0.5, -1, 1}), 1);     // beside an edge
  EXPECT_EQ(parameters({-1, -1, 1}), 0);      // beside a corner
  x.col(0) = Vec3(-1, 0.25, 0.5), x.col(1) = Vec3(1, 0.25, 0.5);
  x.col(2) = Vec3(0, -1, 0), x.col(3) = Vec3(0, 1, 0);
  const Nearest crossing = find_nearest(PairKind::edge_edge, x);
  EXPECT_EQ(crossing.parameters, 2);
  EXPECT_NEAR(crossing.connection(x).norm(), 0.5, 1e-15);
}

}  // namespace
}  // namespace pliant
