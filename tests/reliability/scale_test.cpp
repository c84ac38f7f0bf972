// A scene a million times smaller or larger, in consistent units, moves in the same way: lengths,
// speeds and accelerations × s, moduli × s², densities and times as they are. From a start without
// symmetry: where a corner is exactly over an edge, rounding decides what it meets.
#include <pliant/integrate/advance.hpp>
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <gtest/gtest.h>

namespace pliant::reliability {
namespace {

SceneSpec scaled(SceneSpec spec, double s) {
  for (Piece& piece : spec.pieces) {
    for (Vec3& x : piece.mesh.points) x *= s;
    piece.young *= s * s;
    piece.velocity *= s;
  }
  for (Wall& wall : spec.walls) {
    for (Vec3& x : wall.points) x *= s;
    wall.radius *= s;
  }
  spec.gravity *= s;
  return spec;
}

Vector end_of(const SceneSpec& spec, const std::string& integrator) {
  const World world(spec, spec.frictions.back(), 1);
  const auto stepper = make_stepper(integrator, SolverOptions());
  State state = world.start();
  for (int k = 0; k < 12; ++k)
    if (!advance(*stepper, world.system(), state, spec.steps[0], {}, Log()).ok) return {};
  return state.q / world.diagonal();
}

class Scales : public ::testing::TestWithParam<std::string> {};

TEST_P(Scales, ChangeNothing) {
  const std::vector<SceneEntry> scenes = all_scenes();
  for (const char* name : {"ball-1e5", "cube-between-cliffs", "mat-on-points"}) {
    const SceneSpec spec = find_scene(scenes, name)->make();
    const Vector usual = end_of(spec, GetParam());
    ASSERT_GT(usual.size(), 0) << name;
    for (const double s : {1e-6, 1e6}) {
      const Vector other = end_of(scaled(spec, s), GetParam());
      ASSERT_EQ(other.size(), usual.size()) << name << " × " << s;
      EXPECT_LT((other - usual).lpNorm<Eigen::Infinity>(), 1e-6) << name << " × " << s;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Reliability, Scales, ::testing::Values("be", "sdirk2"));

}  // namespace
}  // namespace pliant::reliability
