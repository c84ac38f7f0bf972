#include <pliant/render/sampling.hpp>

#include <gtest/gtest.h>

#include <set>

namespace pliant::sampling {
namespace {

// The first 16 points of a (0, 2)-sequence in base 2: one in each of 16 × 1, 8 × 2, … 1 × 16 boxes.
TEST(PixelSample, SixteenSamplesFillAllStrata) {
  for (int pixel = 0; pixel < 20; ++pixel)
    for (const int columns : {1, 2, 4, 8, 16}) {
      std::set<std::pair<int, int>> boxes;
      for (int k = 0; k < 16; ++k) {
        PixelSample sample(pixel, 3 * pixel, k);
        sample.next();
        const Eigen::Vector2f u = sample.next();
        boxes.emplace(static_cast<int>(u.x() * static_cast<float>(columns)),
                      static_cast<int>(u.y() * static_cast<float>(16 / columns)));
      }
      EXPECT_EQ(boxes.size(), 16u) << pixel << " " << columns;
    }
}

TEST(PixelSample, PixelsAndDimensionsDiffer) {
  PixelSample a(4, 5, 0), b(5, 4, 0);
  const Eigen::Vector2f first = a.next();
  EXPECT_NE(first.x(), b.next().x());
  EXPECT_NE(first.x(), a.next().x());
}

TEST(Directions, AreOfUnitLengthAndOnTheirSide) {
  const Eigen::Vector3f normals[] = {
      {0, 1, 0}, {0, 0, -1}, Eigen::Vector3f(1, -2, 0.5f).normalized()};
  for (const Eigen::Vector3f& n : normals) {
    float mean = 0;
    for (int k = 0; k < 256; ++k) {
      PixelSample sample(1, 1, k);
      const Eigen::Vector3f d = cosine_direction(n, sample.next());
      EXPECT_NEAR(d.norm(), 1, 1e-5f);
      EXPECT_GE(d.dot(n), -1e-6f);
      EXPECT_GE(cone_direction(n, 0.9f, sample.next()).dot(n), 0.9f - 1e-5f);
      mean += d.dot(n) / 256;
    }
    EXPECT_NEAR(mean, 2.0f / 3, 5e-3f);  // ∫ cos² θ dω / π; strata of 256 points leave about 1e-3
  }
}

}  // namespace
}  // namespace pliant::sampling
