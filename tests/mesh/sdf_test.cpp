#include "mesh_fixtures.hpp"

#include <pliant/mesh/sdf.hpp>
#include <pliant/mesh/transform.hpp>

#include <random>

namespace pliant {
namespace {

using test::message_of;

Sdf leaf(SdfShape shape) { return {shape, {}, Vec3::Zero(), Mat3::Identity()}; }
Sdf combine(SdfShape shape, std::vector<Sdf> children) {
  return {shape, std::move(children), Vec3::Zero(), Mat3::Identity()};
}

std::vector<Sdf> primitives() {
  return {leaf(SdfSphere{0.8}),        leaf(SdfBox{Vec3(1, 0.6, 1.4)}), leaf(SdfCapsule{0.4, 1}),
          leaf(SdfCylinder{0.5, 1.2}), leaf(SdfTorus{0.8, 0.3}),        leaf(SdfPlane{})};
}

std::vector<Vec3> random_points() {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> inside(-1.5, 1.5);
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i)
    points.emplace_back(inside(random), inside(random), inside(random));
  return points;
}

TEST(Sdf, PrimitivesHaveTheDistancesOfGeometry) {
  EXPECT_DOUBLE_EQ(distance(leaf(SdfSphere{2}), Vec3(0, 3, 4)), 3);
  const Sdf box = leaf(SdfBox{Vec3(2, 4, 6)});
  EXPECT_DOUBLE_EQ(distance(box, Vec3(4, 6, 3)), 5);  // to the edge: (3, 4)
  EXPECT_DOUBLE_EQ(distance(box, Vec3(0.5, 0, 0)), -0.5);
  const Sdf capsule = leaf(SdfCapsule{1, 2});
  EXPECT_DOUBLE_EQ(distance(capsule, Vec3(3, 5, 0)), 4);
  EXPECT_DOUBLE_EQ(distance(capsule, Vec3(0, 0.5, 0.25)), -0.75);
  const Sdf cylinder = leaf(SdfCylinder{1, 2});
  EXPECT_DOUBLE_EQ(distance(cylinder, Vec3(4, 5, 0)), 5);
  EXPECT_DOUBLE_EQ(distance(cylinder, Vec3(0, 0.75, 0)), -0.25);
  EXPECT_DOUBLE_EQ(distance(leaf(SdfTorus{3, 1}), Vec3(0, 4, 6)), 4);
  EXPECT_DOUBLE_EQ(distance(leaf(SdfPlane{Vec3(0, 1, 0), Vec3(0, 5, 0)}), Vec3(7, 3, 7)), 2);
}

TEST(Sdf, PrimitivesHaveAGradientOfLengthOne) {
  for (const Sdf& body : primitives()) {
    int checked = 0;
    for (const Vec3& x : random_points()) {
      Vec3 gradient;
      const double h = 1e-6;
      for (int i = 0; i < 3; ++i)
        gradient[i] =
            (distance(body, x + h * Vec3::Unit(i)) - distance(body, x - h * Vec3::Unit(i))) /
            (2 * h);
      // Kinks (medial axes) are met by few points; there the difference is below one.
      EXPECT_LT(gradient.norm(), 1 + 1e-6);
      checked += std::abs(gradient.norm() - 1) < 1e-6;
    }
    EXPECT_GT(checked, 1950);
  }
}

TEST(Sdf, CombinationsObeyTheAlgebraOfSets) {
  const Sdf a = leaf(SdfSphere{0.8});
  Sdf b = leaf(SdfBox{Vec3(1, 1, 1)});
  b.translate = Vec3(0.5, 0.2, 0);
  int inside = 0;
  for (const Vec3& x : random_points()) {
    const bool in_a = distance(a, x) < 0, in_b = distance(b, x) < 0;
    EXPECT_EQ(distance(combine(SdfUnion{}, {a, b}), x) < 0, in_a || in_b);
    EXPECT_EQ(distance(combine(SdfIntersection{}, {a, b}), x) < 0, in_a && in_b);
    EXPECT_EQ(distance(combine(SdfDifference{}, {a, b}), x) < 0, in_a && !in_b);
    EXPECT_EQ(distance(combine(SdfUnion{}, {a, b}), x), distance(combine(SdfUnion{}, {b, a}), x));
    EXPECT_EQ(distance(combine(SdfUnion{}, {a, a}), x), distance(a, x));
    // a ∪ b = (a ∖ b) ∪ (b ∖ a) ∪ (a ∩ b), up to the surfaces between the parts
    const Sdf parts =
        combine(SdfUnion{}, {combine(SdfDifference{}, {a, b}), combine(SdfDifference{}, {b, a}),
                             combine(SdfIntersection{}, {a, b})});
    EXPECT_EQ(distance(parts, x) < 0, in_a || in_b);
    inside += in_a && in_b;
  }
  EXPECT_GT(inside, 20);
}

TEST(Sdf, MovesWithItsTransform) {
  Sdf body = leaf(SdfBox{Vec3(4, 1, 1)});
  body.rotation = rotation_matrix(Vec3(0, 0, 90));
  body.translate = Vec3(10, 0, 0);
  EXPECT_DOUBLE_EQ(distance(body, Vec3(10, 3, 0)), 1);
  EXPECT_DOUBLE_EQ(distance(body, Vec3(12, 0, 0)), 1.5);
  Sdf group = combine(SdfUnion{}, {body});
  group.translate = Vec3(-10, 0, 0);
  EXPECT_DOUBLE_EQ(distance(group, Vec3(0, 3, 0)), 1);
}

TEST(Sdf, BoundsHoldTheWholeBody) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> angle(0, 360);
  for (Sdf body : primitives()) {
    if (std::holds_alternative<SdfPlane>(body.shape)) continue;
    body.rotation = rotation_matrix(Vec3(angle(random), angle(random), angle(random)));
    body.translate = Vec3(0.3, -0.2, 0.1);
    const SdfBounds box = bounds(body);
    ASSERT_TRUE(box.finite());
    for (const Vec3& x : random_points())
      if (distance(body, x) < 0) {
        EXPECT_TRUE((x.array() >= box.min.array()).all() && (x.array() <= box.max.array()).all());
      }
  }
  EXPECT_FALSE(bounds(leaf(SdfPlane{})).finite());
  const Sdf half_ball = combine(SdfIntersection{}, {leaf(SdfPlane{}), leaf(SdfSphere{1})});
  EXPECT_TRUE(bounds(half_ball).finite());
  EXPECT_EQ(bounds(combine(SdfDifference{}, {leaf(SdfSphere{1}), leaf(SdfPlane{})})).max,
            Vec3::Ones());
}

