#include "mesh_fixtures.hpp"

#include <pliant/mesh/selections.hpp>

namespace pliant {
namespace {

using test::message_of;

Mesh beam() { return make_box({Vec3(8, 1, 1), {32, 4, 4}, ElementType::hex8, 5}); }

TEST(Selections, BoxTakesItsBoundary) {
  const auto left = select_nodes(beam(), SelectBox{Vec3(-4, -1, -1), Vec3(-4, 1, 1)});
  EXPECT_EQ(left.size(), 25u);
  const auto thick = select_nodes(beam(), SelectBox{Vec3(-4, -0.5, -0.5), Vec3(-3.75, 0.5, 0.5)});
  EXPECT_EQ(thick.size(), 50u);
}

TEST(Selections, AllowForNumbersTypedWithFewDigits) {
  const Mesh mesh = make_box({Vec3(0.9, 0.1, 0.1), {9, 1, 1}, ElementType::hex8, 5});
  // 0.1 + 0.2 ≠ 0.3 in floating point.
  EXPECT_EQ(select_nodes(mesh, SelectBox{Vec3(0.35, -1, -1), Vec3(0.35, 1, 1)}).size(), 4u);
  EXPECT_EQ(select_nodes(mesh, SelectBox{Vec3(0.35001, -1, -1), Vec3(0.4, 1, 1)}).size(), 0u);
}

TEST(Selections, SphereTakesItsBoundary) {
  EXPECT_EQ(select_nodes(beam(), SelectSphere{Vec3(4, 0.5, 0.5), 0.25}).size(), 4u);
  EXPECT_EQ(select_nodes(beam(), SelectSphere{Vec3(4, 0.5, 0.5), 0.2499}).size(), 1u);
}

TEST(Selections, PlaneTakesTheSideOfItsNormalAndItself) {
  EXPECT_EQ(select_nodes(beam(), SelectPlane{Vec3(3.75, 0, 0), Vec3(7, 0, 0)}).size(), 50u);
  EXPECT_EQ(select_nodes(beam(), SelectPlane{Vec3(3.75, 0, 0), Vec3(-1, 0, 0)}).size(), 32u * 25);
}

TEST(Selections, AllTakesAllInOrder) {
  const auto all = select_nodes(beam(), SelectAll{});
  ASSERT_EQ(all.size(), 33u * 25);
  for (std::size_t n = 0; n < all.size(); ++n) EXPECT_EQ(all[n], static_cast<Index>(n));
}

TEST(Selections, RegionTakesTheNodesOfItsElements) {
  Mesh mesh = make_box({Vec3(2, 1, 1), {2, 1, 1}, ElementType::hex8, 5});
  mesh.region_names = {"default", "muscle"};
  mesh.blocks[0].region = {0, 1};
  const auto nodes = select_nodes(mesh, SelectRegion{"muscle"});
  EXPECT_EQ(nodes.size(), 8u);
  for (const Index n : nodes) EXPECT_GE(mesh.points[static_cast<std::size_t>(n)].x(), 0);
  EXPECT_EQ(select_elements(mesh, "muscle"), std::vector<Index>{1});
  EXPECT_EQ(message_of<InputError>([&] { select_nodes(mesh, SelectRegion{"musle"}, "pin"); }),
            "pin: no region \"musle\", did you mean \"muscle\"?");
}

TEST(Selections, NodeSetsAreFoundByName) {
  Mesh mesh = beam();
  mesh.node_sets["clamped"] = {7, 3, 3};
  EXPECT_EQ(select_nodes(mesh, SelectNodeSet{"clamped"}), (std::vector<Index>{3, 7}));
  EXPECT_EQ(message_of<InputError>([&] { select_nodes(mesh, SelectNodeSet{"clmaped"}); }),
            "selection: no node set \"clmaped\", did you mean \"clamped\"?");
}

TEST(Selections, RegionsAndNodeSetsTakenForEachOtherAreSaid) {
  Mesh mesh = make_box({Vec3(2, 1, 1), {2, 1, 1}, ElementType::hex8, 5});
  mesh.region_names = {"muscle"};
  EXPECT_EQ(message_of<InputError>([&] { select_nodes(mesh, SelectNodeSet{"other"}, "pin"); }),
            "pin: no node set \"other\", the mesh has none");
  mesh.node_sets["clamped"] = {0};
  EXPECT_EQ(
      message_of<InputError>([&] { select_nodes(mesh, SelectRegion{"clamped"}, "pin"); }),
      "pin: \"clamped\" is a node set of the mesh, not a region: select it with \"node_set\"");
  EXPECT_EQ(message_of<InputError>([&] { select_nodes(mesh, SelectNodeSet{"muscle"}, "pin"); }),
            "pin: \"muscle\" is a region of the mesh, not a node set: select it with \"region\"");
}

TEST(Selections, NodesAreSortedAndCheckedAgainstTheMesh) {
  EXPECT_EQ(select_nodes(beam(), SelectNodes{{9, 2, 9}}), (std::vector<Index>{2, 9}));
  EXPECT_EQ(message_of<InputError>([&] { select_nodes(beam(), SelectNodes{{825}}, "pin"); }),
            "pin/nodes: must be from 0 to 824, got 825");
  EXPECT_EQ(message_of<InputError>([&] { select_nodes(beam(), SelectNodes{{-1}}, "pin"); }),
            "pin/nodes: must be from 0 to 824, got -1");
}

TEST(Selections, EmptyIsAnAnswer) {
  EXPECT_TRUE(select_nodes(beam(), SelectBox{Vec3(10, 10, 10), Vec3(11, 11, 11)}).empty());
}

TEST(Selections, RefuseShapesThatHoldNothing) {
  EXPECT_EQ(message_of<InputError>([&] {
              select_nodes(beam(), SelectBox{Vec3(1, 0, 0), Vec3(0, 1, 1)}, "pin");
            }),
            "pin/box: min must not exceed max");
  EXPECT_EQ(message_of<InputError>([&] {
              select_nodes(beam(), SelectSphere{Vec3::Zero(), -1}, "pin");
            }),
            "pin/sphere/radius: must not be negative, got -1");
  EXPECT_EQ(message_of<InputError>([&] {
              select_nodes(beam(), SelectPlane{Vec3::Zero(), Vec3::Zero()}, "pin");
            }),
            "pin/plane/normal: must be finite and not zero");
}

}  // namespace
}  // namespace pliant
