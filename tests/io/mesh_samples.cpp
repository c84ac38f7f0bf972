#include <io/mesh_samples.hpp>
#include <pliant/core/error.hpp>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace pliant::test {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "pliant-mesh-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}
TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::filesystem::path TempFolder::write(std::string_view name, std::string_view bytes) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// Tetrahedra (0,1,2,3) and (1,2,3,4) over the points 0, x, y, z and (1,1,1): volumes 1/6 and 1/3.
std::string gmsh_2(Order order) {
  const bool text = order == Order::text;
  Numbers out(order);
  out.text(text ? "$MeshFormat\n2.2 0 8\n" : "$MeshFormat\n2.2 1 8\n");
  if (!text) out.put<std::int32_t>({1}).text("\n");
  out.text("$EndMeshFormat\n$PhysicalNames\n3\n2 7 \"fixed\"\n3 1 \"left\"\n3 2 \"right part\"\n");
  out.text("$EndPhysicalNames\n$Nodes\n5\n");
  const std::array<std::array<double, 3>, 5> points = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  for (std::int32_t n = 0; n < 5; ++n) {
    const auto& x = points[static_cast<std::size_t>(n)];
    out.put<std::int32_t>({10 * (n + 1)}).put<double>({x[0], x[1], x[2]}).text(text ? "\n" : "");
  }
  if (!text) out.text("\n");
  out.text("$EndNodes\n$Periodic\n1\nnothing that matters\n$EndPeriodic\n$Elements\n4\n");
  if (text) {
    out.text("1 15 2 0 1 10\n2 2 2 7 1 10 20 30\n");
    out.text("3 4 2 1 1 10 20 30 40\n4 4 3 2 1 0 20 30 40 50\n");
  } else {
    out.put<std::int32_t>({15, 1, 2, 1, 0, 1, 10});
    out.put<std::int32_t>({2, 1, 2, 2, 7, 1, 10, 20, 30});
    out.put<std::int32_t>({4, 2, 2, 3, 1, 1, 10, 20, 30, 40, 4, 2, 1, 20, 30, 40, 50}).text("\n");
  }
  out.text("$EndElements\n");
  return out.bytes();
}

std::string gmsh_4(Order order) {
  const bool text = order == Order::text;
  Numbers out(order);
  out.text(text ? "$MeshFormat\n4.1 0 8\n" : "$MeshFormat\n4.1 1 8\n");
  if (!text) out.put<std::int32_t>({1}).text("\n");
  out.text("$EndMeshFormat\n$PhysicalNames\n3\n2 7 \"fixed\"\n3 1 \"left\"\n3 2 \"right part\"\n");
  out.text("$EndPhysicalNames\n$Entities\n").put<std::uint64_t>({0, 0, 1, 2});
  out.put<std::int32_t>({3}).put<double>({0, 0, 0, 1, 1, 0});
  out.put<std::uint64_t>({1}).put<std::int32_t>({7}).put<std::uint64_t>({0});
  for (const std::int32_t volume : {1, 2}) {
    out.put<std::int32_t>({volume}).put<double>({0, 0, 0, 1, 1, 1});
    out.put<std::uint64_t>({1}).put<std::int32_t>({volume});
    out.put<std::uint64_t>({1}).put<std::int32_t>({3});
  }
  out.text("\n$EndEntities\n$Nodes\n").put<std::uint64_t>({2, 5, 10, 50});
  out.put<std::int32_t>({2, 3, 1}).put<std::uint64_t>({3, 10, 20, 30});  // with two parameters each
  out.put<double>({0, 0, 0, .5, .5}).put<double>({1, 0, 0, .5, .5}).put<double>({0, 1, 0, .5, .5});
  out.put<std::int32_t>({3, 1, 0}).put<std::uint64_t>({2, 40, 50});
  out.put<double>({0, 0, 1, 1, 1, 1});
  out.text("\n$EndNodes\n$Elements\n").put<std::uint64_t>({3, 3, 1, 3});
  out.put<std::int32_t>({2, 3, 2}).put<std::uint64_t>({1, 1, 10, 20, 30});
  out.put<std::int32_t>({3, 1, 4}).put<std::uint64_t>({1, 2, 10, 20, 30, 40});
  out.put<std::int32_t>({3, 2, 4}).put<std::uint64_t>({1, 3, 20, 30, 40, 50});
  out.text("\n$EndElements\n");
  return out.bytes();
}

namespace {

// The corners of the unit cube in VTK's order of a hexahedron.
void put_cube(Numbers& out) {
  out.put<double>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1});
}

}  // namespace

