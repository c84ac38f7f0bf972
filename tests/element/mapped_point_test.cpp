#include <pliant/element/mapped_point.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(MappedPoint, LiesWhereItWasAskedForInEveryShape) {
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    const Mesh mesh = make_box({.size = Vec3(2, 1, 1), .cells = {5, 3, 2}, .element = type});
    Vector q(3 * mesh.point_count());
    for (Index n = 0; n < mesh.point_count(); ++n) q.segment<3>(3 * n) = mesh.points[n];
    for (const Vec3& x :
         {Vec3(0.31, -0.2, 0.41), Vec3(1, 0.5, 0.5), Vec3(-1, 0, 0), Vec3(0, 0, 0)}) {
      const PointSearch found = find_point(mesh, x);
      EXPECT_LT(found.distance, 1e-12) << name_of(type);
      EXPECT_LT((found.point.at(view(q)) - x).norm(), 1e-12);
    }
  }
}

TEST(MappedPoint, FollowsAnAffineMotionExactly) {
  const Mesh mesh =
      make_box({.size = Vec3(2, 1, 1), .cells = {5, 3, 2}, .element = ElementType::tet10});
  Mat3 F;
  F << 1.2, 0.3, 0, -0.1, 0.8, 0.2, 0, 0.4, 1.1;
  Vector q(3 * mesh.point_count());
  for (Index n = 0; n < mesh.point_count(); ++n)
    q.segment<3>(3 * n) = F * mesh.points[n] + Vec3(1, 2, 3);
  const Vec3 x(0.77, 0.13, -0.4);
  EXPECT_LT((find_point(mesh, x).point.at(view(q)) - (F * x + Vec3(1, 2, 3))).norm(), 1e-12);
}

TEST(MappedPoint, SaysHowFarOutsideAPointIs) {
  const Mesh mesh = make_box({.size = Vec3(2, 1, 1), .cells = {4, 2, 2}});
  EXPECT_NEAR(find_point(mesh, Vec3(1.25, 0, 0)).distance, 0.25, 1e-9);
}

}  // namespace
}  // namespace pliant
