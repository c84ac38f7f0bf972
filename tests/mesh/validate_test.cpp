#include "mesh_fixtures.hpp"

#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/validate.hpp>

#include <limits>

namespace pliant {
namespace {

using test::message_of;

std::string input_message(Mesh mesh) {
  return message_of<InputError>([&] { require_valid(mesh, "a.msh"); });
}
std::string infeasible_message(Mesh mesh) {
  return message_of<InfeasibleStart>([&] { require_valid(mesh, "a.msh"); });
}
Mesh cubes(ElementType type = ElementType::tet4) {
  return make_box({Vec3::Ones(), {2, 2, 2}, type, 5});
}

TEST(Validate, RefusesEmptyMeshes) {
  EXPECT_EQ(input_message({}), "a.msh: the mesh is empty, it has no points");
  Mesh points;
  points.points.push_back(Vec3::Zero());
  EXPECT_EQ(input_message(points), "a.msh: the mesh is empty, it has no elements");
}

TEST(Validate, NamesThePointThatIsNotFinite) {
  Mesh mesh = cubes();
  mesh.points[7].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(input_message(mesh), "a.msh: point 7 is not finite: (0, nan, -0.5)");
}

TEST(Validate, NamesTheElementThatRefersToNoPoint) {
  Mesh mesh = cubes();
  mesh.blocks[0].nodes[4 * 11 + 2] = 27;
  EXPECT_EQ(input_message(mesh),
            "a.msh: tet4 11 refers to point 27, but there are 27 (counted from 0)");
  mesh.blocks[0].nodes[4 * 11 + 2] = -1;
  EXPECT_EQ(input_message(mesh),
            "a.msh: tet4 11 refers to point -1, but there are 27 (counted from 0)");
}

TEST(Validate, NamesTheElementThatRefersToNoRegion) {
  Mesh mesh = cubes();
  mesh.blocks[0].region[3] = 1;
  EXPECT_EQ(input_message(mesh),
            "a.msh: tet4 3 refers to region 1, but there are 1 (counted from 0)");
}

TEST(Validate, NamesTheNodeSetThatRefersToNoPoint) {
  Mesh mesh = cubes();
  mesh.node_sets["left"] = {0, 99};
  EXPECT_EQ(input_message(mesh),
            "a.msh: node set \"left\" refers to point 99, but there are 27 (counted from 0)");
}

TEST(Validate, NamesTheElementThatUsesAPointTwice) {
  Mesh mesh = cubes();
  mesh.blocks[0].nodes[4 * 2 + 1] = mesh.blocks[0].nodes[4 * 2];
  EXPECT_EQ(input_message(mesh),
            fmt::format("a.msh: tet4 2 uses point {} twice", mesh.blocks[0].nodes[4 * 2]));
}

TEST(Validate, NamesDuplicateElementsInWhateverOrderOfNodes) {
  Mesh mesh = cubes();
  const auto first = mesh.blocks[0].element(4);
  const std::vector<Index> turned = {first[1], first[2], first[0], first[3]};
  mesh.blocks[0].nodes.insert(mesh.blocks[0].nodes.end(), turned.begin(), turned.end());
  mesh.blocks[0].region.push_back(0);
  EXPECT_EQ(input_message(mesh), "a.msh: tet4 4 and tet4 40 have the same points");
}

TEST(Validate, RefusesThreeElementsOnOneFace) {
  Mesh mesh;
  mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0),  Vec3(0, 1, 0),
                 Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(0, 0, 2)};
  mesh.blocks = {{ElementType::tet4, {0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5}, {0, 0, 0}}};
  EXPECT_EQ(input_message(mesh),
            "a.msh: the mesh is not manifold: tet4 0, tet4 1 and tet4 2 share one face");
}