std::string vtk_legacy(Order order, int version) {
  Numbers out(order);
  out.text("# vtk DataFile Version " + std::to_string(version) + ".0\nany title\n");
  out.text(order == Order::text ? "ASCII\n" : "BINARY\n");
  out.text("DATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n");
  put_cube(out);
  if (version < 5) {
    out.text("\nCELLS 1 9\n").put<std::int32_t>({8, 0, 1, 2, 3, 4, 5, 6, 7});
  } else {
    out.text("\nCELLS 2 8\nOFFSETS vtktypeint64\n").put<std::int64_t>({0, 8});
    out.text("\nCONNECTIVITY vtktypeint64\n").put<std::int64_t>({0, 1, 2, 3, 4, 5, 6, 7});
  }
  out.text("\nCELL_TYPES 1\n").put<std::int32_t>({12});
  out.text("\nCELL_DATA 1\nSCALARS pressure float 1\nLOOKUP_TABLE default\n").put<float>({2.5F});
  out.text("\nMETADATA\nINFORMATION 0\n\nFIELD FieldData 1\nregion 1 1 int\n")
      .put<std::int32_t>({4});
  out.text("\nPOINT_DATA 8\nVECTORS velocity float\n");
  for (int n = 0; n < 8; ++n) out.put<float>({1, 2, 3});
  return out.text("\n").bytes();
}

std::string vtu_appended(Order order) {
  Numbers data(order);
  std::vector<std::size_t> offsets;
  const auto begin = [&](std::uint32_t bytes) {
    offsets.push_back(data.bytes().size());
    data.put<std::uint32_t>({bytes});
  };
  begin(192);
  put_cube(data);
  begin(64);
  data.put<std::int64_t>({0, 1, 2, 3, 4, 5, 6, 7});
  begin(4);
  data.put<std::int32_t>({8});
  begin(1);
  data.put<std::uint8_t>({12});
  begin(2);
  data.put<std::int16_t>({4});
  const auto array = [&](std::string_view type, std::string_view name, std::size_t i) {
    return "<DataArray type=\"" + std::string(type) + "\" Name='" + std::string(name) +
           "' format=\"appended\" offset=\"" + std::to_string(offsets[i]) + "\"/>\n";
  };
  return std::string(
             "<?xml version=\"1.0\"?>\n<!-- a <comment> -->\n<VTKFile type=\"UnstructuredGrid\"") +
         " byte_order=\"" + (order == Order::big ? "BigEndian" : "LittleEndian") + "\">\n" +
         "<UnstructuredGrid>\n<Piece NumberOfPoints=\"8\" NumberOfCells=\"1\">\n<CellData>\n" +
         array("Int16", "region", 4) + "</CellData>\n<Points>\n" + array("Float64", "Points", 0) +
         "</Points>\n<Cells>\n" + array("Int64", "connectivity", 1) + array("Int32", "offsets", 2) +
         array("UInt8", "types", 3) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n" +
         "<AppendedData encoding=\"raw\">\n_" + data.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

const std::string_view vtu_text = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
  <UnstructuredGrid>
    <Piece NumberOfPoints="4" NumberOfCells="1">
      <Points>
        <DataArray type="Float32" NumberOfComponents="3" format="ascii">
          0 0 0  1 0 0  0 1 0  0 0 1
        </DataArray>
      </Points>
      <Cells>
        <DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3</DataArray>
        <DataArray type="Int32" Name="offsets" format="ascii">4</DataArray>
        <DataArray type="UInt8" Name="types" format="ascii">10</DataArray>
      </Cells>
    </Piece>
  </UnstructuredGrid>
</VTKFile>
)";

const std::string_view medit_text = R"(MeshVersionFormatted 2
# the unit cube's corner and a face of it
Dimension
3
Tetrahedra
1
1 2 3 4 5
Vertices
4
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
Triangles
2
1 2 3 9
1 2 4 0
Corners
2
1
2
End
)";

const std::string_view node_text =
    "# points\n4 3 1 1\n0 0 0 0 0.5 1\n1 1 0 0 0.5 1\n2 0 1 0 0.5 0\n3 0 0 1 0.5 0\n";
const std::string_view ele_text = "1 4 1\n0 0 1 2 3 6\n# end\n";

const std::string_view off_text = R"(OFF
# unit cube
8 6 12
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
4 3 2 1 0
4 4 5 6 7 255 0 0
4 0 1 5 4
4 1 2 6 5
4 2 3 7 6
4 3 0 4 7
)";

const std::string_view obj_text = R"(# unit cube
mtllib none.mtl
v 0 0 0
v 1 0 0 1.0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
vn 0 0 1
g ends
f 4//1 3//1 2//1 1//1
f -4/1 -3/2 -2/3 -1/4
g sides
f 1 2 6 \
  5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
)";

