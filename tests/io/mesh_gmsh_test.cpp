#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <io/mesh_samples.hpp>
#include <pliant/core/error.hpp>

namespace pliant {
namespace {

using test::error_of;
using test::Order;
using test::TempFolder;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

// The hand-made file: see gmsh_2.
void expect_two_tets(const Mesh& mesh) {
  ASSERT_EQ(mesh.blocks.size(), 1U);
  EXPECT_EQ(mesh.blocks[0].type, ElementType::tet4);
  EXPECT_THAT(mesh.blocks[0].nodes, ElementsAre(0, 1, 2, 3, 1, 2, 3, 4));
  EXPECT_THAT(mesh.region_names, ElementsAre("left", "right part"));
  EXPECT_THAT(mesh.blocks[0].region, ElementsAre(0, 1));
  ASSERT_EQ(mesh.node_sets.size(), 1U);
  EXPECT_THAT(mesh.node_sets.at("fixed"), ElementsAre(0, 1, 2));
  EXPECT_DOUBLE_EQ(test::volume(mesh), 1. / 6 + 1. / 3);
}

TEST(MeshGmsh, VersionTwoReadsTheSameInTextAndBothByteOrders) {
  const TempFolder folder;
  for (const Order order : {Order::text, Order::little, Order::big})
    expect_two_tets(read_mesh(folder.write("two.msh", test::gmsh_2(order))));
}

TEST(MeshGmsh, VersionFourReadsTheSameInTextAndBothByteOrders) {
  const TempFolder folder;
  for (const Order order : {Order::text, Order::little, Order::big})
    expect_two_tets(read_mesh(folder.write("four.msh", test::gmsh_4(order))));
}

std::string version_2(std::string_view nodes, std::string_view elements) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::string(nodes) +
         "$EndNodes\n$Elements\n" + std::string(elements) + "$EndElements\n";
}
constexpr std::string_view four_nodes = "4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

TEST(MeshGmsh, MiddleNodesOfTet10LieOnTheirEdges) {
  const TempFolder folder;
  // Gmsh's order of the middles: 01, 12, 02, 03, 23, 13.
  const Mesh mesh = read_mesh(folder.write(
      "ten.msh", version_2("10\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n5 1 0 0\n6 1 1 0\n7 0 1 0\n"
                           "8 0 0 1\n9 0 1 1\n10 1 0 1\n",
                           "1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n")));
  ASSERT_EQ(mesh.blocks.size(), 1U);
  ASSERT_EQ(mesh.blocks[0].type, ElementType::tet10);
  constexpr std::array<std::array<std::size_t, 2>, 6> edges = {
      {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  const auto x = [&](std::size_t i) {
    return mesh.points[static_cast<std::size_t>(mesh.blocks[0].nodes[i])];
  };
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_EQ(x(4 + k), (x(edges[k][0]) + x(edges[k][1])) / 2) << "edge " << k;
}

TEST(MeshGmsh, UnnamedGroupsAreCalledByDimensionAndNumber) {
  const TempFolder folder;
  const Mesh mesh = read_mesh(
      folder.write("a.msh", version_2(four_nodes, "2\n1 2 2 5 1 1 2 3\n2 4 2 8 1 1 2 3 4\n")));
  EXPECT_THAT(mesh.region_names, ElementsAre("volume_8"));
  EXPECT_THAT(mesh.node_sets.at("surface_5"), ElementsAre(0, 1, 2));
}

TEST(MeshGmsh, UnsupportedElementsOfTheHighestDimensionAreNamed) {
  const TempFolder folder;
  const std::string_view six = "6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 0 1\n6 0 1 1\n";
  EXPECT_THAT(error_of(folder.write("prism.msh", version_2(six, "1\n1 6 0 1 2 3 4 5 6\n"))),
              HasSubstr("prism.msh:15: elements of type prism6 are not supported"));
  // The same six nodes as a quadratic triangle below a tetrahedron are only a node set.
  const Mesh mesh = read_mesh(
      folder.write("tri6.msh", version_2(six, "2\n1 9 1 3 1 2 3 4 5 6\n2 4 0 1 2 3 4\n")));
  EXPECT_EQ(mesh.element_count(), 1);
  EXPECT_EQ(mesh.point_count(), 4);
  EXPECT_THAT(mesh.node_sets.at("surface_3"), ElementsAre(0, 1, 2, 3));
}

TEST(MeshGmsh, MistakesAreReportedWithTheirLine) {
  const TempFolder folder;
  const auto error = [&](std::string_view nodes, std::string_view elements) {
    return error_of(folder.write("bad.msh", version_2(nodes, elements)));
  };
  const std::string_view tet = "1\n1 4 0 1 2 3 4\n";
  EXPECT_THAT(error(four_nodes, "1\n1 4 0 1 2 3 9\n"),
              EndsWith("bad.msh:13: node 9 is not among the 4 nodes of the file"));
  EXPECT_THAT(error("4\n1 0 0 0\n2 1 nan 0\n3 0 1 0\n4 0 0 1\n", tet),
              EndsWith("bad.msh:7: a coordinate is not finite: \"nan\""));
  EXPECT_THAT(error("4\n1 0 0 0\n2 1 1e999 0\n3 0 1 0\n4 0 0 1\n", tet),
              EndsWith("bad.msh:7: a coordinate is not finite: \"1e999\""));
  EXPECT_THAT(error("4\n1 0 0 0\n2 1 zero 0\n3 0 1 0\n4 0 0 1\n", tet),
              EndsWith("bad.msh:7: expected a coordinate, got \"zero\""));
  EXPECT_THAT(error("4\n1 0 0 0\n1 1 0 0\n3 0 1 0\n4 0 0 1\n", tet),
              HasSubstr("node 1 is given twice"));
  EXPECT_THAT(error("-4\n", tet), EndsWith("bad.msh:5: the number of nodes is negative: -4"));
  EXPECT_THAT(error("4000000000000\n1 0 0 0\n", tet),
              HasSubstr("claims 4000000000000 nodes, but only"));
  EXPECT_THAT(error(four_nodes, "99999999999999999999\n"),
              EndsWith("the number of elements is out of range: \"99999999999999999999\""));
  EXPECT_THAT(error(four_nodes, "1\n1 77 0 1 2 3 4\n"), EndsWith("element type 77 is unknown"));
  EXPECT_THAT(error(four_nodes, "0\n"), EndsWith("holds no elements, only 4 points"));
}

TEST(MeshGmsh, HeadersThatAreNotKnownAreRefused) {
  const TempFolder folder;
  EXPECT_THAT(error_of(folder.write("a.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n")),
              EndsWith("a.msh:2: version \"4.0\" is not supported, known: 2.0 to 2.2, 4.1"));
  EXPECT_THAT(error_of(folder.write("b.msh", "PK\x03\x04")),
              HasSubstr("b.msh:1: expected $MeshFormat"));
  std::string binary = test::gmsh_2(Order::little);
  binary[20] = 5;
  EXPECT_THAT(error_of(folder.write("c.msh", binary)), HasSubstr("must be the number one"));
}

TEST(MeshGmsh, BinaryFilesCutAnywhereAreRefused) {
  for (const std::string& whole : {test::gmsh_2(Order::big), test::gmsh_4(Order::little)})
    for (std::size_t size = 0; size + 1 < whole.size(); ++size)
      EXPECT_THROW(parse_mesh("cut.msh", whole.substr(0, size)), InputError)
          << "cut to " << size << " of " << whole.size();
}

}  // namespace
}  // namespace pliant
