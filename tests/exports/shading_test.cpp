// Normals and the doubling of vertices along sharp edges.
#include <pliant/exports/shading.hpp>

#include <gtest/gtest.h>

namespace pliant::exports {
namespace {

BodySurface surface_of(const Mesh& mesh) {
  BodySurface surface;
  surface.triangles = make_surface(mesh).triangles;
  surface.points.resize(mesh.points.size());
  for (std::size_t n = 0; n < mesh.points.size(); ++n) surface.points[n] = static_cast<Index>(n);
  return surface;
}

// One cube of eight points.
Mesh cube() {
  Mesh mesh;
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}})
      mesh.points.emplace_back(x, y, z);
  mesh.blocks = {{ElementType::hex8, {0, 1, 2, 3, 4, 5, 6, 7}, {0}}};
  return mesh;
}

TEST(Shading, GivesACubeThreeNormalsAtEachCorner) {
  const Mesh mesh = cube();
  const ShadedSurface shaded = make_shaded(surface_of(mesh), mesh.points);
  EXPECT_EQ(shaded.points.size(), 24u);
  EXPECT_EQ(shaded.triangles.size(), 12u);
  const std::vector<Vec3> normals = shaded.normals(mesh.points);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    // Along an axis, and away from the middle.
    EXPECT_NEAR(normals[v].lpNorm<Eigen::Infinity>(), 1, 1e-15);
    const Vec3 from_middle =
        mesh.points[static_cast<std::size_t>(shaded.points[v])] - Vec3(.5, .5, .5);
    EXPECT_NEAR(normals[v].dot(from_middle), 0.5, 1e-15);
  }
}

TEST(Shading, KeepsTrianglesInPlace) {
  const Mesh mesh = cube();
  const BodySurface surface = surface_of(mesh);
  const ShadedSurface shaded = make_shaded(surface, mesh.points);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(shaded.points[static_cast<std::size_t>(shaded.triangles[t][i])],
                surface.triangles[t][i]);
}

// Two triangles that meet at an angle share their edge's vertices where it is below 40 degrees.
TEST(Shading, RoundsFlatEdgesAndKeepsSharpOnes) {
  for (const auto& [degrees, vertices] : {std::pair{30.0, 4u}, {50.0, 6u}}) {
    const double a = degrees * 3.14159265358979 / 180;
    const std::vector<Vec3> points = {
        {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-std::cos(a), std::sin(a), 0}};
    BodySurface surface;
    surface.points = {0, 1, 2, 3};
    surface.triangles = {{0, 1, 2}, {1, 0, 3}};
    EXPECT_EQ(make_shaded(surface, points).points.size(), vertices) << degrees;
  }
}

TEST(Shading, HasUnitNormalsEvenWhereTrianglesHaveNoArea) {
  BodySurface surface;
  surface.points = {0, 1, 2};
  surface.triangles = {{0, 1, 2}};
  const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  for (const Vec3& normal : make_shaded(surface, flat).normals(flat))
    EXPECT_NEAR(normal.norm(), 1, 1e-15);
}

}  // namespace
}  // namespace pliant::exports
