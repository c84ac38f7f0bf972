// Surface formats, MEDIT and TetGen.
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

void expect_triangles(const Mesh& mesh, Index points, Index triangles, double enclosed) {
  ASSERT_EQ(mesh.blocks.size(), 1U);
  EXPECT_EQ(mesh.blocks[0].type, ElementType::tri3);
  EXPECT_EQ(mesh.point_count(), points);
  EXPECT_EQ(mesh.element_count(), triangles);
  EXPECT_DOUBLE_EQ(test::enclosed_volume(mesh), enclosed);
}

TEST(MeshSurface, QuadsOfACubeBecomeTwelveTrianglesThatEncloseIt) {
  const TempFolder folder;
  expect_triangles(read_mesh(folder.write("a.off", test::off_text)), 8, 12, 1);
  expect_triangles(read_mesh(folder.write("a.obj", test::obj_text)), 8, 12, 1);
  for (const Order order : {Order::text, Order::little, Order::big})
    expect_triangles(read_mesh(folder.write("a.ply", test::ply(order))), 8, 12, 1);
}

TEST(MeshSurface, EqualCornersOfStlBecomeOnePoint) {
  const TempFolder folder;
  expect_triangles(read_mesh(folder.write("a.stl", test::stl_text)), 4, 4, 1. / 6);
  expect_triangles(read_mesh(folder.write("a.stl", test::stl_binary())), 4, 4, 1. / 6);
}

TEST(MeshSurface, PolygonsBecomeFans) {
  const TempFolder folder;
  const Mesh mesh = read_mesh(
      folder.write("a.off", "OFF 5 1 0\n0 0 0\n2 0 0\n3 1 0\n1 2 0\n-1 1 0\n5 0 1 2 3 4\n"));
  EXPECT_THAT(mesh.blocks.at(0).nodes, ElementsAre(0, 1, 2, 0, 2, 3, 0, 3, 4));
}

TEST(MeshSurface, OffHeadersComeInSeveralForms) {
  const TempFolder folder;
  const std::string body = " 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  for (const std::string_view head : {"OFF\n", "OFF", "OFF\r\n", ""})
    EXPECT_EQ(read_mesh(folder.write("a.off", std::string(head) + body.substr(1))).element_count(),
              1);
  EXPECT_EQ(read_mesh(folder.write("a.off",
                                   "COFF\n3 1 0\n0 0 0 9 9 9 9\n1 0 0 9 9 9 9\n"
                                   "0 1 0 9 9 9 9\n3 0 1 2 0.5 0.5 0.5\n"))
                .point_count(),
            3);
  EXPECT_THAT(error_of(folder.write("b.off", "OFF BINARY\n\1\2\3")), HasSubstr("only text"));
  EXPECT_THAT(error_of(folder.write("b.off", "4OFF\n3 1 0\n")), HasSubstr("expected OFF"));
}

