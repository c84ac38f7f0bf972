// VTK files of a mesh: .vtk as text in version 3.0, which every program reads, and .vtu with arrays
// as text or compressed and in base64, so that the file is XML throughout. Regions are a cell array
// with their names in the field data, node sets are point arrays of zeros and ones. Source: "VTK
// File Formats" (The VTK User's Guide).
#include <fmt/format.h>
#include <pliant/io/encoding.hpp>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/formats/vtk_cells.hpp>

#include <bit>
#include <iterator>

namespace pliant::formats {
namespace {

using Out = std::back_insert_iterator<std::string>;

struct FlatCells {
  std::vector<std::int32_t> connectivity, region;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;
};

FlatCells flatten(const Mesh& mesh) {
  FlatCells cells;
  for (const ElementBlock& block : mesh.blocks) {
    const auto nodes = static_cast<std::size_t>(nodes_per_element(block.type));
    const std::size_t before = cells.connectivity.size();
    cells.connectivity.insert(cells.connectivity.end(), block.nodes.begin(), block.nodes.end());
    cells.region.insert(cells.region.end(), block.region.begin(), block.region.end());
    for (std::size_t end = before + nodes; end <= cells.connectivity.size(); end += nodes)
      cells.offsets.push_back(static_cast<std::int64_t>(end));
    cells.types.resize(cells.offsets.size(), static_cast<std::uint8_t>(vtk_cell_type(block.type)));
  }
  return cells;
}

std::vector<std::uint8_t> flags_of(const std::vector<Index>& nodes, std::size_t points) {
  std::vector<std::uint8_t> flags(points, 0);
  for (const Index n : nodes) flags[static_cast<std::size_t>(n)] = 1;
  return flags;
}

// Names as legacy files hold them: blanks and odd characters as %20.
std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = c > ' ' && c < 127 && c != '%' && c != '"';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

template <class T>
void write_list(Out out, const std::vector<T>& values, std::size_t per_line) {
  for (std::size_t i = 0; i < values.size(); ++i)
    fmt::format_to(out, "{}{}", values[i], (i + 1) % per_line == 0 ? '\n' : ' ');
  fmt::format_to(out, "\n");
}

class VtuText {
 public:
  explicit VtuText(bool ascii) : ascii_(ascii), out_(text_) {}

  void line(std::string_view part) { text_.append(part).append("\n"); }

  template <class T>
  void array(std::string_view type, std::string_view name, int components,
             const std::vector<T>& values) {
    fmt::format_to(
        out_, "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\">\n", type,
        xml_escaped(on_one_line(std::string(name))), components, ascii_ ? "ascii" : "binary");
    numbers(values);
    line("</DataArray>");
  }

  void names(std::string_view name, const std::vector<std::string>& strings) {
    std::vector<std::uint8_t> characters;
    for (const std::string& string : strings) {
      characters.insert(characters.end(), string.begin(), string.end());
      characters.push_back(0);
    }
    fmt::format_to(out_,
                   "<Array type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"{}\">\n",
                   name, strings.size(), ascii_ ? "ascii" : "binary");
    numbers(characters);
    line("</Array>");
  }

  std::string take() { return std::move(text_); }

 private:
  template <class T>
  void numbers(const std::vector<T>& values) {
    if (ascii_) return write_list(out_, values, 12);
    const std::vector<std::byte> packed = vtk_compress(std::as_bytes(std::span<const T>(values)));
    const std::span<const std::byte> bytes = packed;
    const std::size_t header = vtk_header_size(bytes);
    text_ += base64_encode(bytes.first(header)) + base64_encode(bytes.subspan(header)) + "\n";
  }

  bool ascii_;
  std::string text_;
  Out out_;
};

std::vector<double> coordinates(const Mesh& mesh) {
  std::vector<double> x;
  x.reserve(3 * mesh.points.size());
  for (const Vec3& point : mesh.points) x.insert(x.end(), point.begin(), point.end());
  return x;
}

}  // namespace

std::string write_vtk(const Mesh& mesh, const MeshWriteOptions&) {
  const FlatCells cells = flatten(mesh);
  const std::size_t count = cells.offsets.size();
  std::string text = "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  const Out out(text);
  fmt::format_to(out, "FIELD FieldData 1\n{} 1 {} string\n", region_names_array,
                 mesh.region_names.size());
  for (const std::string& name : mesh.region_names)
    fmt::format_to(out, "{}\n", percent_encoded(name));
  fmt::format_to(out, "POINTS {} double\n", mesh.points.size());
  write_list(out, coordinates(mesh), 3);
  fmt::format_to(out, "CELLS {} {}\n", count, count + cells.connectivity.size());
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      fmt::format_to(out, "{}", nodes_per_element(block.type));
      for (const Index n : block.element(e)) fmt::format_to(out, " {}", n);
      fmt::format_to(out, "\n");
    }
  fmt::format_to(out, "CELL_TYPES {}\n", count);
  write_list(out, cells.types, 30);
  fmt::format_to(out, "CELL_DATA {}\nSCALARS {} int 1\nLOOKUP_TABLE default\n", count,
                 region_array);
  write_list(out, cells.region, 30);
  if (mesh.node_sets.empty()) return text;
  fmt::format_to(out, "POINT_DATA {}\nFIELD FieldData {}\n", mesh.points.size(),
                 mesh.node_sets.size());
  for (const auto& [name, nodes] : mesh.node_sets) {
    fmt::format_to(out, "{}{} 1 {} unsigned_char\n", node_set_prefix, percent_encoded(name),
                   mesh.points.size());
    write_list(out, flags_of(nodes, mesh.points.size()), 30);
  }
  return text;
}

std::string write_vtu(const Mesh& mesh, const MeshWriteOptions& options) {
  const FlatCells cells = flatten(mesh);
  VtuText text(options.ascii);
  text.line("<?xml version=\"1.0\"?>");
  text.line(
      fmt::format("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" "
                  "header_type=\"UInt64\"{}>",
                  std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian",
                  options.ascii ? "" : " compressor=\"vtkZLibDataCompressor\""));
  text.line("<UnstructuredGrid>\n<FieldData>");
  text.names(region_names_array, mesh.region_names);
  text.line(
      fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>",
                  mesh.points.size(), cells.offsets.size()));
  for (const auto& [name, nodes] : mesh.node_sets)
    text.array("UInt8", fmt::format("{}{}", node_set_prefix, name), 1,
               flags_of(nodes, mesh.points.size()));
  text.line("</PointData>\n<CellData>");
  text.array("Int32", region_array, 1, cells.region);
  text.line("</CellData>\n<Points>");
  text.array("Float64", "Points", 3, coordinates(mesh));
  text.line("</Points>\n<Cells>");
  text.array("Int32", "connectivity", 1, cells.connectivity);
  text.array("Int64", "offsets", 1, cells.offsets);
  text.array("UInt8", "types", 1, cells.types);
  text.line("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>");
  return text.take();
}

}  // namespace pliant::formats
