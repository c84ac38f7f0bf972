#include <pliant/mesh/transform.hpp>
#include <pliant/robots/pose.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <random>

namespace pliant::robots {
namespace {

Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return from_quaternion({normal(random), normal(random), normal(random), normal(random)});
}

TEST(Pose, DegreesGiveTheRotationBack) {
  std::mt19937 random(1);
  for (int k = 0; k < 200; ++k) {
    const Mat3 R = random_rotation(random);
    EXPECT_LT((rotation_matrix(degrees_of(R)) - R).norm(), 1e-12);
  }
}

TEST(Pose, DegreesOfAllQuarterTurnsAreExact) {
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 4; ++z) {
        const Mat3 R = rotation_matrix(Vec3(90 * x, 90 * y, 90 * z));
        EXPECT_EQ(rotation_matrix(degrees_of(R)), R) << x << y << z;
      }
}

TEST(Pose, RollPitchYawTurnsAboutFixedAxes) {
  const Vec3 rpy(0.3, -0.7, 1.1);
  EXPECT_LT((from_rpy(rpy) - rotation_matrix(rpy * 180 / std::numbers::pi)).norm(), 1e-14);
  EXPECT_LT((from_rpy(rpy) - from_euler(rpy, "XYZ")).norm(), 1e-14);
  EXPECT_LT((from_rpy(rpy) - from_euler(rpy.reverse(), "zyx")).norm(), 1e-14);
  EXPECT_GT((from_rpy(rpy) - from_euler(rpy, "xyz")).norm(), 0.1);
}

TEST(Pose, QuaternionsHaveTheirScalarFirst) {
  const double half = 0.25;
  const Mat3 R = from_quaternion({2 * std::cos(half), 0, 0, 2 * std::sin(half)});
  EXPECT_LT((R - turn(Vec3::UnitZ(), 0.5)).norm(), 1e-14);
}

TEST(Pose, UpBecomesYAndNothingIsMirrored) {
  EXPECT_EQ(Vec3(y_up() * Vec3(1, 2, 3)), Vec3(1, 3, -2));
  EXPECT_EQ(y_up().determinant(), 1);
}

TEST(Pose, ZAxesPointWhereTheyAreTold) {
  for (const Vec3& z : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1, 2, -3)}) {
    const Mat3 R = from_z_axis(z);
    EXPECT_LT((R.col(2) - z.normalized()).norm(), 1e-12);
    EXPECT_NEAR(R.determinant(), 1, 1e-12);
  }
}

}  // namespace
}  // namespace pliant::robots