TEST(MeshSurface, GroupsOfObjBecomeRegions) {
  const TempFolder folder;
  const Mesh mesh = read_mesh(folder.write("a.obj", test::obj_text));
  EXPECT_THAT(mesh.region_names, ElementsAre("ends", "sides"));
  EXPECT_THAT(mesh.blocks.at(0).region, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  const Mesh line = read_mesh(folder.write("l.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 -1\n"));
  EXPECT_THAT(line.blocks.at(0).nodes, ElementsAre(0, 1, 1, 2));
}

TEST(MeshSurface, MistakesAreReportedWithTheirLine) {
  const TempFolder folder;
  EXPECT_THAT(error_of(folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")),
              EndsWith("a.off:6: vertex 3 is out of range, expected 0 to 2"));
  EXPECT_THAT(error_of(folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n")),
              EndsWith("a.off:6: a face needs three corners or more, got 2"));
  EXPECT_THAT(error_of(folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n")),
              EndsWith("a.off:6: the file ends where the number of corners is expected"));
  EXPECT_THAT(error_of(folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")),
              EndsWith("a.obj:4: vertex 4 is out of range, expected 1 to 3"));
  EXPECT_THAT(error_of(folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1\nf 1 2 3\n")),
              EndsWith("a.obj:3: a vertex needs three coordinates"));
  EXPECT_THAT(error_of(folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n")),
              EndsWith("a.obj:4: vertex -4 counts back past the first of 3"));
  EXPECT_THAT(
      error_of(folder.write("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 o\n")),
      EndsWith("a.stl:4: expected a coordinate, got \"o\""));
  EXPECT_THAT(error_of(folder.write("a.stl", test::stl_binary().substr(0, 200))),
              EndsWith("a.stl:1: expected solid, facet or endsolid, got \"solid,\""));
  EXPECT_THAT(error_of(folder.write("a.ply",
                                    "ply\nformat ascii 1.0\nelement vertex 9999999999\n"
                                    "property float x\nproperty float y\nproperty float z\n"
                                    "end_header\n0 0 0\n")),
              HasSubstr("claims 9999999999 vertex, but only 6 bytes are left"));
}

TEST(MeshSurface, BinaryMistakesAreReportedWithTheirByte) {
  const TempFolder folder;
  std::string stl = test::stl_binary();
  stl[0] = 'S';
  EXPECT_THAT(error_of(folder.write("a.stl", stl.substr(0, 200))),
              EndsWith("a.stl: byte 80: claims 4 triangles, but only 116 bytes are left"));
  for (std::size_t i = 84 + 12; i < 84 + 16; ++i) stl[i] = '\xff';  // the first coordinate is NaN
  EXPECT_THAT(error_of(folder.write("a.stl", stl)),
              EndsWith("a.stl: byte 96: a coordinate is not finite"));
}

TEST(MeshSurface, TrianglesThatMergingClosesAreLeftOutAndSaid) {
  const TempFolder folder;
  std::string text(test::stl_text);
  text.insert(text.find("endsolid"),
              "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\n"
              "vertex 1 0 0\nendloop\nendfacet\n");
  std::vector<std::string> said;
  const Log log([&said](const LogEntry& entry) { said.push_back(entry.text); });
  EXPECT_EQ(read_mesh(folder.write("a.stl", text), log).element_count(), 4);
  EXPECT_THAT(said, ElementsAre(HasSubstr("1 triangles with two equal corners were left out")));
}

TEST(MeshMedit, ReferencesBecomeRegionsAndNodeSets) {
  const TempFolder folder;
  const Mesh mesh = read_mesh(folder.write("a.mesh", test::medit_text));
  EXPECT_DOUBLE_EQ(test::volume(mesh), 1. / 6);
  EXPECT_THAT(mesh.region_names, ElementsAre("volume_5"));
  ASSERT_EQ(mesh.node_sets.size(), 1U);
  EXPECT_THAT(mesh.node_sets.at("surface_9"), ElementsAre(0, 1, 2));
}

TEST(MeshMedit, PlaneMeshesGetZeroHeight) {
  const TempFolder folder;
  const Mesh mesh = read_mesh(folder.write("a.mesh",
                                           "MeshVersionFormatted 1\nDimension 2\nVertices 3\n"
                                           "0 0 1\n2 0 1\n0 2 1\nTriangles 1\n1 2 3 0\n"));
  EXPECT_EQ(mesh.points.at(1), Vec3(2, 0, 0));
  EXPECT_EQ(mesh.top_dimension(), 2);
}

TEST(MeshTetgen, EitherFileOfThePairWillDo) {
  const TempFolder folder;
  folder.write("a.node", test::node_text);
  folder.write("a.ele", test::ele_text);
  for (const std::string_view name : {"a.node", "a.ele"}) {
    const Mesh mesh = read_mesh(folder / name);
    EXPECT_DOUBLE_EQ(test::volume(mesh), 1. / 6);
    EXPECT_THAT(mesh.region_names, ElementsAre("volume_6"));
    EXPECT_THAT(mesh.node_sets.at("point_1"), ElementsAre(0, 1));
  }
  folder.write("b.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");  // numbered from one
  folder.write("b.ele", "1 4 0\n1 1 2 3 4\n");
  EXPECT_DOUBLE_EQ(test::volume(read_mesh(folder / "b.ele")), 1. / 6);
  folder.write("b.ele", "1 4 0\n1 0 1 2 3\n");
  EXPECT_THAT(error_of(folder / "b.node"), HasSubstr("b.ele:2: node 0 is not among the 4 nodes"));
  folder.write("c.node", test::node_text);
  EXPECT_THAT(error_of(folder / "c.node"), HasSubstr("c.node: needs its partner: "));
}

TEST(MeshTetgen, MiddleNodesGoToTheirEdgesInAnyOrder) {
  const TempFolder folder;
  folder.write("a.node",
               "10 3 0 0\n1 0 0 0\n2 2 0 0\n3 0 2 0\n4 0 0 2\n"
               "5 0 1 1\n6 0 0 1\n7 1 0 0\n8 1 1 0\n9 1 0 1\n10 0 1 0\n");
  folder.write("a.ele", "1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n");
  const Mesh mesh = read_mesh(folder / "a.ele");
  const auto x = [&](std::size_t i) {
    return mesh.points[static_cast<std::size_t>(mesh.blocks.at(0).nodes.at(i))];
  };
  constexpr std::array<std::array<std::size_t, 2>, 6> edges = {
      {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_EQ(x(4 + k), (x(edges[k][0]) + x(edges[k][1])) / 2) << "edge " << k;
}

}  // namespace
}  // namespace pliant
