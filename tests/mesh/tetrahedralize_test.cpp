#include "mesh_fixtures.hpp"

#include <pliant/mesh/sdf.hpp>
#include <pliant/mesh/sharp_edges.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/surface_check.hpp>
#include <pliant/mesh/tetrahedralize.hpp>

namespace pliant {
namespace {

using test::message_of;
using test::skin_of;

Sdf sdf_leaf(SdfShape shape, Vec3 at = Vec3::Zero()) { return {shape, {}, at, Mat3::Identity()}; }

Mesh turned(Mesh surface) {
  for (std::size_t i = 0; i < surface.blocks[0].nodes.size(); i += 3)
    std::swap(surface.blocks[0].nodes[i], surface.blocks[0].nodes[i + 1]);
  return surface;
}

void expect_sound(const Mesh& mesh) {
  const auto sharing = test::face_sharing(mesh);
  EXPECT_EQ(sharing.size(), 2u);
  EXPECT_TRUE(check_surface(mesh.points, make_surface(mesh).triangles).closed_manifold());
  EXPECT_GT(statistics_of(mesh).dihedral->min, 5);
}

TEST(SizeEstimate, IsItsOwnInverse) {
  EXPECT_NEAR(estimate_tet_count(3, size_for_tet_count(3, 5000)), 5000, 1e-9);
  EXPECT_NEAR(size_for_tet_count(8, 100) / size_for_tet_count(1, 100), 2, 1e-12);
}

TEST(SharpEdges, OfABoxAreItsTwelveEdgesEndingAtCorners) {
  const Mesh box = make_box({Vec3::Ones(), {3, 3, 3}, ElementType::tet4, 5});
  const auto triangles = make_surface(box).triangles;
  const auto lines = mesher::sharp_polylines({box.points, triangles}, {60, 0});
  ASSERT_EQ(lines.size(), 12u);
  for (const auto& line : lines) {
    EXPECT_EQ(line.size(), 4u);
    EXPECT_NEAR((line.front() - line.back()).norm(), 1, 1e-15);
  }
  EXPECT_TRUE(mesher::sharp_polylines({box.points, triangles}, {60, 12.5}).empty());
}

TEST(SharpEdges, OfACylinderAreTwoRings) {
  const Mesh cylinder = make_cylinder({1, 2, 0.3});
  const auto triangles = make_surface(cylinder).triangles;
  const auto lines = mesher::sharp_polylines({cylinder.points, triangles}, {60, 0});
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& line : lines) EXPECT_EQ(line.front(), line.back());
}

TEST(FillSurface, RefusesBadInputInWords) {
  const auto refused = [](const Mesh& surface, double size) {
    return message_of<InputError>([&] { fill_surface(surface, size, "a.off"); });
  };
  const Mesh box = skin_of(make_box({Vec3::Ones(), {1, 1, 1}}));
  EXPECT_EQ(refused(box, 0), "a.off: size must be above 0, got 0");
  EXPECT_EQ(
      refused(box, 1e-4),
      "a.off: size 0.0001 would give about 1.1e+13 tetrahedra, the limit is 5e+06; size 0.0604 "
      "gives 50000");
  Mesh open = box;
  open.blocks[0].nodes.resize(open.blocks[0].nodes.size() - 3);
  EXPECT_NE(refused(open, 0.5).find("a.off: the surface is open"), std::string::npos);
  EXPECT_EQ(refused(make_box({}), 0.5), "a.off: must be a surface of triangles or quadrilaterals");
}

TEST(FillSdf, RefusesBadInputInWords) {
  const auto refused = [](const Sdf& body, double size) {
    return message_of<InputError>([&] { fill_sdf(body, size, "body"); });
  };
  EXPECT_EQ(refused(sdf_leaf(SdfPlane{}), 1), "body: the body has no end; intersect it with a box");
  EXPECT_EQ(refused(sdf_leaf(SdfSphere{1}), -1), "body: size must be above 0, got -1");
  Sdf nothing{SdfIntersection{},
              {sdf_leaf(SdfSphere{1}), sdf_leaf(SdfSphere{1}, Vec3(5, 0, 0))},
              Vec3::Zero(),
              Mat3::Identity()};
  EXPECT_EQ(refused(nothing, 0.5), "body: the body is empty");
}

// The rest needs the mesher; a build without it must say so instead.
class Mesher : public ::testing::Test {
 protected:
  // True where the mesher is there; else checks the message.
  static bool available() {
    if (mesher_available()) return true;
    EXPECT_NE(message_of<InputError>([] {
                fill_surface(skin_of(make_box({})), 0.5, "a.off");
              }).find("configure it with -DPLIANT_CGAL=ON"),
              std::string::npos);
    return false;
  }
};

TEST_F(Mesher, FillsASphereWithSoundTetrahedra) {
  if (!available()) return;
  const Mesh skin = skin_of(make_sphere({1, 0.15}));
  const double volume = enclosed_volume(skin.points, make_surface(skin).triangles);
  const Mesh mesh = fill_surface(skin, 0.3, "sphere.off");
  expect_sound(mesh);
  const MeshStatistics s = statistics_of(mesh);
  // Facets may stand off the surface by a tenth of the size: 3 × 0.03 of the volume.
  EXPECT_NEAR(s.measure / volume, 1, 0.09);
  EXPECT_NEAR(s.edge_mean / 0.3, 1, 0.25);
  EXPECT_NEAR(s.elements / estimate_tet_count(volume, 0.3), 1, 0.5);
}

TEST_F(Mesher, KeepsTheEdgesOfABoxExactly) {
  if (!available()) return;
  const Mesh mesh = fill_surface(skin_of(make_box({Vec3(2, 1, 1), {2, 1, 1}})), 0.4, "box.off");
  expect_sound(mesh);
  const MeshStatistics s = statistics_of(mesh);
  EXPECT_NEAR(s.measure, 2, 1e-9);
  EXPECT_NEAR(s.surface_area, 10, 1e-9);
}

TEST_F(Mesher, GivesTheSameMeshTwice) {
  if (!available()) return;
  const Mesh skin = skin_of(make_torus({1, 0.4, 0.2}));
  const Mesh a = fill_surface(skin, 0.3, "torus.off"), b = fill_surface(skin, 0.3, "torus.off");
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.blocks[0].nodes, b.blocks[0].nodes);
}