const std::string_view stl_text = R"(solid corner of a cube
 facet normal 0 0 -1
  outer loop
   vertex 0 0 0
   vertex 0 1 0
   vertex 1 0 0
  endloop
 endfacet
 facet normal 0 -1 0
  outer loop
   vertex 0 0 0
   vertex 1e0 0 0
   vertex 0 0 1
  endloop
 endfacet
 facet normal -1 0 0
  outer loop
   vertex 0 0 0
   vertex 0 0 1
   vertex -0 1 0
  endloop
 endfacet
 facet normal 1 1 1
  outer loop
   vertex 1 0 0
   vertex 0 1 0
   vertex 0 0 1
  endloop
 endfacet
endsolid corner of a cube
)";

std::string stl_binary() {
  Numbers out(Order::little);
  out.text(std::string("solid, although it is not text").append(50, ' ')).put<std::uint32_t>({4});
  const auto facet = [&out](std::initializer_list<float> corners) {
    out.put<float>({0, 0, 0}).put<float>(corners).put<std::uint16_t>({0});
  };
  facet({0, 0, 0, 0, 1, 0, 1, 0, 0});
  facet({0, 0, 0, 1, 0, 0, 0, 0, 1});
  facet({0, 0, 0, 0, 0, 1, 0, 1, 0});
  facet({1, 0, 0, 0, 1, 0, 0, 0, 1});
  return out.bytes();
}

std::string ply(Order order) {
  Numbers out(order);
  const std::array<std::string_view, 3> names = {"ascii", "binary_little_endian",
                                                 "binary_big_endian"};
  out.text("ply\nformat ").text(names[static_cast<std::size_t>(order)]).text(" 1.0\n");
  out.text("comment the unit cube\nelement vertex 8\nproperty uchar red\nproperty double x\n");
  out.text("property double y\nproperty double z\nelement face 6\nproperty float quality\n");
  out.text("property list uchar short vertex_indices\nproperty list uchar float other\n");
  out.text("end_header\n");
  const std::array<std::array<double, 3>, 8> corners = {
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  const std::string_view end = order == Order::text ? "\n" : "";
  for (const auto& x : corners)
    out.put<std::uint8_t>({200}).put<double>({x[0], x[1], x[2]}).text(end);
  const std::array<std::array<std::int16_t, 4>, 6> quads = {
      {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  for (const auto& q : quads) {
    out.put<float>({0.5F}).put<std::uint8_t>({4}).put<std::int16_t>({q[0], q[1], q[2], q[3]});
    out.put<std::uint8_t>({1}).put<float>({7}).text(end);
  }
  return out.bytes();
}

std::vector<Sample> all_samples() {
  std::vector<Sample> all;
  const auto add = [&all](std::string name, std::string_view bytes) {
    all.push_back({std::move(name), std::string(bytes), "", ""});
  };
  for (const Order order : {Order::text, Order::little, Order::big}) {
    const std::string tag = std::to_string(static_cast<int>(order));
    add("two_" + tag + ".msh", gmsh_2(order));
    add("four_" + tag + ".msh", gmsh_4(order));
    add("cube_" + tag + ".ply", ply(order));
    if (order != Order::text) add("appended_" + tag + ".vtu", vtu_appended(order));
    if (order == Order::little) continue;
    add("two_" + tag + ".vtk", vtk_legacy(order, 2));
    add("five_" + tag + ".vtk", vtk_legacy(order, 5));
  }
  add("text.vtu", vtu_text);
  add("text.mesh", medit_text);
  add("text.off", off_text);
  add("text.obj", obj_text);
  add("text.stl", stl_text);
  add("binary.stl", stl_binary());
  all.push_back({"pair.node", std::string(node_text), "pair.ele", std::string(ele_text)});
  all.push_back({"pair.ele", std::string(ele_text), "pair.node", std::string(node_text)});
  return all;
}

double volume(const Mesh& mesh) {
  constexpr std::array<std::array<std::size_t, 4>, 5> parts = {
      {{0, 1, 3, 4}, {1, 2, 3, 6}, {1, 5, 6, 4}, {3, 7, 4, 6}, {1, 3, 4, 6}}};
  double sum = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const auto x = [&](std::size_t i) {
        return mesh.points[static_cast<std::size_t>(block.element(e)[i])];
      };
      const auto tetrahedron = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        return (x(b) - x(a)).cross(x(c) - x(a)).dot(x(d) - x(a)) / 6;
      };
      if (block.type != ElementType::hex8) sum += tetrahedron(0, 1, 2, 3);
      for (std::size_t p = 0; block.type == ElementType::hex8 && p < parts.size(); ++p)
        sum += tetrahedron(parts[p][0], parts[p][1], parts[p][2], parts[p][3]);
    }
  return sum;
}

double enclosed_volume(const Mesh& mesh) {
  double sum = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const auto x = [&](std::size_t i) {
        return mesh.points[static_cast<std::size_t>(block.element(e)[i])];
      };
      sum += x(0).cross(x(1)).dot(x(2)) / 6;
    }
  return sum;
}

std::string error_of(const std::filesystem::path& path) {
  try {
    read_mesh(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace pliant::test
