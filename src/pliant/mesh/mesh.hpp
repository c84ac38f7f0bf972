// A mesh: points, blocks of elements of one kind, named regions and named sets of nodes. Plain
// data; generators, readers and the mesher make it, bodies are built from it.
#pragma once

#include <pliant/core/types.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class ElementType { segment2, tri3, quad4, tet4, tet10, hex8 };

constexpr int nodes_per_element(ElementType type) {
  constexpr std::array<int, 6> count = {2, 3, 4, 4, 10, 8};
  return count[static_cast<std::size_t>(type)];
}
constexpr int dimension(ElementType type) {
  constexpr std::array<int, 6> dim = {1, 2, 2, 3, 3, 3};
  return dim[static_cast<std::size_t>(type)];
}
constexpr std::string_view name_of(ElementType type) {
  constexpr std::array<std::string_view, 6> names = {"segment2", "tri3",  "quad4",
                                                     "tet4",     "tet10", "hex8"};
  return names[static_cast<std::size_t>(type)];
}

// Node order is VTK's: tet10 has its corners first, then the middles of edges 01, 12, 02, 03, 13,
// 23; hex8 has the bottom face counter-clockwise seen from above, then the top face.
struct ElementBlock {
  ElementType type = ElementType::tet4;
  std::vector<Index> nodes;   // nodes_per_element(type) per element, flat
  std::vector<Index> region;  // one per element, an index into Mesh::region_names

  Index size() const { return static_cast<Index>(nodes.size()) / nodes_per_element(type); }
  std::span<const Index> element(Index e) const {
    const auto n = static_cast<std::size_t>(nodes_per_element(type));
    return std::span<const Index>(nodes).subspan(static_cast<std::size_t>(e) * n, n);
  }
};

struct Mesh {
  std::vector<Vec3> points;          // m
  std::vector<ElementBlock> blocks;  // at most one per element type
  std::vector<std::string> region_names = {"default"};
  std::map<std::string, std::vector<Index>> node_sets;  // named selections from a file, sorted

  Index point_count() const { return static_cast<Index>(points.size()); }
  Index element_count() const {
    Index n = 0;
    for (const ElementBlock& block : blocks) n += block.size();
    return n;
  }
  // The highest dimension among the blocks: 3 for solids, 2 for sheets, 1 for cables, 0 if empty.
  int top_dimension() const {
    int d = 0;
    for (const ElementBlock& block : blocks) d = std::max(d, dimension(block.type));
    return d;
  }
};

}  // namespace pliant
