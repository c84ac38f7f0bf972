// Gmsh .msh in text, version 4.1 or 2.2. Regions become physical groups of their dimension; node
// sets become physical groups of points, one point element for each node, so that both come back by
// name. Source: Gmsh reference manual, "Gmsh file formats".
#include <fmt/format.h>
#include <pliant/io/formats/formats.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace pliant::formats {
namespace {

constexpr std::array<int, 6> gmsh_number = {1, 2, 3, 4, 11, 5};  // by ElementType
constexpr int gmsh_point = 15;

using Out = std::back_insert_iterator<std::string>;

struct Piece {  // the elements of one type in one region, a block of version 4.1
  const ElementBlock* block;
  Index region;
  std::vector<Index> elements;
};

std::vector<Piece> pieces_of(const Mesh& mesh) {
  std::vector<Piece> pieces;
  for (const ElementBlock& block : mesh.blocks) {
    const std::size_t first = pieces.size();
    for (std::size_t r = 0; r < mesh.region_names.size(); ++r)
      pieces.push_back({&block, static_cast<Index>(r), {}});
    for (Index e = 0; e < block.size(); ++e) {
      const Index region = block.region[static_cast<std::size_t>(e)];
      pieces[first + static_cast<std::size_t>(region)].elements.push_back(e);
    }
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.elements.empty(); });
  return pieces;
}

// The sets that hold each node of a set, by number: 1 for the first set.
std::map<Index, std::vector<int>> sets_by_node(const Mesh& mesh) {
  std::map<Index, std::vector<int>> sets;
  int number = 0;
  for (const auto& [name, nodes] : mesh.node_sets) {
    ++number;
    for (const Index n : nodes) sets[n].push_back(number);
  }
  return sets;
}

// Gmsh ends a name at the next quotation mark.
std::string without_quotes(const std::string& name) {
  std::string plain = on_one_line(name);
  std::replace(plain.begin(), plain.end(), '"', '\'');
  return plain;
}

void write_physical_names(Out out, const Mesh& mesh, const std::vector<Piece>& pieces) {
  std::map<std::pair<int, Index>, std::string> regions;
  for (const Piece& piece : pieces)
    regions[{dimension(piece.block->type), piece.region}] =
        mesh.region_names[static_cast<std::size_t>(piece.region)];
  // Elements outside every group come back as region "default", so it needs no group.
  std::erase_if(regions, [](const auto& region) { return region.second == "default"; });
  fmt::format_to(out, "$PhysicalNames\n{}\n", regions.size() + mesh.node_sets.size());
  int number = 0;
  for (const auto& [name, nodes] : mesh.node_sets)
    fmt::format_to(out, "0 {} \"{}\"\n", ++number, without_quotes(name));
  for (const auto& [key, name] : regions)
    fmt::format_to(out, "{} {} \"{}\"\n", key.first, key.second + 1, without_quotes(name));
  fmt::format_to(out, "$EndPhysicalNames\n");
}

void write_element_nodes(Out out, const ElementBlock& block, Index e) {
  const std::span<const Index> nodes = block.element(e);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    // Gmsh's tet10 has the middles of edges 23 and 13 the other way round.
    const bool swap = block.type == ElementType::tet10 && i >= 8;
    fmt::format_to(out, " {}", nodes[swap ? 17 - i : i] + 1);
  }
  fmt::format_to(out, "\n");
}

int physical_tag(const Mesh& mesh, Index region) {
  return mesh.region_names[static_cast<std::size_t>(region)] == "default" ? 0 : region + 1;
}

void write_version_2(Out out, const Mesh& mesh, const std::vector<Piece>& pieces) {
  fmt::format_to(out, "$Nodes\n{}\n", mesh.points.size());
  for (std::size_t n = 0; n < mesh.points.size(); ++n)
    fmt::format_to(out, "{} {} {} {}\n", n + 1, mesh.points[n].x(), mesh.points[n].y(),
                   mesh.points[n].z());
  std::size_t count = static_cast<std::size_t>(mesh.element_count());
  for (const auto& [name, nodes] : mesh.node_sets) count += nodes.size();
  fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", count);
  std::size_t number = 0;
  int set = 0;
  for (const auto& [name, nodes] : mesh.node_sets) {
    ++set;
    for (const Index n : nodes)
      fmt::format_to(out, "{} {} 2 {} {} {}\n", ++number, gmsh_point, set, n + 1, n + 1);
  }
  for (const Piece& piece : pieces)
    for (const Index e : piece.elements) {
      fmt::format_to(out, "{} {} 2 {} {}", ++number,
                     gmsh_number[static_cast<std::size_t>(piece.block->type)],
                     physical_tag(mesh, piece.region), piece.region + 1);
      write_element_nodes(out, *piece.block, e);
    }
  fmt::format_to(out, "$EndElements\n");
}

