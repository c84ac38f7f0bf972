// Numbers that make memory follow space: points along a Hilbert curve through the bounding box,
// elements by their smallest point, so that elements near each other touch points near each other.
// Depends on nothing but the mesh.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct Renumbering {
  std::vector<Index> point;                 // new number of each old point
  std::vector<std::vector<Index>> element;  // per block: old number of each new element
};
Renumbering renumber_for_locality(Mesh& mesh);

// The place of a lattice point along the Hilbert curve through a cube of 2²¹ points a side; points
// that follow each other on the curve are neighbours.
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> x);

}  // namespace pliant
