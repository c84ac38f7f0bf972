// MEDIT .mesh (INRIA), text: sections named by keywords, in any order, numbers that start at one.
// The reference of an element numbers its group; 0 is none. Sections that are not mesh (normals,
// corners, required edges …) are skipped. The binary .meshb is not read. Source: P. Frey, MEDIT: an
// interactive mesh visualization software, INRIA RT-0253, 2001.
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>
#include <pliant/io/mesh_builder.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <array>
#include <iterator>

namespace pliant::formats {
namespace {

struct Keyword {
  std::string_view name;
  int dimension, nodes;
  int element = -1;  // our ElementType, or -1
};

constexpr auto keywords = std::to_array<Keyword>({
    {"Edges", 1, 2, static_cast<int>(ElementType::segment2)},
    {"Triangles", 2, 3, static_cast<int>(ElementType::tri3)},
    {"Quadrilaterals", 2, 4, static_cast<int>(ElementType::quad4)},
    {"Tetrahedra", 3, 4, static_cast<int>(ElementType::tet4)},
    {"TetrahedraP2", 3, 10, static_cast<int>(ElementType::tet10)},
    {"Hexahedra", 3, 8, static_cast<int>(ElementType::hex8)},
    {"Hexaedra", 3, 8, static_cast<int>(ElementType::hex8)},  // as older programs spell it
    {"EdgesP2", 1, 3},
    {"TrianglesP2", 2, 6},
    {"QuadrilateralsQ2", 2, 9},
    {"Prisms", 3, 6},
    {"Pyramids", 3, 5},
    {"HexahedraQ2", 3, 27},
});

bool is_word(std::string_view word) {
  const char c = word.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class MeditFile {
 public:
  explicit MeditFile(const Source& source)
      : cursor_(source.name, source.bytes, '#'), builder_(source.name, source.log) {}

  Mesh read() {
    if (cursor_.peek() != "MeshVersionFormatted") {
      const std::string_view first = cursor_.word("MeshVersionFormatted");
      cursor_.fail(
          fmt::format("expected MeshVersionFormatted at the start, got {}", in_quotes(first)));
    }
    find_vertices();
    while (!cursor_.at_end()) {
      const std::string_view keyword = cursor_.word("a keyword");
      if (keyword == "End") break;
      read_section(keyword);
    }
    return builder_.finish();
  }

 private:
  // Elements may come before the vertices they name, so the vertices are read first.
  void find_vertices() {
    int dimension = 0;
    while (!cursor_.at_end()) {
      const std::string_view keyword = cursor_.word("a keyword");
      if (keyword == "Dimension") {
        dimension = cursor_.number<std::int32_t>("the dimension");
        if (dimension != 2 && dimension != 3)
          cursor_.fail(fmt::format("the dimension must be 2 or 3, got {}", dimension));
      } else if (keyword == "Vertices") {
        if (dimension == 0) cursor_.fail("Vertices comes before Dimension");
        read_vertices(dimension);
        cursor_.seek(0);
        return;
      }
    }
    cursor_.fail("there is no Vertices section");
  }

  void read_vertices(int dimension) {
    const auto claimed = cursor_.number<std::int64_t>("the number of vertices");
    const std::size_t count = cursor_.checked_count(claimed, dimension == 2 ? 6 : 8, "vertices");
    builder_.points.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
      Vec3 x = Vec3::Zero();
      for (int i = 0; i < dimension; ++i) x[i] = cursor_.number<double>("a coordinate");
      cursor_.number<double>("a reference");  // some programs write it as a real
      builder_.points.push_back(x);
    }
  }

  void read_section(std::string_view name) {
    if (!is_word(name)) cursor_.fail(fmt::format("expected a keyword, got {}", in_quotes(name)));
    for (const Keyword& keyword : keywords)
      if (keyword.name == name) return read_elements(keyword);
    while (!cursor_.at_end() && !is_word(cursor_.peek())) cursor_.word("a number");
  }

  void read_elements(const Keyword& keyword) {
    const auto claimed = cursor_.number<std::int64_t>("the number of elements");
    const auto each = static_cast<std::size_t>(2 * (keyword.nodes + 1));
    const std::size_t count = cursor_.checked_count(claimed, each, keyword.name);
    std::array<Index, 27> nodes;
    const std::span<const Index> used(nodes.data(), static_cast<std::size_t>(keyword.nodes));
    for (std::size_t e = 0; e < count; ++e) {
      for (std::size_t i = 0; i < used.size(); ++i)
        nodes[i] = cursor_.checked_index(cursor_.number<std::int64_t>("a vertex"), 1,
                                         builder_.points.size(), "vertex");
      const auto reference = cursor_.number<std::int32_t>("a reference");
      const int group =
          reference == 0 ? MeshBuilder::no_group : builder_.group(keyword.dimension, reference);
      if (keyword.element >= 0) {
        builder_.add(static_cast<ElementType>(keyword.element), used, group);
      } else {
        builder_.add_unsupported(keyword.dimension, keyword.name,
                                 [this] { return cursor_.where(); });
        builder_.add_members(used, group);
      }
    }
  }

  FileCursor cursor_;
  MeshBuilder builder_;
};

}  // namespace

Mesh read_medit(const Source& source) { return MeditFile(source).read(); }

std::string write_medit(const Mesh& mesh, const MeshWriteOptions&) {
  constexpr std::array<std::string_view, 6> names = {"Edges",      "Triangles",    "Quadrilaterals",
                                                     "Tetrahedra", "TetrahedraP2", "Hexahedra"};
  std::string text = "MeshVersionFormatted 2\nDimension 3\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "Vertices\n{}\n", mesh.points.size());
  for (const Vec3& x : mesh.points) fmt::format_to(out, "{} {} {} 0\n", x.x(), x.y(), x.z());
  for (const ElementBlock& block : mesh.blocks) {
    fmt::format_to(out, "{}\n{}\n", names[static_cast<std::size_t>(block.type)], block.size());
    for (Index e = 0; e < block.size(); ++e) {
      for (const Index n : block.element(e)) fmt::format_to(out, "{} ", n + 1);
      const Index region = block.region[static_cast<std::size_t>(e)];
      const bool none = mesh.region_names[static_cast<std::size_t>(region)] == "default";
      fmt::format_to(out, "{}\n", none ? 0 : region + 1);
    }
  }
  return text + "End\n";
}

}  // namespace pliant::formats
