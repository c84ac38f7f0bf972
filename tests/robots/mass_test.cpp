#include <pliant/robots/mass.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace pliant::robots {
namespace {

constexpr double pi = std::numbers::pi;

Shape shape(ShapeKind kind, const Vec3& size) {
  Shape made;
  made.kind = kind;
  made.size = size;
  return made;
}

// A body of discs along z with half axes a(z), b(z): m = ∫ π a b, and of a disc dm a²/4 about its
// diameters.
MassOf of_discs(double half, const std::function<Vec3(double)>& axes) {
  const int count = 20000;
  const double h = 2 * half / count;
  double m = 0, xx = 0, yy = 0, zz = 0;
  for (int k = 0; k < count; ++k) {
    const double z = -half + (k + 0.5) * h;
    const Vec3 r = axes(z);
    const double dm = pi * r.x() * r.y() * h;
    m += dm;
    xx += dm * r.x() * r.x() / 4, yy += dm * r.y() * r.y() / 4, zz += dm * z * z;
  }
  return {m, Vec3::Zero(), Vec3(yy + zz, xx + zz, xx + yy).asDiagonal()};
}

void expect_near(const MassOf& a, const MassOf& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.centre - b.centre).norm(), tolerance);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TEST(Mass, SimpleShapesHaveTheMomentsOfTheirDiscs) {
  Warnings none;
  expect_near(mass_of_volume(shape(ShapeKind::cylinder, {0.3, 1.4, 1}), none),
              of_discs(0.7, [](double) { return Vec3(0.3, 0.3, 0); }), 1e-7);
  expect_near(mass_of_volume(shape(ShapeKind::sphere, {0.8, 1, 1}), none),
              of_discs(0.8,
                       [](double z) {
                         const double r = std::sqrt(0.64 - z * z);
                         return Vec3(r, r, 0);
                       }),
              1e-7);
  expect_near(mass_of_volume(shape(ShapeKind::ellipsoid, {0.5, 0.7, 1.1}), none),
              of_discs(1.1,
                       [](double z) {
                         const double s = std::sqrt(1 - z * z / 1.21);
                         return Vec3(0.5 * s, 0.7 * s, 0);
                       }),
              1e-7);
  expect_near(mass_of_volume(shape(ShapeKind::capsule, {0.3, 1.0, 1}), none),
              of_discs(0.8,
                       [](double z) {
                         const double beyond = std::max(0.0, std::abs(z) - 0.5);
                         const double r = std::sqrt(0.09 - beyond * beyond);
                         return Vec3(r, r, 0);
                       }),
              1e-6);
}

TEST(Mass, ABoxIsTheSumOfItsHalves) {
  Warnings none;
  const MassOf whole = mass_of_volume(shape(ShapeKind::box, {2, 0.6, 0.4}), none);
  EXPECT_NEAR(whole.mass, 0.48, 1e-15);
  const MassOf half = mass_of_volume(shape(ShapeKind::box, {1, 0.6, 0.4}), none);
  const MassOf both = sum(moved({Mat3::Identity(), Vec3(-0.5, 0, 0)}, half),
                          moved({Mat3::Identity(), Vec3(0.5, 0, 0)}, half));
  expect_near(both, whole, 1e-14);
}

TEST(Mass, PartsTogetherAreWhatThereWas) {
  MassOf mass{3, Vec3(1, 2, 3), Vec3(2, 3, 4).asDiagonal()};
  const MassOf before = mass, part = take_part(0.01, mass);
  EXPECT_NEAR(part.mass, 0.03, 1e-15);
  expect_near(sum(part, mass), before, 1e-14);
}

TEST(Mass, TurningABodyTurnsItsInertia) {
  const MassOf mass{1, Vec3(1, 0, 0), Vec3(1, 2, 3).asDiagonal()};
  const MassOf turned = moved({turn(Vec3::UnitZ(), pi / 2), Vec3(0, 0, 5)}, mass);
  EXPECT_LT((turned.centre - Vec3(0, 1, 5)).norm(), 1e-14);
  EXPECT_LT((turned.inertia - Mat3(Vec3(2, 1, 3).asDiagonal())).norm(), 1e-14);
}

TEST(Mass, InertiasThatNoBodyHasAreToldApart) {
  EXPECT_TRUE(is_possible_inertia(Vec3(1, 1, 1).asDiagonal()));
  EXPECT_FALSE(is_possible_inertia(Vec3(1, 1, 3).asDiagonal()));
  EXPECT_FALSE(is_possible_inertia(Mat3::Zero()));
  EXPECT_FALSE(is_possible_inertia(Vec3(-1, 1, 1).asDiagonal()));
}

}  // namespace
}  // namespace pliant::robots
