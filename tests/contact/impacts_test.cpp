// What is hit on a straight way, and which way the row pushes: the right side however deep the way
// ends, nothing where nothing is met, and no row across the way of what slides over a flat region.
#include <pliant/contact/impacts.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr double kMargin = 1e-3;

// Two triangles that make the unit square at y = 0, their normals up; then a lone point.
struct Floor {
  ContactSurface surface;
  Vector q = Vector::Zero(15), dq = Vector::Zero(15);
  std::vector<Impact> hits;

  Floor() {
    q << 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0.4, 0.5, 0.2;
    Surface square;
    square.triangles = {{0, 2, 1}, {0, 3, 2}};
    square.edges = unique_edges(square.triangles);
    surface.add({.name = "floor", .obstacle = true}, square, 0, view(q));
    surface.add_points({.name = "point"}, std::array<Index, 1>{4});
    surface.finish();
  }
  void look(const Vec3& from, const Vec3& to) {
    q.tail<3>() = from;
    dq.tail<3>() = to - from;
    ImpactFinder finder(surface, kMargin);
    finder.find_points(view(q), view(dq), hits);
  }
};

TEST(Impacts, NothingIsHitByWhatStaysAwayOrLeaves) {
  Floor floor;
  floor.look({0.4, 0.5, 0.2}, {0.4, 2 * kMargin, 0.2});
  EXPECT_TRUE(floor.hits.empty());
  floor.look({0.4, 0.5 * kMargin, 0.2}, {0.4, 0.5, 0.2});
  EXPECT_TRUE(floor.hits.empty());
  floor.look({2, 0.5, 0.2}, {2, -0.5, 0.2});  // beside it
  EXPECT_TRUE(floor.hits.empty());
}

TEST(Impacts, ARowPushesBackToTheSideItCameFromHoweverFarItWent) {
  for (const double depth : {-0.99 * kMargin, 1e-9, 1e-3, 0.5, 50.0})
    for (const double side : {1.0, -1.0}) {
      Floor floor;
      const Vec3 to(0.4, -side * depth, 0.2);
      floor.look({0.4, side * 0.5, 0.2}, to);
      ASSERT_EQ(floor.hits.size(), 1U) << depth;
      const Impact& hit = floor.hits.front();
      EXPECT_NEAR(hit.normal.y(), side, 1e-9);
      EXPECT_NEAR(hit.gap(view(floor.q)), 0.5, 1e-9);
      const Vector end = floor.q + floor.dq;
      EXPECT_NEAR(hit.gap(view(end)), -depth, 1e-9 * std::max(1.0, depth));
      EXPECT_NEAR(ImpactFinder(floor.surface, kMargin).true_gap(hit, view(end)), -depth,
                  1e-9 * std::max(1.0, depth));
    }
}

TEST(Impacts, WhatSlidesOverAnEdgeInsideAFlatRegionIsHeldUpAndNotHeldBack) {
  Floor floor;  // the diagonal is at x = z
  for (const double start : {0.1, 0.3, 0.4, 0.49, 0.4999, 0.5})
    for (const double fall : {1e-5, 1e-4, 1e-3, 1e-2}) {
      floor.look({start, kMargin, 0.5}, {start + 0.2, kMargin - fall, 0.5});
      ASSERT_EQ(floor.hits.size(), 1U);
      // The first that it comes near holds it up, not the triangle ahead.
      EXPECT_GT(floor.hits.front().normal.y(), 0.99) << start << " " << fall;
      floor.look({start, kMargin, 0.5}, {start + 0.2, kMargin, 0.5});  // once it is held up
      EXPECT_TRUE(floor.hits.empty()) << start;
    }
}

TEST(Impacts, OfTwoEdgesThatCrossThePlaceIsFound) {
  Vector q(12), dq = Vector::Zero(12);
  q << -1, 0.2, 0, 1, 0.2, 0, 0.5, 0, -1, 0.5, 0, 1;
  ContactSurface surface;
  surface.add_edges({.name = "upper", .radius = 0.05},
                    std::array<std::array<Index, 2>, 1>{{{0, 1}}}, view(q));
  surface.add_edges({.name = "lower"}, std::array<std::array<Index, 2>, 1>{{{2, 3}}}, view(q));
  surface.finish();
  dq[1] = dq[4] = -1;
  std::vector<Impact> hits;
  ImpactFinder finder(surface, kMargin);
  finder.find_points(view(q), view(dq), hits);
  EXPECT_TRUE(hits.empty());
  finder.find_edges(view(q), view(dq), hits);
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits.front().kind, PairKind::edge_edge);
  EXPECT_NEAR(hits.front().normal.y(), 1, 1e-9);
  EXPECT_NEAR(hits.front().w[1], 0.75, 1e-9);
  EXPECT_NEAR(hits.front().w[3], -0.5, 1e-9);
  EXPECT_NEAR(hits.front().gap(view(q)), 0.15, 1e-9);
}

}  // namespace
}  // namespace pliant
