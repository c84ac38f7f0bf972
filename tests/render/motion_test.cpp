#include <pliant/render/motion.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

ResultFrame cubic_at(double t) {
  ResultFrame frame;
  frame.time = t;
  frame.points = {Vec3(1 + 2 * t - t * t + 3 * t * t * t, t, 0)};
  frame.velocities = {Vec3(2 - 2 * t + 9 * t * t, 1, 0)};
  frame.von_mises = {100 * t};
  frame.det = {1 - t};
  return frame;
}

TEST(Between, FollowsACubicMotionExactly) {
  const ResultFrame before = cubic_at(0.2), after = cubic_at(0.7);
  for (const double t : {0.2, 0.31, 0.5, 0.69, 0.7}) {
    const ResultFrame middle = between(before, after, t);
    EXPECT_NEAR((middle.points[0] - cubic_at(t).points[0]).norm(), 0, 1e-14);  // rounding
    EXPECT_NEAR(middle.von_mises[0], 100 * t, 1e-12);
    EXPECT_NEAR(middle.det[0], 1 - t, 1e-14);
    EXPECT_EQ(middle.time, t);
  }
}

TEST(Between, IsStraightWhereNoVelocityIsKnown) {
  ResultFrame before = cubic_at(0), after = cubic_at(1);
  before.velocities.clear();
  after.velocities.clear();
  const Vec3 middle = between(before, after, 0.5).points[0];
  EXPECT_NEAR((middle - 0.5 * (before.points[0] + after.points[0])).norm(), 0, 1e-15);
}

}  // namespace
}  // namespace pliant