TEST_F(Mesher, TurnsASurfaceThatFacesInwards) {
  if (!available()) return;
  test::Listener listener;
  const Mesh mesh = fill_surface(turned(skin_of(make_box({}))), 0.5, "box.off", listener.log);
  EXPECT_NEAR(statistics_of(mesh).measure, 1, 1e-9);
  ASSERT_FALSE(listener.entries.empty());
  EXPECT_EQ(listener.entries[0].text, "box.off: the surface faced inwards and was turned");
}

TEST_F(Mesher, FillsEveryPartOfASurface) {
  if (!available()) return;
  Mesh skin = skin_of(make_sphere({1, 0.3}));
  const Mesh small = skin_of(make_sphere({0.4, 0.15}));
  const Index first = skin.point_count();
  for (const Vec3& x : small.points) skin.points.push_back(x + Vec3(3, 2, 1));
  for (const Index n : small.blocks[0].nodes) skin.blocks[0].nodes.push_back(first + n);
  const double volume = enclosed_volume(skin.points, make_surface(skin).triangles);
  const Mesh mesh = fill_surface(skin, 0.3, "two.off");
  EXPECT_NEAR(statistics_of(mesh).measure / volume, 1, 0.09);
  EXPECT_GT(statistics_of(mesh).max.x(), 3.2);
}

TEST_F(Mesher, LeavesCavitiesEmpty) {
  if (!available()) return;
  Mesh skin = skin_of(make_box({Vec3(2, 2, 2), {1, 1, 1}}));
  const Mesh hole = turned(skin_of(make_box({})));
  const Index first = skin.point_count();
  skin.points.insert(skin.points.end(), hole.points.begin(), hole.points.end());
  for (const Index n : hole.blocks[0].nodes) skin.blocks[0].nodes.push_back(first + n);
  const Mesh mesh = fill_surface(skin, 0.5, "hollow.off");
  EXPECT_NEAR(statistics_of(mesh).measure, 7, 1e-9);
}

TEST_F(Mesher, NamesTrianglesThatCross) {
  if (!available()) return;
  Mesh skin = skin_of(make_box({}));
  const Mesh other = skin;
  for (const Vec3& x : other.points) skin.points.push_back(x + Vec3(0.3, 0.4, 0.45));
  for (const Index n : other.blocks[0].nodes)
    skin.blocks[0].nodes.push_back(other.point_count() + n);
  EXPECT_NE(message_of<InputError>([&] {
              fill_surface(skin, 0.5, "a.off");
            }).find("a.off: the surface intersects itself in"),
            std::string::npos);
}

TEST_F(Mesher, FillsASignedDistanceBody) {
  if (!available()) return;
  // A ball with a bite taken out of it, and a second ball far away. Two unit balls at distance 1
  // share π(4 + 1)(2 − 1)²/12 = 5π/12.
  constexpr double pi = std::numbers::pi;
  const Sdf bitten{SdfDifference{},
                   {sdf_leaf(SdfSphere{1}), sdf_leaf(SdfSphere{1}, Vec3(1, 0, 0))},
                   Vec3::Zero(),
                   Mat3::Identity()};
  const Sdf body{SdfUnion{},
                 {bitten, sdf_leaf(SdfSphere{0.5}, Vec3(-3, 0, 0))},
                 Vec3::Zero(),
                 Mat3::Identity()};
  const Mesh mesh = fill_sdf(body, 0.25, "body");
  expect_sound(mesh);
  const double exact = 4 * pi / 3 - 5 * pi / 12 + pi / 6;
  EXPECT_NEAR(statistics_of(mesh).measure / exact, 1, 0.06);
  EXPECT_LT(statistics_of(mesh).min.x(), -3.4);
}

}  // namespace
}  // namespace pliant
