// The surface of all bodies as the viewer's page draws it: the vertices of the boundary alone,
// numbered anew, with the triangles, the wireframe and what carries a value per cell to them. Made
// once per run; frames hold what moves. The binary form is that of docs/viewer-protocol.md.
#pragma once

#include <pliant/mesh/surface.hpp>

#include <cstdint>
#include <string>

namespace pliant {

struct BodyNodes {
  std::string name;
  Index first = 0, end = 0;  // nodes of the system
};

struct ViewedBody {
  std::string name;
  std::uint32_t vertices = 0, triangles = 0;
};

struct ViewedSurface {
  std::vector<Index> nodes;                             // of each vertex, ascending
  std::vector<float> rest;                              // m, three per vertex
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of vertices
  std::vector<std::array<std::uint32_t, 2>> edges;      // of the elements' faces, no diagonals
  std::vector<std::uint32_t> body;                      // of each vertex
  std::vector<std::uint8_t> pinned;                     // at the start, one per vertex
  std::vector<ViewedBody> bodies;
  // The cells around vertex k are cells[cell_start[k]] up to cells[cell_start[k + 1] − 1].
  std::vector<Index> cell_start, cells;

  std::size_t vertices() const { return nodes.size(); }
  // A value per cell as one per vertex: the mean of the cells around it.
  void to_vertices(std::span<const double> of_cells, std::span<float> out) const;
};

// A mesh with its surface whose nodes are those of the system from `first_node` on; the cells of
// the parts are counted one part after the other.
struct SurfacePart {
  const Mesh* mesh = nullptr;
  const Surface* surface = nullptr;
  Index first_node = 0;
};

ViewedSurface make_viewed_surface(std::span<const SurfacePart> parts,
                                  std::span<const BodyNodes> bodies);

std::string encode_surface(const ViewedSurface& surface);

}  // namespace pliant