TEST(Validate, NamesInvertedElements) {
  for (const ElementType type : test::solid_types()) {
    Mesh mesh = cubes(type);
    ElementBlock one{type, {}, {0}};
    const auto nodes = mesh.blocks[0].element(3);
    one.nodes.assign(nodes.begin(), nodes.end());
    flip(one);
    const auto at = static_cast<std::size_t>(3 * nodes_per_element(type));
    std::copy(one.nodes.begin(), one.nodes.end(),
              mesh.blocks[0].nodes.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(infeasible_message(mesh),
              fmt::format("a.msh: 1 element is inverted: {} 3 (counted from 0)", name_of(type)));
  }
}

TEST(Validate, ListsTheFirstInvertedElementsAndTheirNumber) {
  Mesh mesh = cubes();
  for (std::size_t e = 0; e < 20; ++e)
    std::swap(mesh.blocks[0].nodes[4 * e], mesh.blocks[0].nodes[4 * e + 1]);
  EXPECT_EQ(
      infeasible_message(mesh),
      "a.msh: 20 elements are inverted: tet4 0, tet4 1, tet4 2, tet4 3, tet4 4, … (counted from "
      "0)");
}

TEST(Validate, NamesElementsWithoutVolume) {
  Mesh mesh = cubes(ElementType::hex8);
  for (Vec3& x : mesh.points) x.y() = 0;
  EXPECT_NE(infeasible_message(mesh).find("8 elements have no volume: hex8 0"), std::string::npos);
  Mesh cable = make_cable({Vec3::Zero(), Vec3::UnitX(), 2});
  cable.points[1] = cable.points[2];
  EXPECT_EQ(input_message(cable), "a.msh: 1 element has no length: segment2 1 (counted from 0)");
  Mesh sheet = make_sheet({{1, 1}, {2, 1}});
  for (Vec3& x : sheet.points) x.z() = 0;
  EXPECT_NE(input_message(sheet).find("4 elements have no area: tri3 0"), std::string::npos);
}

TEST(Validate, FindsAHexFoldedInsideThoughItsVolumeIsPositive) {
  Mesh mesh = make_box({Vec3::Ones(), {1, 1, 1}, ElementType::hex8, 5});
  mesh.points[7] = Vec3(-1.5, -1.5, -1.5);  // one corner pulled through the opposite one
  EXPECT_FALSE(check(mesh).inverted.empty());
}

TEST(Validate, TurnsAMeshThatIsInsideOutAltogetherAndSaysSo) {
  for (const ElementType type : test::solid_types()) {
    const Mesh right = make_capsule({1, 1, 0.5, type});
    Mesh mesh = right;
    for (Vec3& x : mesh.points) x.z() = -x.z();  // a mirrored file
    ASSERT_EQ(check(mesh).flipped, std::vector<ElementType>{type});
    test::Listener listener;
    require_valid(mesh, "a.msh", listener.log);
    EXPECT_NEAR(statistics_of(mesh).measure, statistics_of(right).measure, 1e-12);
    ASSERT_EQ(listener.entries.size(), 1u);
    EXPECT_EQ(listener.entries[0].text,
              fmt::format("a.msh: all {} {} elements were inside out; their nodes were reordered",
                          mesh.element_count(), name_of(type)));
  }
}

TEST(Validate, FlippingTwiceOnlyRenamesNodes) {
  for (const ElementType type : test::solid_types()) {
    const Mesh mesh = cubes(type);
    ElementBlock block = mesh.blocks[0];
    flip(block);
    EXPECT_NE(block.nodes, mesh.blocks[0].nodes);
    flip(block);
    EXPECT_EQ(block.nodes, mesh.blocks[0].nodes);
  }
}

TEST(Validate, DropsUnusedPointsAndGivesTheMap) {
  Mesh mesh = cubes();
  const Mesh before = mesh;
  mesh.points.insert(mesh.points.begin() + 5, Vec3(9, 9, 9));
  for (Index& n : mesh.blocks[0].nodes) n += n >= 5;
  mesh.node_sets["some"] = {4, 5, 6};
  test::Listener listener;
  const std::vector<Index> number = require_valid(mesh, "a.msh", listener.log);
  EXPECT_EQ(mesh.points, before.points);
  EXPECT_EQ(mesh.blocks[0].nodes, before.blocks[0].nodes);
  EXPECT_EQ(mesh.node_sets.at("some"), (std::vector<Index>{4, 5}));
  EXPECT_EQ(number[4], 4);
  EXPECT_EQ(number[5], -1);
  EXPECT_EQ(number[6], 5);
  ASSERT_EQ(listener.entries.size(), 1u);
  EXPECT_EQ(listener.entries[0].text,
            "a.msh: 1 point belongs to no element, the first point 5; dropped");
}

TEST(Validate, WarnsOfSlivers) {
  Mesh mesh;
  mesh.points = {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0.01), Vec3(0, 1, 0.01)};
  mesh.blocks = {{ElementType::tet4, {0, 2, 1, 3}, {0}}};
  test::Listener listener;
  require_valid(mesh, "a.msh", listener.log);
  ASSERT_EQ(listener.entries.size(), 1u);
  EXPECT_EQ(listener.entries[0].level, LogLevel::warning);
  EXPECT_EQ(listener.entries[0].text, "a.msh: 1 element is badly shaped: tet4 0 (counted from 0)");
}

TEST(Validate, DoesNotDependOnUnits) {
  for (const double scale : {1e-6, 1e6}) {
    Mesh mesh = make_sphere({1, 0.4});
    for (Vec3& x : mesh.points) x *= scale;
    test::Listener listener;
    EXPECT_NO_THROW(require_valid(mesh, "a.msh", listener.log));
    EXPECT_TRUE(listener.entries.empty());
  }
}

TEST(Validate, FillsInAMissingRegion) {
  Mesh mesh = cubes();
  mesh.blocks[0].region.clear();
  require_valid(mesh, "a.msh");
  EXPECT_EQ(mesh.blocks[0].region, std::vector<Index>(40, 0));
}

}  // namespace
}  // namespace pliant
