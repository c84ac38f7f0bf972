#include <contact/random_pairs.hpp>
#include <contact/squared_distance.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace fixtures;

double squared(PairKind kind, const PairPoints& x) {
  return squared_distance(find_nearest(kind, x), x);
}
PairGradient gradient(PairKind kind, const PairPoints& x) {
  return squared_distance_gradient(find_nearest(kind, x), x);
}

bool same_features(PairKind kind, const PairPoints& x, const PairPoints& y) {
  const Nearest a = find_nearest(kind, x), b = find_nearest(kind, y);
  for (int i = 0; i < 4; ++i)
    if ((a.w[i] == 0) != (b.w[i] == 0)) return false;
  return true;
}

// How far from flat or parallel the features are that hold the nearest points: where they are
// nearly so, the Hessian is large and central differences of step 1e-5 see too little of it.
double conditioning(const Nearest& nearest, const PairPoints& x) {
  const Vec3 a = x * nearest.dw.col(0), b = x * nearest.dw.col(1);
  if (nearest.parameters == 0) return 1;
  return nearest.parameters == 1 ? a.norm() : a.cross(b).norm();
}

TEST(SquaredDistance, DerivativesAgreeWithFiniteDifferences) {
  RandomPairs pairs(11);
  for (const PairKind kind : all_pair_kinds) {
    std::array<int, 3> seen = {0, 0, 0};  // by free parameters
    for (int k = 0; k < 2000; ++k) {
      const PairPoints x = pairs.general();
      const Nearest nearest = find_nearest(kind, x);
      if (conditioning(nearest, x) < 0.2) continue;
      const PairDistance D = squared_distance_derivatives(nearest, x);
      EXPECT_EQ(D.gradient, gradient(kind, x));
      bool inside = true;
      for (int i = 0; i < 12; ++i) {
        const double step = 1e-5;
        PairPoints forward = x, back = x;
        forward(i % 3, i / 3) += step, back(i % 3, i / 3) -= step;
        inside = inside && same_features(kind, forward, x) && same_features(kind, back, x);
        if (!inside) break;
        EXPECT_NEAR(D.gradient[i], (squared(kind, forward) - squared(kind, back)) / (2 * step),
                    1e-7);
        const PairGradient column = (gradient(kind, forward) - gradient(kind, back)) / (2 * step);
        EXPECT_LT((D.hessian.col(i) - column).norm(), 1e-5) << static_cast<int>(kind);
      }
      seen[static_cast<std::size_t>(nearest.parameters)] += inside;
    }
    EXPECT_GT(seen[static_cast<std::size_t>(points_of(kind) == 4 ? 2 : points_of(kind) - 2)], 30);
    EXPECT_GT(seen[0], 30);
  }
}

TEST(SquaredDistance, GradientIsContinuousWhereFeaturesChange) {
  RandomPairs pairs(12);
  for (int k = 0; k < 500; ++k) {
    PairPoints x = pairs.general();
    // Straight above an edge of the triangle, moved a hair to either side.
    const Vec3 e = x.col(2) - x.col(1), n = e.cross(x.col(3) - x.col(1)).normalized();
    const Vec3 across = n.cross(e).normalized();
    if (e.cross(x.col(3) - x.col(1)).norm() < 0.2) continue;
    const Vec3 foot = 0.5 * (x.col(1) + x.col(2)) + 0.3 * n;
    PairPoints y = x;
    x.col(0) = foot + 1e-6 * across, y.col(0) = foot - 1e-6 * across;
    ASSERT_NE(find_nearest(PairKind::point_triangle, x).parameters,
              find_nearest(PairKind::point_triangle, y).parameters);
    const PairGradient jump =
        gradient(PairKind::point_triangle, x) - gradient(PairKind::point_triangle, y);
    EXPECT_LT(jump.norm(), 1e-4);  // the Hessian, some tens at most, times the way between
  }
}

TEST(SquaredDistance, DoesNotChangeUnderRigidMotions) {
  RandomPairs pairs(13);
  for (const PairKind kind : all_pair_kinds)
    for (int k = 0; k < 200; ++k) {
      const PairPoints x = pairs.general();
      const PairDistance D = squared_distance_derivatives(find_nearest(kind, x), x);
      if (!D.hessian.allFinite() || D.hessian.norm() > 1e3) continue;
      Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
      for (int i = 0; i < 4; ++i) {
        force += D.gradient.segment<3>(3 * i);
        torque += Vec3(x.col(i)).cross(D.gradient.segment<3>(3 * i));
      }
      EXPECT_LT(force.norm(), 1e-13);
      EXPECT_LT(torque.norm(), 1e-13);
      for (int j = 0; j < 3; ++j) {
        PairGradient translation = PairGradient::Zero();
        for (int i = 0; i < 4; ++i) translation[3 * i + j] = 1;
        EXPECT_LT((D.hessian * translation).norm(), 1e-10);
      }
    }
}

}  // namespace
}  // namespace pliant
