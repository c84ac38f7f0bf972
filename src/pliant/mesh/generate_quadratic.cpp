// tet4 to tet10. Edges are found by sorting, so that numbers depend on the mesh alone.
#include <pliant/mesh/generators.hpp>

#include <algorithm>

namespace pliant {
namespace {

using NodePair = std::array<Index, 2>;

// Middles of these edges follow the corners of a tet10 (VTK's order).
constexpr std::array<std::array<std::size_t, 2>, 6> middle_edges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

NodePair edge_of(std::span<const Index> tet, std::size_t k) {
  const auto [a, b] = std::minmax(tet[middle_edges[k][0]], tet[middle_edges[k][1]]);
  return {a, b};
}

std::vector<NodePair> unique_edges(const ElementBlock& block) {
  std::vector<NodePair> edges;
  edges.reserve(static_cast<std::size_t>(block.size()) * 6);
  for (Index e = 0; e < block.size(); ++e)
    for (std::size_t k = 0; k < 6; ++k) edges.push_back(edge_of(block.element(e), k));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

ElementBlock promote(const ElementBlock& block, const std::vector<NodePair>& edges,
                     Index first_middle) {
  ElementBlock quadratic;
  quadratic.type = ElementType::tet10;
  quadratic.region = block.region;
  quadratic.nodes.reserve(static_cast<std::size_t>(block.size()) * 10);
  for (Index e = 0; e < block.size(); ++e) {
    const auto tet = block.element(e);
    quadratic.nodes.insert(quadratic.nodes.end(), tet.begin(), tet.end());
    for (std::size_t k = 0; k < 6; ++k) {
      const auto at = std::lower_bound(edges.begin(), edges.end(), edge_of(tet, k));
      quadratic.nodes.push_back(first_middle + static_cast<Index>(at - edges.begin()));
    }
  }
  return quadratic;
}

}  // namespace

Mesh make_quadratic(const Mesh& mesh) {
  Mesh result = mesh;
  const Index corners = mesh.point_count();
  for (ElementBlock& block : result.blocks) {
    if (block.type != ElementType::tet4) continue;
    const std::vector<NodePair> edges = unique_edges(block);
    for (const auto& [a, b] : edges)
      result.points.push_back(
          (mesh.points[static_cast<std::size_t>(a)] + mesh.points[static_cast<std::size_t>(b)]) /
          2);
    for (auto& [name, set] : result.node_sets) {
      std::vector<char> inside(static_cast<std::size_t>(corners), 0);
      for (const Index n : set) inside[static_cast<std::size_t>(n)] = 1;
      for (std::size_t k = 0; k < edges.size(); ++k)
        if (inside[static_cast<std::size_t>(edges[k][0])] &&
            inside[static_cast<std::size_t>(edges[k][1])])
          set.push_back(corners + static_cast<Index>(k));
    }
    block = promote(block, edges, corners);
  }
  return result;
}

}  // namespace pliant
