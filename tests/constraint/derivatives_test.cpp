// J and ∇²φ of every constraint against central differences, on random states.
#include <pliant/constraint/angle_rows.hpp>
#include <pliant/constraint/distance.hpp>
#include <pliant/constraint/linear_rows.hpp>

#include "constraint/row_values.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace pliant {
namespace {

using test::along, test::force, test::values;

constexpr Index kNodes = 8;

class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : random_(seed) {}
  double number() { return uniform_(random_); }
  Vec3 vector() { return {number(), number(), number()}; }
  Vector all() {
    Vector x(3 * kNodes);
    for (double& value : x) value = number();
    return x;
  }
  MappedPoint point(Index first, int count) {
    MappedPoint p;
    p.count = count;
    for (int i = 0; i < count; ++i) {
      p.nodes[static_cast<std::size_t>(i)] = first + i;
      p.weights[static_cast<std::size_t>(i)] = count == 1 ? 1 : number();
    }
    return p;
  }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// Nodes against each other, places in elements against each other, and against the world.
ConstraintSet some_of_each(RandomPoints& random) {
  std::vector<DistanceRow> distances;
  std::vector<LinearRow> linear;
  int k = 0;
  for (const auto& [a, b] : {std::pair(1, 1), std::pair(4, 3), std::pair(1, 0), std::pair(4, 0)}) {
    DistanceRow row{.name = "rod " + std::to_string(k++),
                    .a = random.point(0, a),
                    .b = random.point(4, b),
                    .rest = 0.3,
                    .compliance = 1e-3 * k};
    if (b == 0) row.world = random.vector();
    distances.push_back(row);
    linear.push_back({.name = "guide",
                      .a = row.a,
                      .b = row.b,
                      .offset = random.vector(),
                      .along = random.vector().normalized()});
  }
  std::vector<DotRow> dots;
  for (const auto& [a, b, shared] : {std::tuple(4, 4, 0), std::tuple(4, 4, 2), std::tuple(2, 0, 0)})
    dots.push_back(
        {.name = "product",
         .u = LinearForm(random.point(0, a)) - LinearForm(random.vector()),
         .w = b > 0 ? LinearForm(random.point(4 - shared, b)) : LinearForm(random.vector()),
         .rest = random.number()});
  ConstraintSet set;
  set.add(std::make_unique<DistanceConstraints>(distances));
  set.add(std::make_unique<LinearConstraints>(linear));
  set.add(std::make_unique<DotConstraints>(dots));
  std::vector<AngleRow> angles;
  for (const double sign : {1.0, -1.0})
    angles.push_back({.name = "angle",
                      .u = LinearForm(random.point(0, 4)) - LinearForm(random.vector()),
                      .c = LinearForm(random.point(3, 4)) - LinearForm(random.vector()),
                      .s = LinearForm(random.vector()),
                      .sign = sign,
                      .centre = 0.3,
                      .offset = 0.1});
  set.add(std::make_unique<AngleConstraints>(angles));
  return set;
}

TEST(Constraints, JacobianIsTheSlopeOfTheValue) {
  RandomPoints random(11);
  const ConstraintSet set = some_of_each(random);
  for (int k = 0; k < 20; ++k) {
    const Vector q = random.all(), u = random.all();
    const double h = 1e-6;
    // Angles jump where they have gone round.
    Vector change = values(set, q + h * u) - values(set, q - h * u);
    for (double& x : change) x = std::abs(x) > 1 ? std::remainder(x, 2 * std::numbers::pi) : x;
    const Vector slope = change / (2 * h);
    EXPECT_LT((slope - along(set, q, u)).norm(), 1e-7 * (1 + slope.norm()));
  }
}

TEST(Constraints, GeometricStiffnessIsTheSlopeOfTheForce) {
  RandomPoints random(12);
  const ConstraintSet set = some_of_each(random);
  for (int k = 0; k < 20; ++k) {
    const Vector q = random.all(), u = random.all();
    Vector lambda(set.rows());
    for (double& x : lambda) x = random.number();
    const double h = 1e-6;
    const Vector slope = (force(set, q + h * u, lambda) - force(set, q - h * u, lambda)) / (2 * h);
    std::vector<NodeBlock> blocks;
    set.geometric_stiffness(view(q), lambda, 1, GeometricStiffness::exact, blocks);
    Vector Ku = Vector::Zero(q.size());
    for (const NodeBlock& b : blocks)
      node(view(Ku), b.row) += b.block * Vec3(node(view(u), b.column));
    EXPECT_LT((slope + Ku).norm(), 1e-6 * (1 + slope.norm()));
    // The positive part never makes a matrix less definite.
    set.geometric_stiffness(view(q), lambda, 1, GeometricStiffness::positive, blocks);
    double form = 0;
    for (const NodeBlock& b : blocks)
      form += Vec3(node(view(u), b.row)).dot(b.block * Vec3(node(view(u), b.column)));
    EXPECT_GE(form, -1e-14);
  }
}

TEST(Constraints, CurvatureIsTheSecondDerivativeAlongTheVelocity) {
  RandomPoints random(13);
  const ConstraintSet set = some_of_each(random);
  for (int k = 0; k < 20; ++k) {
    const Vector q = random.all(), v = random.all();
    const double h = 1e-6;
    const Vector slope = (along(set, q + h * v, v) - along(set, q - h * v, v)) / (2 * h);
    Vector curvature;
    set.curvature(0, view(q), view(v), curvature);
    EXPECT_LT((slope - curvature).norm(), 1e-6 * (1 + slope.norm()));
  }
}

// Nothing but nodes: no work is done on a motion of all of them together.
TEST(Constraints, ForcesDoNoWorkOnRigidMotions) {
  RandomPoints random(14);
  std::vector<DistanceRow> rods;
  for (Index n = 0; n + 1 < kNodes; ++n)
    rods.push_back({.name = "rod", .a = MappedPoint::of_node(n), .b = MappedPoint::of_node(n + 1)});
  ConstraintSet set;
  set.add(std::make_unique<DistanceConstraints>(rods));
  const Vector q = random.all();
  Vector lambda(set.rows());
  for (double& x : lambda) x = random.number();
  const Vector f = force(set, q, lambda);
  const Vec3 t = random.vector(), w = random.vector();
  double work = 0;
  for (Index n = 0; n < kNodes; ++n)
    work += Vec3(node(view(f), n)).dot(t + w.cross(Vec3(node(view(q), n))));
  EXPECT_NEAR(work, 0, 1e-14 * f.norm());
}

TEST(Constraints, PointsInOnePlaceHaveFiniteDerivatives) {
  ConstraintSet set;
  set.add(std::make_unique<DistanceConstraints>(std::vector<DistanceRow>{
      {.name = "rod", .a = MappedPoint::of_node(0), .b = MappedPoint::of_node(1), .rest = 1}}));
  const Vector q = Vector::Zero(3 * kNodes), lambda = Vector::Ones(1);
  std::vector<NodeBlock> blocks;
  set.geometric_stiffness(view(q), lambda, 1, GeometricStiffness::exact, blocks);
  for (const NodeBlock& b : blocks) EXPECT_TRUE(b.block.allFinite());
  EXPECT_TRUE(force(set, q, lambda).allFinite());
  EXPECT_DOUBLE_EQ(values(set, q)[0], -1);
}

}  // namespace
}  // namespace pliant
