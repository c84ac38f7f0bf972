#include <pliant/core/error.hpp>
#include <pliant/mesh/polygonize.hpp>
#include <pliant/mesh/surface.hpp>

#include <gtest/gtest.h>

#include <map>
#include <numbers>

namespace pliant {
namespace {

const Eigen::AlignedBox3d kBounds(Vec3(-1, -1, -1), Vec3(1, 1, 1));

// Every edge once in each direction: closed, and facing one way everywhere.
void expect_closed(const Mesh& mesh) {
  std::map<std::array<Index, 2>, int> uses;
  for (const auto& t : make_surface(mesh).triangles)
    for (std::size_t k = 0; k < 3; ++k) ++uses[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : uses) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(uses.count({edge[1], edge[0]}), 1u);
  }
}

double volume(const Mesh& mesh) {
  return enclosed_volume(mesh.points, make_surface(mesh).triangles);
}

TEST(Polygonize, OfABallConvergesToItsVolume) {
  const auto ball = [](const Vec3& x) { return x.norm() - 0.8; };
  const double exact = 4 * std::numbers::pi / 3 * 0.512;
  double before = 1;
  for (const double size : {0.2, 0.1, 0.05}) {
    const Mesh mesh = polygonize(ball, {kBounds, size}, "s");
    expect_closed(mesh);
    const double error = std::abs(volume(mesh) / exact - 1);
    EXPECT_LT(error, 0.5 * before);  // second order, but for the points that keep a distance
    before = error;
  }
  EXPECT_LT(before, 0.01);
}

TEST(Polygonize, IsClosedWhateverTheFormula) {
  const std::vector<std::function<double(const Vec3&)>> formulas = {
      [](const Vec3& x) { return x.y(); },                                // cut off at the bounds
      [](const Vec3&) { return -1.0; },                                   // all of the bounds
      [](const Vec3& x) { return x.x() * x.y() * x.z(); },                // zero on the lattice
      [](const Vec3& x) { return std::sin(9 * x.x()) + x.y() * x.z(); },  // rough
      [](const Vec3& x) { return x.x() < 0.21 ? -1.0 : 1.0; }};           // a jump
  for (const auto& phi : formulas) expect_closed(polygonize(phi, {kBounds, 0.25}, "s"));
  // Half of the bounds, but for the points that keep a distance from the lattice.
  EXPECT_NEAR(volume(polygonize(formulas[0], {kBounds, 0.1}, "s")), 4, 0.2);
}

TEST(Polygonize, RefusesWhatHasNoSurfaceOrTooMuchOfIt) {
  const auto one = [](const Vec3&) { return 1.0; };
  EXPECT_THROW(polygonize(one, {kBounds, 0.25}, "s"), InputError);
  EXPECT_THROW(polygonize([](const Vec3& x) { return std::sqrt(x.x()); }, {kBounds, 0.25}, "s"),
               InputError);
  EXPECT_THROW(polygonize(one, {kBounds, 1e-4}, "s"), InputError);
}

}  // namespace
}  // namespace pliant
