#include <pliant/system/pins.hpp>
#include <pliant/system/point_tracks.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

Vec3 place(double t, int point) {
  return {std::sin(3 * t + point), 0.5 * t * t, std::cos(2 * t) * point};
}
Vec3 velocity(double t, int point) {
  return {3 * std::cos(3 * t + point), t, -2 * std::sin(2 * t) * point};
}

// Frames that are not evenly spaced.
PointTracks tracks(int frames) {
  std::vector<double> times;
  std::vector<float> places;
  for (int k = 0; k < frames; ++k) {
    const double s = k / (frames - 1.0);
    times.push_back(2 * s + 0.1 * std::sin(5 * s));
    for (int p = 0; p < 2; ++p)
      for (int i = 0; i < 3; ++i) places.push_back(static_cast<float>(place(times.back(), p)[i]));
  }
  return {times, 2, places};
}

double worst(const PointTracks& made, bool of_velocity) {
  double most = 0;
  for (double t = 0.01; t < 1.85; t += 0.0137)
    for (int p = 0; p < 2; ++p) {
      const Curve::Sample s = made.at(static_cast<std::size_t>(p), t);
      most = std::max(
          most, of_velocity ? (s.first - velocity(t, p)).norm() : (s.value - place(t, p)).norm());
    }
  return most;
}

// Slopes are of second order, so places are of third and velocities of second.
TEST(PointTracks, ComeNearToTheMotionByTheirOrder) {
  EXPECT_LT(worst(tracks(41), false), 2e-3);
  EXPECT_GT(worst(tracks(21), false) / worst(tracks(41), false), 6);
  EXPECT_GT(worst(tracks(21), true) / worst(tracks(41), true), 3);
}

TEST(PointTracks, HaveContinuousVelocitiesAndTheirDerivatives) {
  const PointTracks made = tracks(12);
  const double h = 1e-5;
  double bends = 0;
  for (double t = 0.02; t < 1.85; t += 0.031)
    for (const std::size_t p : {0u, 1u}) {
      const Curve::Sample a = made.at(p, t - h), s = made.at(p, t), b = made.at(p, t + h);
      EXPECT_LT(((b.value - a.value) / (2 * h) - s.first).norm(), 1e-6);
      // The acceleration jumps at frames: by a difference across one, half of each side.
      bends = std::max(bends, s.second.norm());
      EXPECT_LT((b.first - a.first).norm(), 2 * h * 50);
    }
  EXPECT_GT(bends, 5);
}

TEST(PointTracks, RestBeforeAndAfterTheirFrames) {
  const PointTracks made = tracks(12);
  for (const double t : {-5.0, 9.0}) {
    EXPECT_EQ(made.at(1, t).first, Vec3::Zero());
    EXPECT_LT((made.at(1, t).value - place(t < 0 ? 0 : 2 + 0.1 * std::sin(5), 1)).norm(), 1e-6);
  }
  const PointTracks one({0.5}, 1, {1, 2, 3});
  EXPECT_EQ(one.at(0, 0).value, Vec3(1, 2, 3));
  EXPECT_EQ(one.at(0, 1).first, Vec3::Zero());
  const PointTracks two({0, 2}, 1, {0, 0, 0, 4, 0, 0});
  EXPECT_LT((two.at(0, 0.5).value - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((two.at(0, 0.5).first - Vec3(2, 0, 0)).norm(), 1e-12);
}

TEST(PointTracks, MoveTheNodesOfAPinToTheirPlacesOrFromWhereTheyWere) {
  Motion motion;
  motion.tracks = std::make_shared<const PointTracks>(tracks(30));
  EXPECT_FALSE(motion.at_rest());
  const Vec3 anchor(7, 8, 9);
  EXPECT_EQ(motion.at(anchor, 0.5, 0.8, 1).value, motion.tracks->at(1, 0.8).value);
  motion.tracks_are_places = false;
  EXPECT_LT((motion.at(anchor, 0.5, 0.5, 1).value - anchor).norm(), 1e-14);
  EXPECT_LT((motion.at(anchor, 0.5, 0.8, 1).value - anchor -
             (motion.tracks->at(1, 0.8).value - motion.tracks->at(1, 0.5).value))
                .norm(),
            1e-14);
  EXPECT_EQ(motion.at(anchor, 0.5, 0.8, 1).first, motion.tracks->at(1, 0.8).first);
}

}  // namespace
}  // namespace pliant
