#include <pliant/load/face_load.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/load/point_load.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::random_vector;

struct Fixture {
  Model model =
      test::make_beam({.size = Vec3(2, 1, 1), .cells = {4, 2, 2}, .gravity = Vec3::Zero()});
  System& system = *model.system;
  FaceLoad::Triangles faces{model.bodies[0].surface.triangles};
  test::Point point() const {
    return {0.3, system.rest() + random_vector(system.dofs(), 0.05, 1),
            random_vector(system.dofs(), 1, 2), nullptr};
  }
};

Curve ramp(const Vec3& from, const Vec3& to) { return Curve({0.0, 1.0}, {from, to}); }

TEST(Gravity, PullsWithTheWeightAndIsZeroInTheUndeformedState) {
  const Fixture f;
  const Gravity gravity(Vec3(0, -9.81, 0), f.system.mass(), view(f.system.rest()));
  const test::Point x = f.point();
  const Vector force = test::force_of(gravity, {0, view(x.q), view(x.v), nullptr}, x.q.size());
  double down = 0;
  for (Index n = 0; n < f.system.nodes(); ++n) down += force[3 * n + 1];
  EXPECT_NEAR(down, -9.81 * 1000 * 2, 1e-9 * 19620);
  EXPECT_EQ(gravity.potential({0, view(f.system.rest()), view(x.v), nullptr}), 0);
  test::expect_force_is_gradient(gravity, x, random_vector(x.q.size(), 1, 4), 1e-3, 1e-9);
}

TEST(PointLoad, SharesItsForceAndHasAPotential) {
  const Fixture f;
  const PointLoad load(ramp(Vec3::Zero(), Vec3(10, -20, 5)), {0, 3, 7}, view(f.system.rest()));
  const test::Point x = f.point();
  const Vector force = test::force_of(load, {x.t, view(x.q), view(x.v), nullptr}, x.q.size());
  EXPECT_LT((force.segment<3>(9) - 0.3 * Vec3(10, -20, 5) / 3).norm(), 1e-12);
  EXPECT_NEAR(force.sum(), 0.3 * -5, 1e-12);
  test::expect_force_is_gradient(load, x, random_vector(x.q.size(), 1, 4), 1e-3, 1e-9);
  EXPECT_TRUE(load.time_dependent());
}

TEST(Pressure, OnAClosedSurfaceIsThePotentialOfTheVolume) {
  Fixture f;
  Pressure pressure(Curve(Vec3(2000, 0, 0)), f.faces, view(f.system.rest()));
  pressure.locate(f.system.pattern());
  ASSERT_TRUE(pressure.has_potential());
  const test::Point x = f.point();
  const Vector d = random_vector(x.q.size(), 1, 5);
  test::expect_force_is_gradient(pressure, x, d, 1e-3, 1e-8);
  BlockMatrix A(f.system.pattern());
  test::expect_tangent_is_derivative(pressure, x, d, 1e-3, 1e-8, A);
  const Eigen::MatrixXd K = test::dense(A);
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
}

TEST(Pressure, OnOneFaceOfABoxPushesInwardsWithPressureTimesArea) {
  Fixture f;
  FaceLoad::Triangles right;
  for (const auto& t : f.faces) {
    bool all = true;
    for (const Index n : t) all = all && std::abs(f.system.rest()[3 * n] - 1) < 1e-9;
    if (all) right.push_back(t);
  }
  Pressure pressure(ramp(Vec3::Zero(), Vec3(1000, 0, 0)), right, view(f.system.rest()));
  pressure.locate(f.system.pattern());
  EXPECT_FALSE(pressure.has_potential());
  const Vector v = Vector::Zero(f.system.dofs());
  const Vector force =
      test::force_of(pressure, {0.5, view(f.system.rest()), view(v), nullptr}, v.size());
  EXPECT_NEAR(force.sum(), -500, 1e-9);
  BlockMatrix A(f.system.pattern());
  test::expect_tangent_is_derivative(pressure, f.point(), random_vector(v.size(), 1, 6), 1e-3, 1e-8,
                                     A);
}

TEST(Wind, HasItsTangentsAndPushesAPlateWithHalfTheDragTimesSpeedSquared) {
  Fixture f;
  Wind wind(Curve(Vec3(3, -1, 2)), 1.2, f.faces, f.system.nodes());
  wind.locate(f.system.pattern());
  const test::Point x = f.point();
  BlockMatrix A(f.system.pattern());
  const Vector d = random_vector(x.q.size(), 1, 7);
  test::expect_tangent_is_derivative(wind, x, d, 1e-4, 1e-7, A);
  test::expect_tangent_is_derivative(wind, x, d, 1e-4, 1e-7, A, true);

  const Wind along(Curve(Vec3(4, 0, 0)), 1.2, f.faces, f.system.nodes());
  const Vector v = Vector::Zero(f.system.dofs());
  const Vector force =
      test::force_of(along, {0, view(f.system.rest()), view(v), nullptr}, v.size());
  // Both end faces of 1 m² feel ½ c u²: one is pushed, the other pulled, the sides feel nothing.
  EXPECT_NEAR(force.sum(), 2 * 0.5 * 1.2 * 16, 1e-9);
}

TEST(Wind, DoesNotActOnWhatMovesWithIt) {
  Fixture f;
  const Wind wind(Curve(Vec3(3, -1, 2)), 1.2, f.faces, f.system.nodes());
  const Vector v = Vec3(3, -1, 2).replicate(f.system.nodes(), 1);
  EXPECT_EQ(test::force_of(wind, {0, view(f.system.rest()), view(v), nullptr}, v.size()).norm(), 0);
}

TEST(Curve, PassesThroughItsKnotsWithoutOvershootAndWithItsDerivatives) {
  const Curve curve({0, 1, 1.5, 4},
                    {Vec3(0, 1, 2), Vec3(1, 1, -1), Vec3(3, 1, -1), Vec3(3.5, 1, 4)});
  EXPECT_EQ(curve.at(1).value, Vec3(1, 1, -1));
  EXPECT_EQ(curve.at(-1).value, Vec3(0, 1, 2));
  EXPECT_EQ(curve.at(9).value, Vec3(3.5, 1, 4));
  EXPECT_EQ(curve.at(9).first, Vec3::Zero());
  double last = -1;
  for (double t = 0; t <= 4; t += 0.01) {
    const Curve::Sample s = curve.at(t);
    EXPECT_GE(s.value.x(), last - 1e-12);
    last = s.value.x();
    EXPECT_GE(s.value.z(), -1 - 1e-12);
    if (t < 0.1 || t > 3.9 || std::abs(t - 1) < 0.02 || std::abs(t - 1.5) < 0.02) continue;
    const double h = 1e-4;
    const Vec3 slope = (curve.at(t + h).value - curve.at(t - h).value) / (2 * h);
    const Vec3 bend = (curve.at(t + h).first - curve.at(t - h).first) / (2 * h);
    EXPECT_LT((slope - s.first).norm(), 1e-6);
    EXPECT_LT((bend - s.second).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace pliant
