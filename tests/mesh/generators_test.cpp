#include "mesh_fixtures.hpp"

#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/surface_check.hpp>
#include <pliant/mesh/validate.hpp>

namespace pliant {
namespace {

using test::message_of;

std::vector<BoxSpec> boxes() {
  std::vector<BoxSpec> specs;
  for (const ElementType type : test::solid_types())
    for (const int split : {5, 6}) {
      if (type == ElementType::hex8 && split == 6) continue;
      specs.push_back({Vec3(3, 0.7, 1.3), {5, 2, 3}, type, split});
    }
  return specs;
}

TEST(Box, HasItsExactVolumeAreaAndCentroid) {
  for (const BoxSpec& spec : boxes()) {
    const MeshStatistics s = statistics_of(make_box(spec));
    EXPECT_NEAR(s.measure, 3 * 0.7 * 1.3, 1e-13);  // sums of about 100 rounded volumes
    EXPECT_NEAR(s.surface_area, 2 * (3 * 0.7 + 0.7 * 1.3 + 1.3 * 3), 1e-13);
    EXPECT_LT(s.centroid.norm(), 1e-14);
  }
}

TEST(Box, HasTheElementsAndPointsOfItsCells) {
  const std::array<Index, 3> cells = {5, 2, 3};
  EXPECT_EQ(make_box({Vec3::Ones(), cells, ElementType::tet4, 5}).element_count(), 150);
  EXPECT_EQ(make_box({Vec3::Ones(), cells, ElementType::tet4, 6}).element_count(), 180);
  EXPECT_EQ(make_box({Vec3::Ones(), cells, ElementType::hex8, 5}).element_count(), 30);
  EXPECT_EQ(make_box({Vec3::Ones(), cells, ElementType::tet4, 5}).point_count(), 6 * 3 * 4);
}

TEST(Box, NumbersPointsWithXFastestAtExactFractions) {
  const Mesh mesh = make_box({Vec3(8, 1, 1), {32, 4, 4}, ElementType::hex8, 5});
  for (Index k = 0; k <= 4; ++k)
    for (Index j = 0; j <= 4; ++j)
      for (Index i = 0; i <= 32; ++i) {
        const Vec3 x = mesh.points[static_cast<std::size_t>(i + 33 * (j + 5 * k))];
        EXPECT_EQ(x, Vec3(-4 + i * 0.25, -0.5 + j * 0.25, -0.5 + k * 0.25));
      }
}

TEST(Box, ReachesItsFacesExactlyWhateverTheCells) {
  const Mesh mesh = make_box({Vec3(0.7, 0.3, 1.1), {7, 3, 13}, ElementType::hex8, 5});
  EXPECT_EQ(mesh.points.front(), Vec3(-0.35, -0.15, -0.55));
  EXPECT_EQ(mesh.points.back(), Vec3(0.35, 0.15, 0.55));
}

TEST(Box, SplitIntoFiveAlternatesAndIntoSixDoesNot) {
  // The diagonal on the face between two cells is the same seen from both; across a cell it turns.
  const auto has_edge = [](const Mesh& mesh, Index a, Index b) {
    const auto edges = make_surface(mesh).edges;
    return std::binary_search(edges.begin(), edges.end(), std::array<Index, 2>{a, b});
  };
  const Mesh five = make_box({Vec3::Ones(), {2, 1, 1}, ElementType::tet4, 5});
  EXPECT_TRUE(has_edge(five, 0, 4) && has_edge(five, 2, 4));
  const Mesh six = make_box({Vec3::Ones(), {2, 1, 1}, ElementType::tet4, 6});
  EXPECT_TRUE(has_edge(six, 0, 4) && has_edge(six, 1, 5));
}

TEST(Generators, EveryInteriorFaceIsSharedByTwoAndTheBoundaryIsClosed) {
  std::vector<Mesh> meshes;
  for (const BoxSpec& spec : boxes()) meshes.push_back(make_box(spec));
  for (const auto& shape : test::round_shapes())
    for (const ElementType type : test::solid_types()) meshes.push_back(shape.make(0.5, type));
  for (const Mesh& mesh : meshes) {
    const std::map<int, int> sharing = test::face_sharing(mesh);
    EXPECT_EQ(sharing.size(), 2u);
    EXPECT_GT(sharing.at(1), 0);
    EXPECT_GT(sharing.at(2), 0);
    const Surface surface = make_surface(mesh);
    EXPECT_TRUE(check_surface(mesh.points, surface.triangles).closed_manifold());
  }
}

TEST(Generators, MeshesAreValidWithoutRepair) {
  test::Listener listener;
  const auto accept = [&](Mesh mesh) {
    EXPECT_TRUE(require_valid(mesh, "generated", listener.log).empty());
  };
  for (const BoxSpec& spec : boxes()) accept(make_box(spec));
  for (const auto& shape : test::round_shapes())
    for (const ElementType type : test::solid_types())
      for (const double size : {5.0, 0.6, 0.25}) accept(shape.make(size, type));
  accept(make_sheet({{2, 3}, {3, 4}, ElementType::tri3}));
  accept(make_sheet({{2, 3}, {3, 4}, ElementType::quad4}));
  accept(make_cable({Vec3(0, 1, 0), Vec3(2, 1, 0), 7}));
  EXPECT_TRUE(listener.entries.empty());
}

TEST(RoundShapes, KeepTheirAnglesAwayFromSlivers) {
  // Ten degrees and 0.15 are the bars; from coarser than the shape itself to well resolved.
  for (const auto& shape : test::round_shapes())
    for (const double size : {5.0, 1.0, 0.7, 0.5, 0.35, 0.25, 0.15}) {
      const auto tets = statistics_of(shape.make(size, ElementType::tet4));
      EXPECT_GT(tets.dihedral->min, 10) << shape.name << " at " << size;
      EXPECT_LT(tets.dihedral->max, 160) << shape.name << " at " << size;
      const auto hexes = statistics_of(shape.make(size, ElementType::hex8));
      EXPECT_GT(*hexes.scaled_jacobian, 0.15) << shape.name << " at " << size;
    }
}

TEST(RoundShapes, ConvergeInVolumeAndAreaAtSecondOrder) {
  for (const auto& shape : test::round_shapes())
    for (const ElementType type : test::solid_types()) {
      // A size at which all counts of cells but the torus's along its ring double exactly.
      const double size = type == ElementType::hex8 ? 0.2 : 0.2 * 1.2071;
      const auto coarse = statistics_of(shape.make(size, type));
      const auto fine = statistics_of(shape.make(size / 2, type));
      const auto error = [](double value, double exact) { return std::abs(value - exact) / exact; };
      EXPECT_NEAR(error(coarse.measure, shape.volume) / error(fine.measure, shape.volume), 4, 0.2)
          << shape.name;
      EXPECT_NEAR(error(coarse.surface_area, shape.area) / error(fine.surface_area, shape.area), 4,
                  0.4)
          << shape.name;
      EXPECT_LT(error(fine.measure, shape.volume), 0.02) << shape.name;
      EXPECT_LT(error(fine.surface_area, shape.area), 0.02) << shape.name;
    }
}

TEST(RoundShapes, MeanEdgeFollowsTheWishedSize) {
  for (const auto& shape : test::round_shapes())
    for (const ElementType type : {ElementType::tet4, ElementType::hex8})
      for (const double size : {0.4, 0.25, 0.15}) {
        const double mean = statistics_of(shape.make(size, type)).edge_mean;
        EXPECT_NEAR(mean / size, 1, 0.25) << shape.name << " at " << size;  // counts are whole
      }
}

TEST(RoundShapes, PutEveryBoundaryPointOnTheSurface) {
  const Mesh sphere = make_sphere({0.8, 0.3, ElementType::hex8});
  for (const auto& t : make_surface(sphere).triangles)
    for (const Index n : t)
      EXPECT_NEAR(sphere.points[static_cast<std::size_t>(n)].norm(), 0.8, 1e-15);
  const Mesh torus = make_torus({2, 0.5, 0.3, ElementType::tet4});
  for (const auto& t : make_surface(torus).triangles)
    for (const Index n : t) {
      const Vec3& x = torus.points[static_cast<std::size_t>(n)];
      EXPECT_NEAR(std::hypot(std::hypot(x.x(), x.z()) - 2, x.y()), 0.5, 1e-14);
    }
}

TEST(RoundShapes, AreCentredAndHaveTheirExtent) {
  for (const auto& shape : test::round_shapes()) {
    const MeshStatistics s = statistics_of(shape.make(0.3, ElementType::hex8));
    EXPECT_LT(s.centroid.norm(), 1e-12) << shape.name;
    EXPECT_LT((s.min + s.max).norm(), 1e-12) << shape.name;
  }
  const MeshStatistics capsule = statistics_of(make_capsule({0.5, 3, 0.2}));
  EXPECT_NEAR(capsule.max.y(), 2, 1e-14);
  EXPECT_NEAR(capsule.max.x(), 0.5, 1e-14);
}

TEST(Generators, GiveTheSameMeshTwice) {
  for (const auto& shape : test::round_shapes()) {
    const Mesh a = shape.make(0.4, ElementType::tet10), b = shape.make(0.4, ElementType::tet10);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.blocks[0].nodes, b.blocks[0].nodes);
  }
}

TEST(Quadratic, PutsEachNodeInTheMiddleOfItsEdgeOnce) {
  const Mesh linear = make_sphere({1, 0.5});
  const Mesh mesh = make_quadratic(linear);
  const auto edges =
      std::array<std::array<int, 2>, 6>{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  std::set<Index> middles;
  for (Index e = 0; e < mesh.blocks[0].size(); ++e) {
    const auto n = mesh.blocks[0].element(e);
    for (std::size_t k = 0; k < 6; ++k) {
      const Vec3 middle =
          (mesh.points[static_cast<std::size_t>(n[static_cast<std::size_t>(edges[k][0])])] +
           mesh.points[static_cast<std::size_t>(n[static_cast<std::size_t>(edges[k][1])])]) /
          2;
      EXPECT_EQ(mesh.points[static_cast<std::size_t>(n[4 + k])], middle);
      middles.insert(n[4 + k]);
    }
  }
  // Euler's formula for a ball: points − edges + faces − tets = 1.
  const auto sharing = test::face_sharing(linear);
  const int faces = sharing.at(1) + sharing.at(2);
  EXPECT_EQ(
      linear.point_count() - static_cast<int>(middles.size()) + faces - linear.element_count(), 1);
  EXPECT_EQ(mesh.point_count(), linear.point_count() + static_cast<Index>(middles.size()));
}

TEST(Quadratic, ExtendsNodeSetsByTheEdgesInside) {
  Mesh mesh = make_box({Vec3::Ones(), {1, 1, 1}, ElementType::tet4, 5});
  mesh.node_sets["bottom"] = {0, 1, 2, 3};
  const Mesh quadratic = make_quadratic(mesh);
  EXPECT_EQ(quadratic.node_sets.at("bottom").size(), 4u + 5u);  // four sides and one diagonal
  for (const Index n : quadratic.node_sets.at("bottom"))
    EXPECT_EQ(quadratic.points[static_cast<std::size_t>(n)].z(), -0.5);
}

TEST(Sheet, HasItsAreaAndFacesUp) {
  for (const ElementType type : {ElementType::tri3, ElementType::quad4}) {
    const Mesh mesh = make_sheet({{2, 3}, {4, 5}, type});
    EXPECT_NEAR(statistics_of(mesh).measure, 6, 1e-14);
    EXPECT_EQ(mesh.element_count(), type == ElementType::tri3 ? 40 : 20);
    for (const auto& [a, b, c] : make_surface(mesh).triangles) {
      const auto at = [&](Index n) { return mesh.points[static_cast<std::size_t>(n)]; };
      const Vec3 normal = (at(b) - at(a)).cross(at(c) - at(a));
      EXPECT_GT(normal.y(), 0);
    }
  }
}

TEST(Cable, RunsFromEndToEndInEqualSegments) {
  const Mesh mesh = make_cable({Vec3(0, 1, 0), Vec3(3, 1, 4), 10});
  EXPECT_EQ(mesh.points.front(), Vec3(0, 1, 0));
  EXPECT_EQ(mesh.points.back(), Vec3(3, 1, 4));
  const MeshStatistics s = statistics_of(mesh);
  EXPECT_NEAR(s.measure, 5, 1e-14);
  EXPECT_NEAR(s.edge_min, 0.5, 1e-14);
  EXPECT_NEAR(s.edge_max, 0.5, 1e-14);
}

TEST(Generators, RefuseWhatCannotBeMade) {
  const auto input = [](auto&& call) { return message_of<InputError>(call); };
  EXPECT_EQ(input([] { make_box({Vec3(1, 0, 1)}); }), "box/size: must be above 0, got 0");
  EXPECT_EQ(input([] {
              make_box({Vec3::Ones(), {1, 0, 1}});
            }),
            "box/cells: must be at least 1, got 0");
  EXPECT_EQ(input([] {
              make_box({Vec3::Ones(), {1, 1, 1}, ElementType::tet4, 7});
            }),
            "box/split: must be 5 or 6, got 7");
  EXPECT_EQ(input([] {
              make_box({Vec3::Ones(), {1, 1, 1}, ElementType::tri3});
            }),
            "box/element: must be tet4, tet10 or hex8, got tri3");
  EXPECT_EQ(input([] {
              make_box({Vec3::Ones(), {100000, 100000, 100000}});
            }),
            "box: would have about 5e+15 elements, the limit is 2e+07");
  EXPECT_EQ(input([] { make_sphere({-1, 0.1}); }), "sphere/radius: must be above 0, got -1");
  EXPECT_EQ(input([] { make_sphere({1, 0}); }), "sphere/size: must be above 0, got 0");
  EXPECT_NE(input([] { make_sphere({1, 1e-9}); }).find("the limit is"), std::string::npos);
  EXPECT_NE(input([] {
              make_cylinder({1, std::nan(""), 0.1});
            }).find("cylinder/length"),
            std::string::npos);
  EXPECT_NE(input([] { make_capsule({1, 0, 0.1}); }).find("capsule/length"), std::string::npos);
  EXPECT_EQ(input([] {
              make_torus({0.5, 0.5, 0.1});
            }),
            "torus/radius: must be above tube = 0.5, got 0.5");
  EXPECT_EQ(input([] {
              make_sheet({{1, 1}, {1, 1}, ElementType::hex8});
            }),
            "sheet/element: must be tri3 or quad4, got hex8");
  EXPECT_EQ(input([] {
              make_cable({Vec3::Zero(), Vec3::Zero(), 3});
            }),
            "cable/to: must differ from `from`");
}

}  // namespace
}  // namespace pliant
