#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/io/formats/vtk_cells.hpp>

#include <algorithm>
#include <array>

namespace pliant::formats {
namespace {

// Cells with elements of ours, by number. Pixels and voxels count along the axes and need
// reordering.
enum VtkType {
  vtk_vertex = 1,
  vtk_poly_vertex = 2,
  vtk_line = 3,
  vtk_poly_line = 4,
  vtk_triangle = 5,
  vtk_triangle_strip = 6,
  vtk_polygon = 7,
  vtk_pixel = 8,
  vtk_quad = 9,
  vtk_tetra = 10,
  vtk_voxel = 11,
  vtk_hexahedron = 12,
  vtk_quadratic_tetra = 24,
};

struct OtherType {
  int number, dimension;
  std::string_view name;
};
constexpr auto other_types = std::to_array<OtherType>({
    {13, 3, "wedge"},
    {14, 3, "pyramid"},
    {15, 3, "pentagonal prism"},
    {16, 3, "hexagonal prism"},
    {21, 1, "quadratic edge"},
    {22, 2, "quadratic triangle"},
    {23, 2, "quadratic quad"},
    {25, 3, "quadratic hexahedron"},
    {26, 3, "quadratic wedge"},
    {27, 3, "quadratic pyramid"},
    {28, 2, "biquadratic quad"},
    {29, 3, "triquadratic hexahedron"},
    {30, 2, "quadratic linear quad"},
    {31, 3, "quadratic linear wedge"},
    {32, 3, "biquadratic quadratic wedge"},
    {33, 3, "biquadratic quadratic hexahedron"},
    {34, 2, "biquadratic triangle"},
    {35, 1, "cubic line"},
    {36, 2, "quadratic polygon"},
    {37, 3, "triquadratic pyramid"},
    {42, 3, "polyhedron"},
    {68, 1, "Lagrange curve"},
    {69, 2, "Lagrange triangle"},
    {70, 2, "Lagrange quadrilateral"},
    {71, 3, "Lagrange tetrahedron"},
    {72, 3, "Lagrange hexahedron"},
    {73, 3, "Lagrange wedge"},
    {74, 3, "Lagrange pyramid"},
    {75, 1, "Bezier curve"},
    {76, 2, "Bezier triangle"},
    {77, 2, "Bezier quadrilateral"},
    {78, 3, "Bezier tetrahedron"},
    {79, 3, "Bezier hexahedron"},
    {80, 3, "Bezier wedge"},
    {81, 3, "Bezier pyramid"},
});

struct Cell {
  std::size_t number;
  std::int64_t type;
  std::vector<Index> nodes;
};

class PieceAdder {
 public:
  PieceAdder(MeshBuilder& builder, const VtkPiece& piece,
             const std::vector<std::string>& region_names, const std::string& file)
      : builder_(builder), piece_(piece), region_names_(region_names), file_(file) {}

  void add() {
    first_point_ = static_cast<Index>(builder_.points.size());
    builder_.points.insert(builder_.points.end(), piece_.points.begin(), piece_.points.end());
    for (const auto& [name, flags] : piece_.node_sets) add_set(name, flags);
    Cell cell;
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < piece_.ends.size(); ++c) {
      const std::int64_t end = piece_.ends[c];
      if (end < begin || end > static_cast<std::int64_t>(piece_.connectivity.size()))
        fail(c, fmt::format("ends at {} of {} in the connectivity, and starts at {}", end,
                            piece_.connectivity.size(), begin));
      cell.number = c;
      cell.type = piece_.types[c];
      cell.nodes.clear();
      for (std::int64_t i = begin; i < end; ++i)
        cell.nodes.push_back(point(c, piece_.connectivity[static_cast<std::size_t>(i)]));
      add_cell(cell);
      begin = end;
    }
  }

 private:
  [[noreturn]] void fail(std::size_t cell, const std::string& problem) const {
    throw InputError(fmt::format("{}: cell {} {}", file_, cell, problem));
  }

  Index point(std::size_t cell, std::int64_t n) const {
    if (n < 0 || n >= static_cast<std::int64_t>(piece_.points.size()))
      fail(cell, fmt::format("names point {}, expected 0 to {}", n,
                             static_cast<std::int64_t>(piece_.points.size()) - 1));
    return first_point_ + static_cast<Index>(n);
  }

  void add_set(const std::string& name, const std::vector<std::int64_t>& flags) {
    const int group = builder_.group(0, name);
    for (std::size_t n = 0; n < std::min(flags.size(), piece_.points.size()); ++n)
      if (flags[n] != 0)
        builder_.add_members(std::array{first_point_ + static_cast<Index>(n)}, group);
  }

  int group(const Cell& cell, int dimension) {
    if (piece_.region.empty()) return MeshBuilder::no_group;
    const std::int64_t r = piece_.region[cell.number];
    if (r < 0 || r >= static_cast<std::int64_t>(region_names_.size()))
      return builder_.group(dimension, r);
    const std::string& name = region_names_[static_cast<std::size_t>(r)];
    return name == "default" ? MeshBuilder::no_group : builder_.group(dimension, name);
  }

