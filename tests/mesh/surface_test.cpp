#include "mesh_fixtures.hpp"

#include <pliant/mesh/body_surfaces.hpp>
#include <pliant/mesh/surface_check.hpp>

namespace pliant {
namespace {

using test::message_of;

TEST(Surface, EnclosesTheVolumeOfTheElementsFacingOutwards) {
  for (const ElementType type : test::solid_types()) {
    const Mesh mesh = make_box({Vec3(2, 3, 0.5), {3, 4, 2}, type, 5});
    const Surface surface = make_surface(mesh);
    EXPECT_NEAR(enclosed_volume(mesh.points, surface.triangles), 3, 1e-13);
    EXPECT_NEAR(surface_area(mesh.points, surface.triangles), 2 * (6 + 1.5 + 1), 1e-13);
  }
}

// As results hold a solid and a sheet: both are seen.
TEST(Surface, OfSeveralBodiesHasSolidsAndSheets) {
  Mesh mesh = make_box({Vec3(1, 1, 1), {2, 2, 2}, ElementType::tet4, 5});
  const Mesh sheet = make_sheet({{3, 2}, {2, 2}});
  const std::size_t before = make_surface(mesh).triangles.size();
  const Index first = mesh.point_count(), elements = mesh.blocks[0].size();
  mesh.points.insert(mesh.points.end(), sheet.points.begin(), sheet.points.end());
  mesh.blocks.push_back(sheet.blocks[0]);
  for (Index& n : mesh.blocks.back().nodes) n += first;
  EXPECT_EQ(make_surface(mesh).triangles.size(), before);
  std::vector<Index> body(static_cast<std::size_t>(elements), 0);
  body.resize(body.size() + 8, 1);
  const Surface all = make_body_surfaces(mesh, body);
  EXPECT_EQ(all.triangles.size(), before + 8);
  EXPECT_EQ(all.element.back(), elements + 7);
  EXPECT_NEAR(surface_area(mesh.points, all.triangles), 6 + 6, 1e-12);
  // The same triangles as the skin of the solid are all that is seen of it.
  body.assign(body.size(), 0);
  EXPECT_NEAR(surface_area(mesh.points, make_body_surfaces(mesh, body).triangles), 6, 1e-12);
}

TEST(Surface, FacesAwayFromTheElementBehindIt) {
  for (const ElementType type : test::solid_types()) {
    const Mesh mesh = make_torus({2, 0.7, 0.4, type});
    const Surface surface = make_surface(mesh);
    ASSERT_EQ(surface.triangles.size(), surface.element.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      const auto at = [&](Index n) { return mesh.points[static_cast<std::size_t>(n)]; };
      const auto& [a, b, c] = surface.triangles[t];
      Vec3 centre = Vec3::Zero();
      const auto nodes = mesh.blocks[0].element(surface.element[t]);
      for (const Index n : nodes) centre += at(n) / static_cast<double>(nodes.size());
      EXPECT_GT((at(b) - at(a)).cross(at(c) - at(a)).dot(at(a) - centre), 0);
    }
  }
}

TEST(Surface, HasEulerCharacteristicOfItsShape) {
  const auto characteristic = [](const Mesh& mesh) {
    const Surface s = make_surface(mesh);
    std::set<Index> points;
    for (const auto& t : s.triangles) points.insert(t.begin(), t.end());
    return static_cast<int>(points.size()) - static_cast<int>(s.edges.size()) +
           static_cast<int>(s.triangles.size());
  };
  for (const ElementType type : test::solid_types()) {
    EXPECT_EQ(characteristic(make_capsule({1, 1, 0.5, type})), 2);
    EXPECT_EQ(characteristic(make_torus({1, 0.3, 0.3, type})), 0);
  }
}

TEST(Surface, CutsQuadrilateralsAtTheirSmallestNode) {
  Mesh mesh;
  mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  mesh.blocks = {{ElementType::quad4, {2, 3, 0, 1}, {0}}};
  const Surface surface = make_surface(mesh);
  EXPECT_EQ(surface.triangles, (std::vector<std::array<Index, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(surface.edges.size(), 5u);
}

TEST(Surface, MatchesTheFacesFoundOneByOne) {
  const Mesh mesh = make_sphere({1, 0.3});
  const auto sharing = test::face_sharing(mesh);
  EXPECT_EQ(static_cast<int>(make_surface(mesh).triangles.size()), sharing.at(1));
}

TEST(Surface, OfACableIsItsSegments) {
  const Surface surface = make_surface(make_cable({Vec3::Zero(), Vec3::UnitX(), 3}));
  EXPECT_TRUE(surface.triangles.empty());
  EXPECT_EQ(surface.edges, (std::vector<std::array<Index, 2>>{{0, 1}, {1, 2}, {2, 3}}));
}

// One tetrahedron's skin, and ways to spoil it.
struct Skin {
  std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  std::vector<std::array<Index, 3>> triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

  SurfaceReport check() const { return check_surface(points, triangles); }
  std::string message() const {
    return message_of<InputError>([&] { require_closed(check(), "skin.off"); });
  }
};

TEST(SurfaceCheck, AcceptsATetrahedron) {
  EXPECT_TRUE(Skin().check().closed_manifold());
  EXPECT_NO_THROW(require_closed(Skin().check(), "skin.off"));
}

TEST(SurfaceCheck, NamesOpenEdges) {
  Skin skin;
  skin.triangles.pop_back();
  EXPECT_EQ(skin.check().open_edges.size(), 3u);
  EXPECT_EQ(
      skin.message(),
      "skin.off: the surface is open, it has edges with only one triangle (3 in all: 0-2, 0-3, "
      "2-3; points are counted from 0)");
}

TEST(SurfaceCheck, NamesEdgesWithManyTriangles) {
  Skin skin;  // a second tetrahedron on the same edge 0–1
  skin.points.insert(skin.points.end(), {Vec3(0, -1, 0), Vec3(0, 0, -1)});
  skin.triangles.insert(skin.triangles.end(), {{0, 4, 1}, {0, 1, 5}, {1, 4, 5}, {0, 5, 4}});
  EXPECT_EQ(skin.check().crowded_edges, (std::vector<SurfaceReport::Edge>{{0, 1}}));
  EXPECT_NE(skin.message().find("more than two triangles (1 in all: 0-1"), std::string::npos);
}

TEST(SurfaceCheck, NamesEdgesWhereNeighboursDisagree) {
  Skin skin;
  std::swap(skin.triangles[0][1], skin.triangles[0][2]);
  EXPECT_EQ(skin.check().disoriented_edges.size(), 3u);
  EXPECT_NE(skin.message().find("not consistently oriented"), std::string::npos);
}

TEST(SurfaceCheck, NamesPointsWherePartsTouch) {
  Skin skin;
  skin.points.insert(skin.points.end(), {Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)});
  skin.triangles.insert(skin.triangles.end(), {{0, 4, 5}, {0, 6, 4}, {4, 6, 5}, {0, 5, 6}});
  EXPECT_EQ(skin.check().touching_points, (std::vector<Index>{0}));
  EXPECT_NE(skin.message().find("touches itself in points (1 in all: 0;"), std::string::npos);
}

TEST(SurfaceCheck, NamesFlatTriangles) {
  Skin skin;
  skin.points[3] = Vec3(0.5, 0, 0);
  EXPECT_EQ(skin.check().flat_triangles, (std::vector<Index>{1}));
  EXPECT_NE(skin.message().find("without area"), std::string::npos);
}

}  // namespace
}  // namespace pliant