TEST(Sdf, RefusesBadBodies) {
  const auto refused = [](const Sdf& body) {
    return message_of<InputError>([&] { require_valid(body, "mesh/sdf"); });
  };
  EXPECT_EQ(refused(leaf(SdfSphere{0})), "mesh/sdf/radius: must be above 0, got 0");
  EXPECT_EQ(refused(leaf(SdfTorus{1, 2})), "mesh/sdf/radius: must be above tube = 2, got 1");
  EXPECT_EQ(refused(combine(SdfUnion{}, {})), "mesh/sdf: a combination needs at least one body");
  EXPECT_EQ(refused(combine(SdfUnion{}, {leaf(SdfSphere{1}), leaf(SdfCapsule{1, -1})})),
            "mesh/sdf/1/length: must be above 0, got -1");
  EXPECT_EQ(refused(leaf(SdfPlane{Vec3::Zero(), Vec3::Zero()})),
            "mesh/sdf/normal: must be finite and not zero");
  EXPECT_EQ(refused(combine(SdfSphere{1}, {leaf(SdfSphere{1})})),
            "mesh/sdf: a primitive cannot contain other bodies");
  Sdf deep = leaf(SdfSphere{1});
  for (int i = 0; i < sdf_depth_limit; ++i) deep = combine(SdfUnion{}, {deep});
  EXPECT_NE(refused(deep).find("nested deeper than 32"), std::string::npos);
}

}  // namespace
}  // namespace pliant
