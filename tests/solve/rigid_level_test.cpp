// The coarse level itself, against dense matrices.
#include <pliant/solve/rigid_level.hpp>

#include "solve/stiff_beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::StiffBeam;

// Column by column what the level adds to a node for a unit vector of parts: P, but for the pivots
// of factors.
Eigen::MatrixXd motions(const RigidLevel& level, const StiffBeam& beam) {
  const auto nodes = static_cast<Index>(beam.q.size() / 3);
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(beam.q.size(), 6 * level.parts());
  for (Index i = 0; i < nodes; ++i) {
    const Index a = level.part_of(i);
    if (a < 0) continue;
    const Vec3 o = level.arm_of(i);
    P.block<3, 3>(3 * i, 6 * a).setIdentity();
    P.block<3, 3>(3 * i, 6 * a + 3) << 0, o.z(), -o.y(), -o.z(), 0, o.x(), o.y(), -o.x(), 0;
  }
  return P;
}

TEST(RigidLevel, MultipliesMatrixAndMotionsAsDenseOnesDo) {
  const StiffBeam beam = test::make_stiff_beam(1e7, {16, 3, 3});
  RigidLevel level;
  level.analyze(beam.A.pattern(), 40);
  ASSERT_GT(level.parts(), 4);
  ASSERT_TRUE(level.prepare(beam.A, view(beam.q)));
  const Eigen::MatrixXd P = motions(level, beam);
  const Eigen::MatrixXd exact = P.transpose() * test::dense(beam.A) * P;
  const Eigen::MatrixXd coarse = test::dense(level.coarse());
  EXPECT_LT((coarse - exact).norm(), 1e-8 * exact.norm());
  EXPECT_GT(exact.norm(), 1);
}

TEST(RigidLevel, SolvesForTheMotionsThatBalanceAForce) {
  const StiffBeam beam = test::make_stiff_beam(1e7, {16, 3, 3});
  RigidLevel level;
  level.analyze(beam.A.pattern(), 40);
  ASSERT_TRUE(level.prepare(beam.A, view(beam.q)));
  const Eigen::MatrixXd P = motions(level, beam);
  const Eigen::MatrixXd exact = P.transpose() * test::dense(beam.A) * P;
  const Vector r = test::random_vector(beam.q.size(), 1, 7);
  const Vector y = exact.ldlt().solve(P.transpose() * r), z = P * y;
  EXPECT_NEAR(level.correct(view(r)), r.dot(z), 1e-6 * r.dot(z));
  Vector added = Vector::Zero(r.size());
  for (Eigen::Index i = 0; i < r.size() / 3; ++i) {
    Vec3Of<double> at = {0, 0, 0};
    level.add(static_cast<std::size_t>(i), at);
    added.segment<3>(3 * i) = Vec3(at.x, at.y, at.z);
  }
  EXPECT_LT((added - z).norm(), 1e-6 * z.norm());
}

// Without pins a shift and a turn of all nodes cost inertia alone: the motions know them exactly.
TEST(RigidLevel, HasTheRigidMotionsOfTheWholeBody) {
  StiffBeam beam = test::make_stiff_beam(1e7, {16, 3, 3});
  RigidLevel level;
  level.analyze(beam.A.pattern(), 40);
  ASSERT_TRUE(level.prepare(beam.A, view(beam.q)));
  const Eigen::MatrixXd P = motions(level, beam);
  for (int mode = 0; mode < 6; ++mode) {
    Vector u = Vector::Zero(beam.q.size());
    for (Index i = 0; i < static_cast<Index>(u.size() / 3); ++i) {
      if (level.part_of(i) < 0) continue;
      const Vec3 at = node(view(std::as_const(beam.q)), i);
      node(view(u), i) = mode < 3 ? Vec3(Vec3::Unit(mode)) : Vec3(Vec3::Unit(mode - 3).cross(at));
    }
    const Vector y = P.colPivHouseholderQr().solve(u);
    EXPECT_LT((P * y - u).norm(), 1e-6 * u.norm()) << mode;
  }
}

TEST(RigidLevel, LeavesPinnedNodesAlone) {
  const StiffBeam beam = test::make_stiff_beam(1e7, {16, 3, 3});
  RigidLevel level;
  level.analyze(beam.A.pattern(), 40);
  ASSERT_TRUE(level.prepare(beam.A, view(beam.q)));
  int others = 0;  // what parts leave over at their corners
  for (Index i = 0; i < beam.A.pattern().rows; ++i) {
    const bool pinned = std::abs(std::abs(beam.q[3 * i]) - 4) < 1e-9;
    if (pinned) {
      EXPECT_EQ(level.part_of(i), -1) << i;
    }
    others += !pinned && level.part_of(i) < 0;
  }
  EXPECT_LT(others, beam.A.pattern().rows / 20);
}

}  // namespace
}  // namespace pliant
