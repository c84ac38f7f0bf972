#include <pliant/mesh/hex_lattice.hpp>

#include <pliant/mesh/generators.hpp>

namespace pliant {
namespace {

using Tet = std::array<std::size_t, 4>;

// Four corners cut off, one regular tetrahedron left in the middle (Freudenthal's is the other
// one).
constexpr std::array<Tet, 5> even_split = {
    {{0, 2, 7, 5}, {1, 2, 0, 5}, {3, 0, 2, 7}, {4, 7, 5, 0}, {6, 5, 7, 2}}};
constexpr std::array<Tet, 5> odd_split = {
    {{1, 3, 4, 6}, {0, 1, 3, 4}, {2, 3, 1, 6}, {5, 4, 6, 1}, {7, 6, 4, 3}}};
// One for each way from corner 0 to corner 6 along the axes.
constexpr std::array<Tet, 6> six_split = {
    {{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}}};

void add_tets(const std::array<Index, 8>& hex, std::span<const Tet> tets,
              std::vector<Index>& nodes) {
  for (const Tet& tet : tets)
    for (const std::size_t corner : tet) nodes.push_back(hex[corner]);
}

}  // namespace

Mesh make_mesh(const HexLattice& lattice, ElementType element, int split) {
  Mesh mesh;
  mesh.points = lattice.points;
  ElementBlock& block = mesh.blocks.emplace_back();
  block.type = element == ElementType::hex8 ? ElementType::hex8 : ElementType::tet4;
  for (const std::array<Index, 8>& hex : lattice.hexes) {
    if (element == ElementType::hex8)
      block.nodes.insert(block.nodes.end(), hex.begin(), hex.end());
    else if (split == 6)
      add_tets(hex, six_split, block.nodes);
    else if (lattice.colour[static_cast<std::size_t>(hex[0])] == 0)
      add_tets(hex, even_split, block.nodes);
    else
      add_tets(hex, odd_split, block.nodes);
  }
  block.region.assign(static_cast<std::size_t>(block.size()), 0);
  return element == ElementType::tet10 ? make_quadratic(mesh) : mesh;
}

}  // namespace pliant
