#include <pliant/render/drawn_surface.hpp>

#include <pliant/mesh/generators.hpp>

#include <gtest/gtest.h>

#include <bit>

namespace pliant {
namespace {

DrawnSurface drawn(const Mesh& mesh) {
  const Index first[] = {0};
  return make_drawn_surface(mesh, make_surface(mesh), first);
}

TEST(CornerNormals, OfABoxAreThoseOfItsFaces) {
  BoxSpec spec;
  spec.cells = {3, 2, 2};
  const Mesh mesh = make_box(spec);
  const std::vector<Eigen::Vector3f> normals = corner_normals(drawn(mesh), mesh.points);
  for (const Eigen::Vector3f& n : normals) EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-6f);
}

TEST(CornerNormals, OfABallPointAwayFromItsCentre) {
  const Mesh mesh = make_sphere({1, 0.15, ElementType::tet4});
  const DrawnSurface surface = drawn(mesh);
  const std::vector<Eigen::Vector3f> normals = corner_normals(surface, mesh.points);
  for (std::size_t c = 0; c < normals.size(); ++c) {
    const Vec3& x = mesh.points[static_cast<std::size_t>(surface.triangles[c / 3][c % 3])];
    // An edge of 0.15 spans 8.6°; the mean over the faces around a point lies well within.
    EXPECT_GT(normals[c].cast<double>().dot(x.normalized()), std::cos(5 * M_PI / 180));
  }
}

TEST(Wires, AreEdgesOfElementsAndNoDiagonals) {
  BoxSpec spec;
  spec.cells = {2, 2, 2};
  spec.element = ElementType::hex8;
  for (const std::uint8_t bits : drawn(make_box(spec)).wires) EXPECT_EQ(std::popcount(bits), 2);
  spec.element = ElementType::tet4;
  for (const std::uint8_t bits : drawn(make_box(spec)).wires) EXPECT_EQ(std::popcount(bits), 3);
  spec.element = ElementType::tet10;  // of four triangles three lie at a corner, one inside
  int edges = 0;
  const DrawnSurface quadratic = drawn(make_box(spec));
  for (const std::uint8_t bits : quadratic.wires) edges += std::popcount(bits);
  EXPECT_EQ(4 * edges, 6 * static_cast<int>(quadratic.wires.size()));
}

TEST(DrawnSurface, KnowsWhoseTrianglesTheyAre) {
  Mesh mesh = make_box({});
  const Index count = mesh.point_count();
  const Mesh other = make_box({});
  mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
  for (const Index n : other.blocks[0].nodes) mesh.blocks[0].nodes.push_back(n + count);
  mesh.blocks[0].region.resize(2 * mesh.blocks[0].region.size());
  const Index first[] = {0, count};
  const DrawnSurface surface = make_drawn_surface(mesh, make_surface(mesh), first);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    EXPECT_EQ(surface.body[t], surface.triangles[t][0] < count ? 0 : 1);
}

}  // namespace
}  // namespace pliant
