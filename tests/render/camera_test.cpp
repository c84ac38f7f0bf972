#include <pliant/render/camera.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

// Where a point appears: −1 … 1 across the picture.
Eigen::Vector2d place(const Camera& camera, const Vec3& point, double aspect) {
  const CameraFrame frame = frame_of(camera);
  const double half = std::tan(0.5 * camera.fov * M_PI / 180);
  const Vec3 x = point - camera.eye;
  const double depth = x.dot(frame.forward);
  EXPECT_GT(depth, 0);
  return {x.dot(frame.right) / (depth * half * aspect), x.dot(frame.up) / (depth * half)};
}

std::vector<Vec3> cloud(const Vec3& centre, const Vec3& size) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Vec3> points;
  for (int k = 0; k < 500; ++k)
    points.push_back(centre + size.cwiseProduct(Vec3(unit(random), unit(random), unit(random))));
  return points;
}

TEST(CameraFit, SeesAllPointsWithTheMarginAndNoneFartherThanNeeded) {
  const Vec3 sizes[] = {{8, 1, 1}, {1, 5, 1}, {1e-6, 1e-6, 1e-6}, {2e5, 1e5, 3e5}, {2, 2, 0}};
  for (const Vec3& size : sizes)
    for (const double aspect : {16.0 / 9, 1.0, 0.4}) {
      const std::vector<Vec3> points = cloud(3 * size, size);
      CameraFit fit(aspect);
      for (const Vec3& point : points) fit.add(point);
      const Camera camera = fit.camera();
      double widest = 0;
      for (const Vec3& point : points)
        widest = std::max(widest, place(camera, point, aspect).cwiseAbs().maxCoeff());
      // Rounding of the eye's position is all that may move a point.
      EXPECT_NEAR(widest, 1 - 2 * CameraFit::margin, 1e-9);
    }
}

TEST(CameraFit, StandsOffFromASinglePoint) {
  CameraFit fit(1.5);
  fit.add({3, -2, 5});
  EXPECT_NEAR((fit.camera().eye - Vec3(3, -2, 5)).norm(), 1, 1e-9);
  EXPECT_NEAR(place(fit.camera(), {3, -2, 5}, 1.5).norm(), 0, 1e-9);
}

TEST(Camera, LooksThroughThePictureAsItsFieldOfViewSays) {
  const Camera camera{{0, 0, 5}, {0, 0, 0}, 90};
  const Vec3 corner = camera.direction(1, 1, 2);
  EXPECT_NEAR((corner - Vec3(2, 1, -1).normalized()).norm(), 0, 1e-12);
  EXPECT_NEAR((camera.direction(0, 0, 2) - Vec3(0, 0, -1)).norm(), 0, 1e-12);
}

TEST(Camera, LooksStraightDownToo) {
  const Camera camera{{0, 5, 0}, {0, 0, 0}, 40};
  EXPECT_TRUE(frame_of(camera).right.allFinite());
  EXPECT_NEAR(frame_of(camera).right.norm(), 1, 1e-12);
}

}  // namespace
}  // namespace pliant
