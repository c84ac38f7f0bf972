#include <pliant/contact/intersections.hpp>
#include <pliant/mesh/generators.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

TEST(Orientation, IsExactWherePointsAlmostLieInAPlane) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 0, 1);
  const int above = orientation(a, b, c, Vec3(0.3, 1, 0.3));
  EXPECT_NE(above, 0);
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(orientation(a, b, c, Vec3(0.3, tiny, 0.3)), above);
  EXPECT_EQ(orientation(a, b, c, Vec3(0.3, -tiny, 0.3)), -above);
  EXPECT_EQ(orientation(a, b, c, Vec3(0.3, 0, 0.3)), 0);
  // Multiples of 0.1 are not on one line in double precision; what the sign is, exact arithmetic
  // says, and exchanging two points turns it.
  const Vec3 p(0.1, 0.1, 0.1), q(0.2, 0.2, 0.2), r(0.3, 0.3, 0.3), s(1, 2, 7);
  EXPECT_EQ(orientation(p, q, r, s), -orientation(q, p, r, s));
}

// A point of the triangle, and a segment through it: both ends on different sides.
TEST(SegmentAndTriangle, MeetWhereTheyWereMadeTo) {
  std::mt19937 random(71);
  std::uniform_real_distribution<double> pick(-1, 1);
  const auto vector = [&] { return Vec3(pick(random), pick(random), pick(random)); };
  for (int k = 0; k < 2000; ++k) {
    const std::array<Vec3, 3> t = {vector(), vector(), vector()};
    const double a = 0.05 + 0.3 * std::abs(pick(random)), b = 0.05 + 0.3 * std::abs(pick(random));
    const Vec3 inside = (1 - a - b) * t[0] + a * t[1] + b * t[2], way = vector();
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    if (normal.norm() < 0.1 || std::abs(normal.dot(way)) < 0.01) continue;
    EXPECT_TRUE(segment_meets_triangle({inside - 0.3 * way, inside + 0.7 * way}, t));
    EXPECT_FALSE(segment_meets_triangle({inside + 0.01 * way, inside + 0.7 * way}, t));
    const Vec3 outside = -0.2 * t[0] + 0.9 * t[1] + 0.3 * t[2];
    EXPECT_FALSE(segment_meets_triangle({outside - 0.3 * way, outside + 0.7 * way}, t));
  }
}

TEST(SegmentAndTriangle, InOnePlaneMeetWhereTheyOverlap) {
  const std::array<Vec3, 3> t = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  EXPECT_TRUE(segment_meets_triangle({Vec3(0.2, 0, 0.2), Vec3(0.3, 0, 0.3)}, t));
  EXPECT_TRUE(segment_meets_triangle({Vec3(-1, 0, 0.2), Vec3(2, 0, 0.2)}, t));
  EXPECT_FALSE(segment_meets_triangle({Vec3(-1, 0, -0.2), Vec3(2, 0, -0.2)}, t));
}

struct Boxes {
  Vector q;
  ContactSurface surface;
  explicit Boxes(double shift) {
    const Mesh box = make_box({Vec3(1, 1, 1), {2, 2, 2}, ElementType::hex8});
    const Index n = box.point_count();
    q.resize(6 * n + 3);
    for (Index k = 0; k < n; ++k) {
      node(view(q), k) = box.points[static_cast<std::size_t>(k)];
      node(view(q), n + k) = box.points[static_cast<std::size_t>(k)] + Vec3(shift, 0.13, 0.21);
    }
    node(view(q), 2 * n) = Vec3(0, -0.501, 0);
    surface.add({.name = "a", .modulus = 1}, make_surface(box), 0, view(q));
    surface.add({.name = "b", .modulus = 1}, make_surface(box), n, view(q));
    surface.planes.push_back({"floor", 2 * n, Vec3::UnitY()});
    surface.finish();
  }
};

TEST(Intersections, AreFoundExactlyWhereBoxesOverlap) {
  EXPECT_TRUE(find_intersections(Boxes(1.0001).surface, view(Boxes(1.0001).q)).empty());
  const Boxes overlapping(0.99);
  const auto found = find_intersections(overlapping.surface, view(overlapping.q));
  ASSERT_FALSE(found.empty());
  for (const Intersection& one : found) EXPECT_NE(one.first, one.second);
  Boxes sunk(3);
  sunk.q.tail<3>() = Vec3(0, -0.4, 0);
  const auto below = find_intersections(sunk.surface, view(sunk.q));
  // The nine lower points of a; those of b are 0.13 higher.
  EXPECT_EQ(below.size(), 9u);
}

}  // namespace
}  // namespace pliant
