// The surface of a mesh as triangles, for contact, pressure, drawing and writing.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <array>

namespace pliant {

// Of a solid mesh: the faces that belong to one element only, facing outwards, in the order of
// their elements. Quadrilaterals are cut at their smallest node; a face of tet10 becomes four
// triangles. Of a sheet: its own triangles. Of a cable: no triangles, but its segments as edges.
// Elements of a lower dimension than the mesh's top dimension are ignored.
struct Surface {
  std::vector<std::array<Index, 3>> triangles;
  std::vector<Index> element;               // of each triangle, counted over the blocks in order
  std::vector<std::array<Index, 2>> edges;  // each once, lower node first, ascending
};
Surface make_surface(const Mesh& mesh);

std::vector<std::array<Index, 2>> unique_edges(std::span<const std::array<Index, 3>> triangles);

double surface_area(std::span<const Vec3> points, std::span<const std::array<Index, 3>> triangles);
// Signed, positive when a closed surface faces outwards.
double enclosed_volume(std::span<const Vec3> points,
                       std::span<const std::array<Index, 3>> triangles);

}  // namespace pliant
