// Dispatch, round trips through every format that writes, and files that are no files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <io/mesh_samples.hpp>
#include <pliant/core/error.hpp>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <fstream>

namespace pliant {
namespace {

using test::error_of;
using test::TempFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Points with coordinates that need all their digits.
std::vector<Vec3> odd_points(Index count) {
  std::vector<Vec3> points;
  for (Index n = 0; n < count; ++n)
    points.emplace_back(std::sin(1.0 + n), 1e-7 * std::cos(2.0 + n), -1e5 / (3.0 + n));
  return points;
}

ElementBlock block(ElementType type, std::vector<Index> nodes, std::vector<Index> region) {
  return {type, std::move(nodes), std::move(region)};
}

Mesh solid() {
  Mesh mesh;
  mesh.points = odd_points(16);
  mesh.blocks = {block(ElementType::tet4, {0, 1, 2, 3, 4, 2, 1, 3}, {0, 1}),
                 block(ElementType::tet10, {5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, {1}),
                 block(ElementType::hex8, {0, 2, 4, 6, 8, 10, 12, 15}, {1})};
  mesh.region_names = {"soft 'skin' <&>", "bone 50%"};
  mesh.node_sets = {{"left end", {0, 3, 15}}, {"tip", {3}}};
  return mesh;
}

Mesh surface(bool quads) {
  Mesh mesh;
  mesh.points = odd_points(6);
  mesh.blocks = {block(ElementType::tri3, {0, 1, 2, 3, 4, 5, 0, 2, 4}, {0, 0, 0})};
  if (quads) mesh.blocks.push_back(block(ElementType::quad4, {0, 1, 3, 5}, {0}));
  return mesh;
}

void expect_same_elements(const Mesh& a, const Mesh& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    EXPECT_EQ(a.blocks[i].type, b.blocks[i].type);
    EXPECT_EQ(a.blocks[i].nodes, b.blocks[i].nodes);
    EXPECT_EQ(a.blocks[i].region, b.blocks[i].region);
  }
  EXPECT_EQ(a.points, b.points);  // every bit: numbers are written in full
}

TEST(MeshFile, SolidsKeepEverythingThroughFormatsWithNames) {
  const TempFolder folder;
  const Mesh mesh = solid();
  for (const std::string_view name : {"a.msh", "a.vtu", "a.vtk"})
    for (const MeshWriteOptions options : {MeshWriteOptions{}, MeshWriteOptions{true, true}}) {
      write_mesh(folder / name, mesh, options);
      const Mesh back = read_mesh(folder / name);
      SCOPED_TRACE(name);
      expect_same_elements(mesh, back);
      EXPECT_EQ(mesh.region_names, back.region_names);
      EXPECT_EQ(mesh.node_sets, back.node_sets);
    }
}

TEST(MeshFile, MeditKeepsElementsAndNumbersOfRegions) {
  const TempFolder folder;
  write_mesh(folder / "a.mesh", solid());
  const Mesh back = read_mesh(folder / "a.mesh");
  expect_same_elements(solid(), back);
  EXPECT_THAT(back.region_names, ElementsAre("volume_1", "volume_2"));
}

TEST(MeshFile, SurfacesKeepEverythingThroughEveryFormatThatWrites) {
  const TempFolder folder;
  const Mesh mesh = surface(false);
  int written = 0;
  for (const MeshFormat& format : mesh_formats()) {
    if (!format.writes || format.name == "stl") continue;
    for (const MeshWriteOptions options : {MeshWriteOptions{}, MeshWriteOptions{true, true}}) {
      const auto path = folder / ("a" + format.extensions.front());
      write_mesh(path, mesh, options);
      SCOPED_TRACE(path.string());
      const Mesh back = read_mesh(path);
      expect_same_elements(mesh, back);
      EXPECT_THAT(back.region_names, ElementsAre("default"));
      ++written;
    }
  }
  EXPECT_EQ(written, 14);
}

TEST(MeshFile, StlKeepsCornersInTextAndToSinglePrecisionInBinary) {
  const TempFolder folder;
  const Mesh mesh = surface(true);
  for (const bool ascii : {true, false}) {
    write_mesh(folder / "a.stl", mesh, {ascii, false});
    const Mesh back = read_mesh(folder / "a.stl");
    ASSERT_EQ(back.element_count(), 5);  // the quad makes two
    ASSERT_EQ(back.point_count(), 6);
    for (std::size_t n = 0; n < 6; ++n)
      // Half a unit in the last place of a float, relative to the largest coordinate.
      EXPECT_LE((mesh.points[n] - back.points[n]).norm(), ascii ? 0 : 6e-8 * mesh.points[n].norm());
  }
}

TEST(MeshFile, QuadsStayQuadsInGridFormatsAndBecomeTrianglesInSurfaceFormats) {
  const TempFolder folder;
  for (const std::string_view name : {"a.msh", "a.mesh", "a.vtu", "a.vtk"}) {
    write_mesh(folder / name, surface(true));
    expect_same_elements(surface(true), read_mesh(folder / name));
  }
  for (const std::string_view name : {"a.off", "a.obj", "a.ply"}) {
    write_mesh(folder / name, surface(true));
    const Mesh back = read_mesh(folder / name);
    ASSERT_EQ(back.blocks.size(), 1U);
    EXPECT_THAT(back.blocks[0].nodes, ElementsAre(0, 1, 2, 3, 4, 5, 0, 2, 4, 0, 1, 3, 0, 3, 5));
  }
}

TEST(MeshFile, NamesThatAFormatCannotHoldAreChangedAndDoNotBreakTheFile) {
  const TempFolder folder;
  Mesh mesh = solid();
  mesh.region_names[0] = "a \"b\"\n$EndPhysicalNames";
  for (const std::string_view name : {"a.msh", "a.vtu", "a.vtk"}) {
    write_mesh(folder / name, mesh);
    expect_same_elements(mesh, read_mesh(folder / name));
  }
  write_mesh(folder / "b.msh", mesh);
  EXPECT_EQ(read_mesh(folder / "b.msh").region_names.at(0), "a 'b' $EndPhysicalNames");
}

TEST(MeshFile, WritersRefuseWhatTheFormatCannotHold) {
  const TempFolder folder;
  EXPECT_THROW(write_mesh(folder / "a.stl", solid()), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.stl"));
  EXPECT_THROW(write_mesh(folder / "a.msh", Mesh()), InputError);
  EXPECT_THROW(write_mesh(folder / "a.ele", solid()), InputError);
  Mesh wrong = solid();
  wrong.blocks[0].nodes[0] = 99;
  EXPECT_THROW(write_mesh(folder / "a.msh", wrong), InputError);
  EXPECT_THROW(write_mesh(folder / "none/a.msh", solid()), WriteError);
}

TEST(MeshFile, EverySampleReadsAndEveryReadingFormatHasOne) {
  const TempFolder folder;
  std::vector<std::string> seen;
  for (const test::Sample& sample : test::all_samples()) {
    if (!sample.partner.empty()) folder.write(sample.partner, sample.partner_bytes);
    EXPECT_EQ(error_of(folder.write(sample.name, sample.bytes)), "");
    seen.push_back(std::filesystem::path(sample.name).extension().string());
  }
  for (const MeshFormat& format : mesh_formats()) {
    EXPECT_FALSE(format.description.empty());
    for (const std::string& extension : format.extensions)
      EXPECT_TRUE(!format.reads || std::count(seen.begin(), seen.end(), extension) > 0)
          << extension;
  }
}

TEST(MeshFile, UnknownExtensionsGetAProposalOrTheList) {
  EXPECT_EQ(error_of("a.mhs"),
            "a.mhs: extension \".mhs\" is not a mesh format that is read, did you mean \".msh\"?");
  EXPECT_THAT(error_of("a.blender"), HasSubstr(", known: .msh, .mesh, .vtu"));
  EXPECT_THAT(error_of("a"), StartsWith("a: has no extension, known: .msh"));
}

TEST(MeshFile, ExtensionsMayHaveCapitals) {
  const TempFolder folder;
  EXPECT_EQ(read_mesh(folder.write("A.STL", test::stl_binary())).element_count(), 4);
}

TEST(MeshFile, PathsThatAreNoFilesAreNamedAsWrittenAndAsResolved) {
  const TempFolder folder;
  const std::string missing = error_of("no/such/../mesh.msh");
  EXPECT_THAT(missing, AllOf(StartsWith("no/such/../mesh.msh ("), HasSubstr("/no/mesh.msh): "),
                             EndsWith("cannot be opened: No such file or directory")));
  std::filesystem::create_directory(folder / "dir.msh");
  EXPECT_THAT(error_of(folder / "dir.msh"), EndsWith("is a directory, expected a mesh file"));
  EXPECT_THAT(error_of(folder.write("empty.vtu", "")), EndsWith("empty.vtu: is empty"));
  ASSERT_EQ(mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
  EXPECT_THAT(error_of(folder / "pipe.obj"), EndsWith("is not a plain file"));
  const auto closed = folder.write("closed.off", test::off_text);
  ::chmod(closed.c_str(), 0);
  if (geteuid() != 0) {  // root may read everything
    EXPECT_THAT(error_of(closed), EndsWith("cannot be opened: Permission denied"));
  }
}

TEST(MeshFile, FilesOverTwoGibibytesAreRefusedWithoutReadingThem) {
  const TempFolder folder;
  const auto path = folder.write("huge.stl", "solid");
  std::filesystem::resize_file(path, (std::uintmax_t{1} << 31) + 1);  // sparse, takes no room
  EXPECT_THAT(error_of(path), EndsWith("the largest mesh file that is read is 2 GiB"));
}

TEST(MeshFile, NumbersDoNotDependOnTheLocale) {
  const TempFolder folder;
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  write_mesh(folder / "a.mesh", solid());
  const Mesh back = read_mesh(folder / "a.mesh");
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(back.points, solid().points);
}

TEST(MeshFile, PointsThatNoElementUsesAreLeftOutAndSaid) {
  const TempFolder folder;
  std::vector<std::string> said;
  const Log log([&said](const LogEntry& entry) { said.push_back(entry.text); });
  const Mesh mesh = read_mesh(
      folder.write("a.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 8 8 8\nf 2 3 4\n"), log);
  EXPECT_EQ(mesh.point_count(), 3);
  EXPECT_THAT(mesh.blocks.at(0).nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(said, ElementsAre(HasSubstr("2 points that no element uses were left out")));
}

}  // namespace
}  // namespace pliant