  void require(const Cell& cell, std::size_t nodes, bool or_more = false) const {
    if (cell.nodes.size() == nodes || (or_more && cell.nodes.size() > nodes)) return;
    fail(cell.number, fmt::format("of type {} has {} points, expected {}{}", cell.type,
                                  cell.nodes.size(), nodes, or_more ? " or more" : ""));
  }

  void add_fixed(const Cell& cell, ElementType type) {
    require(cell, static_cast<std::size_t>(nodes_per_element(type)));
    builder_.add(type, cell.nodes, group(cell, dimension(type)));
  }

  void add_strip(const Cell& cell) {
    require(cell, 3, true);
    const int region = group(cell, 2);
    for (std::size_t i = 2; i < cell.nodes.size(); ++i) {
      const std::size_t odd = i % 2;  // every other triangle is turned round
      builder_.add(ElementType::tri3,
                   std::array{cell.nodes[i - 2 + odd], cell.nodes[i - 1 - odd], cell.nodes[i]},
                   region);
    }
  }

  void add_poly_line(const Cell& cell) {
    require(cell, 2, true);
    const int region = group(cell, 1);
    for (std::size_t i = 1; i < cell.nodes.size(); ++i)
      builder_.add(ElementType::segment2, std::array{cell.nodes[i - 1], cell.nodes[i]}, region);
  }

  void add_polygon(const Cell& cell) {
    if (cell.nodes.size() == 4) return add_fixed(cell, ElementType::quad4);
    require(cell, 3, true);
    builder_.add_fan(cell.nodes, group(cell, 2));
  }

  void add_along_axes(Cell& cell, ElementType type) {
    require(cell, static_cast<std::size_t>(nodes_per_element(type)));
    for (std::size_t i = 2; i < cell.nodes.size(); i += 4)
      std::swap(cell.nodes[i], cell.nodes[i + 1]);
    add_fixed(cell, type);
  }

  void add_cell(Cell& cell) {
    switch (cell.type) {
      case vtk_vertex:
      case vtk_poly_vertex:
        return;
      case vtk_line:
        return add_fixed(cell, ElementType::segment2);
      case vtk_poly_line:
        return add_poly_line(cell);
      case vtk_triangle:
        return add_fixed(cell, ElementType::tri3);
      case vtk_triangle_strip:
        return add_strip(cell);
      case vtk_polygon:
        return add_polygon(cell);
      case vtk_pixel:
        return add_along_axes(cell, ElementType::quad4);
      case vtk_quad:
        return add_fixed(cell, ElementType::quad4);
      case vtk_tetra:
        return add_fixed(cell, ElementType::tet4);
      case vtk_voxel:
        return add_along_axes(cell, ElementType::hex8);
      case vtk_hexahedron:
        return add_fixed(cell, ElementType::hex8);
      case vtk_quadratic_tetra:
        return add_fixed(cell, ElementType::tet10);
      default:
        break;
    }
    for (const OtherType& other : other_types) {
      if (other.number != cell.type) continue;
      builder_.add_unsupported(other.dimension, other.name,
                               [&] { return fmt::format("{}: cell {}", file_, cell.number); });
      return builder_.add_members(cell.nodes, group(cell, other.dimension));
    }
    fail(cell.number, fmt::format("has type {}, which is unknown", cell.type));
  }

  MeshBuilder& builder_;
  const VtkPiece& piece_;
  const std::vector<std::string>& region_names_;
  const std::string& file_;
  Index first_point_ = 0;
};

}  // namespace

int vtk_cell_type(ElementType type) {
  constexpr std::array<int, 6> types = {vtk_line,  vtk_triangle,        vtk_quad,
                                        vtk_tetra, vtk_quadratic_tetra, vtk_hexahedron};
  return types[static_cast<std::size_t>(type)];
}

bool better_region_array(std::string_view name, std::string_view than) {
  constexpr std::array<std::string_view, 6> names = {region_array,    "gmsh:physical", "medit:ref",
                                                     "CellEntityIds", "MaterialIDs",   "material"};
  const auto found = std::find(names.begin(), names.end(), name);
  return found != names.end() && found < std::find(names.begin(), names.end(), than);
}

void add_piece(MeshBuilder& builder, const VtkPiece& piece,
               const std::vector<std::string>& region_names, const std::string& file) {
  if (piece.types.size() != piece.ends.size())
    throw InputError(fmt::format("{}: has {} cells, but {} cell types", file, piece.ends.size(),
                                 piece.types.size()));
  if (!piece.region.empty() && piece.region.size() != piece.ends.size())
    throw InputError(fmt::format("{}: has {} cells, but {} numbers of regions", file,
                                 piece.ends.size(), piece.region.size()));
  PieceAdder(builder, piece, region_names, file).add();
}

}  // namespace pliant::formats
