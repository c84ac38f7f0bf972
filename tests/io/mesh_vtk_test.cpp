#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <io/mesh_samples.hpp>
#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>

namespace pliant {
namespace {

using test::error_of;
using test::Order;
using test::TempFolder;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

void expect_cube(const Mesh& mesh) {
  ASSERT_EQ(mesh.blocks.size(), 1U);
  EXPECT_EQ(mesh.blocks[0].type, ElementType::hex8);
  EXPECT_DOUBLE_EQ(test::volume(mesh), 1);
  EXPECT_THAT(mesh.region_names, ElementsAre("volume_4"));
}

TEST(MeshVtk, LegacyVersionsReadTheSameInTextAndBinary) {
  const TempFolder folder;
  for (const int version : {2, 3, 4, 5})
    for (const Order order : {Order::text, Order::big})
      expect_cube(read_mesh(folder.write("cube.vtk", test::vtk_legacy(order, version))));
}

TEST(MeshVtk, AppendedRawArraysReadInBothByteOrders) {
  const TempFolder folder;
  for (const Order order : {Order::little, Order::big})
    expect_cube(read_mesh(folder.write("cube.vtu", test::vtu_appended(order))));
}

TEST(MeshVtk, TextArraysMayHaveAnyLayout) {
  const TempFolder folder;
  const Mesh mesh = read_mesh(folder.write("tet.vtu", test::vtu_text));
  ASSERT_EQ(mesh.blocks.size(), 1U);
  EXPECT_EQ(mesh.blocks[0].type, ElementType::tet4);
  EXPECT_DOUBLE_EQ(test::volume(mesh), 1. / 6);
}

// One tetrahedron; `coded` turns the bytes of an array into the text between its tags.
template <class Coded>
std::string inline_vtu(std::string_view attributes, std::string_view kind, Coded&& coded) {
  test::Numbers points(Order::little), corners(Order::little), ends(Order::little);
  points.put<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  corners.put<std::int32_t>({0, 1, 2, 3});
  ends.put<std::uint32_t>({4});
  const auto array = [&](std::string_view type, std::string_view name, const std::string& bytes) {
    return "<DataArray type=\"" + std::string(type) + "\" Name=\"" + std::string(name) +
           "\" format=\"binary\">\n" + coded(bytes) + "\n</DataArray>";
  };
  return "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" " +
         std::string(attributes) +
         "><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><" +
         std::string(kind) + ">" + array("Float32", "Points", points.bytes()) + "</" +
         std::string(kind) + "><Cells>" + array("Int32", "connectivity", corners.bytes()) +
         array("UInt32", "offsets", ends.bytes()) + array("UInt8", "types", "\x0a") +
         "</Cells></Piece></UnstructuredGrid></VTKFile>";
}

std::string base64(const std::string& bytes) { return base64_encode(bytes_of(bytes)); }

TEST(MeshVtk, InlineArraysReadWithEitherHeader) {
  const TempFolder folder;
  const auto with_header = [](bool wide) {
    return [wide](const std::string& bytes) {
      test::Numbers header(Order::little);
      if (wide) header.put<std::uint64_t>({bytes.size()});
      if (!wide) header.put<std::uint32_t>({static_cast<std::uint32_t>(bytes.size())});
      return base64(header.bytes() + bytes);
    };
  };
  for (const bool wide : {false, true}) {
    const std::string_view type = wide ? "header_type=\"UInt64\"" : "header_type=\"UInt32\"";
    const Mesh mesh =
        read_mesh(folder.write("tet.vtu", inline_vtu(type, "Points", with_header(wide))));
    EXPECT_DOUBLE_EQ(test::volume(mesh), 1. / 6);
  }
}

TEST(MeshVtk, CompressedInlineArraysRead) {
  const TempFolder folder;
  const auto compressed = [](const std::string& bytes) {
    const std::vector<std::byte> packed = vtk_compress(bytes_of(bytes));
    const std::span<const std::byte> all = packed;
    const std::size_t header = vtk_header_size(all);
    return base64_encode(all.first(header)) + base64_encode(all.subspan(header));
  };
  const std::string_view how = "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"";
  const Mesh mesh = read_mesh(folder.write("tet.vtu", inline_vtu(how, "Points", compressed)));
  EXPECT_DOUBLE_EQ(test::volume(mesh), 1. / 6);
}

std::string legacy(std::string_view points, std::string_view cells) {
  return "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
         std::string(points) + std::string(cells);
}

TEST(MeshVtk, PixelsVoxelsStripsAndPolygonsBecomeElements) {
  const TempFolder folder;
  const std::string_view cube = "8 float\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n";
  const Mesh voxel = read_mesh(
      folder.write("a.vtk", legacy(cube, "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n")));
  EXPECT_DOUBLE_EQ(test::volume(voxel), 1);  // a twisted hexahedron would not have it
  const Mesh flat = read_mesh(folder.write(
      "b.vtk",
      legacy(cube, "CELLS 3 15\n4 0 1 2 3\n4 0 1 2 3\n4 0 1 3 2\nCELL_TYPES 3\n8\n6\n7\n")));
  ASSERT_EQ(flat.blocks.size(), 2U);
  EXPECT_THAT(flat.blocks[0].nodes, ElementsAre(0, 1, 2, 2, 1, 3));        // the strip
  EXPECT_THAT(flat.blocks[1].nodes, ElementsAre(0, 1, 3, 2, 0, 1, 3, 2));  // pixel, polygon
  const Mesh line =
      read_mesh(folder.write("c.vtk", legacy(cube, "CELLS 1 4\n3 0 1 3\nCELL_TYPES 1\n4\n")));
  EXPECT_EQ(line.blocks.at(0).type, ElementType::segment2);
  EXPECT_EQ(line.element_count(), 2);
}

TEST(MeshVtk, LegacyMistakesAreReportedWithTheirPlace) {
  const TempFolder folder;
  const std::string_view four = "4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n";
  const auto error = [&](std::string_view points, std::string_view cells) {
    return error_of(folder.write("bad.vtk", legacy(points, cells)));
  };
  EXPECT_THAT(error(four, "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n"),
              EndsWith("bad.vtk: cell 0 names point 4, expected 0 to 3"));
  EXPECT_THAT(error(four, "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n"),
              EndsWith("bad.vtk: cell 0 of type 12 has 4 points, expected 8"));
  EXPECT_THAT(error(four, "CELLS 1 5\n9 0 1 2 3\nCELL_TYPES 1\n10\n"),
              HasSubstr("cell 0 claims 9 points, but 4 numbers are left"));
  EXPECT_THAT(error(four, "CELLS 1 5\n4 0 1 2 3\n"), HasSubstr("CELL_TYPES is missing"));
  EXPECT_THAT(error(four, "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n200\n"), HasSubstr("type 200"));
  EXPECT_THAT(error("4 double\n0 0 0 1 0 0 0 inf 0 0 0 1\n", ""),
              HasSubstr("bad.vtk:6: point 2 is not finite"));
  EXPECT_THAT(error("99999999 double\n0 0 0\n", ""), HasSubstr("claims 99999999 points, but only"));
  EXPECT_THAT(
      error_of(folder.write("s.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n")),
      EndsWith("s.vtk:4: data set \"POLYDATA\" is not supported, only UNSTRUCTURED_GRID"));
}

TEST(MeshVtk, XmlMistakesAreReportedWithTheirPlace) {
  const TempFolder folder;
  const auto error = [&](std::string_view from, std::string_view to) {
    std::string text(test::vtu_text);
    text.replace(text.find(from), from.size(), to);
    return error_of(folder.write("bad.vtu", text));
  };
  EXPECT_THAT(error("0 1 2 3", "0 1 2 7"), HasSubstr("cell 0 names point 7, expected 0 to 3"));
  EXPECT_THAT(error("0 1 2 3", "0 1 2 x"), HasSubstr("bad.vtu:11: expected a whole number"));
  EXPECT_THAT(error("1 0 0", "1 nan 0"), HasSubstr("bad.vtu:7: point 1 is not finite"));
  EXPECT_THAT(error("NumberOfPoints=\"4\"", "NumberOfPoints=\"5\""),
              HasSubstr("there are 5 points"));
  EXPECT_THAT(error("NumberOfCells=\"1\"", "NumberOfCells=\"900\""), HasSubstr("claims 900 cells"));
  EXPECT_THAT(error("</Cells>", "</Cell>"), HasSubstr("bad.vtu:14: </Cell> closes nothing"));
  EXPECT_THAT(error("type=\"UnstructuredGrid\"", "type=\"PolyData\""),
              HasSubstr("only UnstructuredGrid"));
  EXPECT_THAT(error("version=\"0.1\"", "compressor=\"vtkLZ4DataCompressor\""),
              HasSubstr("only vtkZLibDataCompressor"));
}

TEST(MeshVtk, ArraysThatClaimMoreBytesThanThereAreAreRefused) {
  const TempFolder folder;
  const auto huge = [](const std::string& bytes) {
    test::Numbers header(Order::little);
    return base64(header.put<std::uint32_t>({0xfffffff0U}).bytes() + bytes);
  };
  EXPECT_THAT(error_of(folder.write("a.vtu", inline_vtu("", "Points", huge))),
              EndsWith("a.vtu: array \"Points\": its header claims more bytes than there are"));
  EXPECT_THAT(error_of(folder.write(
                  "b.vtu", inline_vtu("compressor=\"vtkZLibDataCompressor\"", "Points", huge))),
              HasSubstr("b.vtu: array \"Points\": "));
}

}  // namespace
}  // namespace pliant