// One point entity for each node of a set, one entity for each region and dimension.
void write_entities_4(Out out, const Mesh& mesh, const std::vector<Piece>& pieces) {
  const auto sets = sets_by_node(mesh);
  std::array<std::map<Index, int>, 4> regions;  // by dimension: entity − 1, physical tag
  for (const Piece& piece : pieces)
    regions[static_cast<std::size_t>(dimension(piece.block->type))][piece.region] =
        physical_tag(mesh, piece.region);
  fmt::format_to(out, "$Entities\n{} {} {} {}\n", sets.size(), regions[1].size(), regions[2].size(),
                 regions[3].size());
  for (const auto& [n, numbers] : sets) {
    const Vec3& x = mesh.points[static_cast<std::size_t>(n)];
    fmt::format_to(out, "{} {} {} {} {}", n + 1, x.x(), x.y(), x.z(), numbers.size());
    for (const int number : numbers) fmt::format_to(out, " {}", number);
    fmt::format_to(out, "\n");
  }
  Vec3 low = mesh.points.front(), high = low;
  for (const Vec3& x : mesh.points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  for (std::size_t d = 1; d <= 3; ++d)
    for (const auto& [region, tag] : regions[d]) {
      fmt::format_to(out, "{} {} {} {} {} {} {}", region + 1, low.x(), low.y(), low.z(), high.x(),
                     high.y(), high.z());
      tag == 0 ? fmt::format_to(out, " 0 0\n") : fmt::format_to(out, " 1 {} 0\n", tag);
    }
  fmt::format_to(out, "$EndEntities\n");
}

void write_nodes_4(Out out, const Mesh& mesh, const std::vector<Piece>& pieces) {
  const std::size_t count = mesh.points.size();
  fmt::format_to(out, "$Nodes\n1 {} 1 {}\n{} {} 0 {}\n", count, count,
                 dimension(pieces.front().block->type), pieces.front().region + 1, count);
  for (std::size_t n = 1; n <= count; ++n) fmt::format_to(out, "{}\n", n);
  for (const Vec3& x : mesh.points) fmt::format_to(out, "{} {} {}\n", x.x(), x.y(), x.z());
  fmt::format_to(out, "$EndNodes\n");
}

void write_elements_4(Out out, const Mesh& mesh, const std::vector<Piece>& pieces) {
  const auto sets = sets_by_node(mesh);
  const std::size_t count = sets.size() + static_cast<std::size_t>(mesh.element_count());
  fmt::format_to(out, "$Elements\n{} {} 1 {}\n", sets.size() + pieces.size(), count, count);
  std::size_t number = 0;
  for (const auto& entry : sets)
    fmt::format_to(out, "0 {} {} 1\n{} {}\n", entry.first + 1, gmsh_point, ++number,
                   entry.first + 1);
  for (const Piece& piece : pieces) {
    fmt::format_to(out, "{} {} {} {}\n", dimension(piece.block->type), piece.region + 1,
                   gmsh_number[static_cast<std::size_t>(piece.block->type)], piece.elements.size());
    for (const Index e : piece.elements) {
      fmt::format_to(out, "{}", ++number);
      write_element_nodes(out, *piece.block, e);
    }
  }
  fmt::format_to(out, "$EndElements\n");
}

}  // namespace

std::string write_gmsh(const Mesh& mesh, const MeshWriteOptions& options) {
  std::string text;
  const Out out(text);
  const std::vector<Piece> pieces = pieces_of(mesh);
  fmt::format_to(out, "$MeshFormat\n{} 0 8\n$EndMeshFormat\n", options.gmsh_22 ? "2.2" : "4.1");
  write_physical_names(out, mesh, pieces);
  if (options.gmsh_22) {
    write_version_2(out, mesh, pieces);
  } else {
    write_entities_4(out, mesh, pieces);
    write_nodes_4(out, mesh, pieces);
    write_elements_4(out, mesh, pieces);
  }
  return text;
}

}  // namespace pliant::formats
