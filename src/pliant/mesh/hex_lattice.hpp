// What every generator of solids builds first: points and hexahedra that fit together face to face,
// with a colour for every point such that neighbours along edges differ. The colour makes the split
// of each hexahedron into five tetrahedra agree with its neighbours' without looking at them.
// Private to the module.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <array>

namespace pliant {

struct HexLattice {
  std::vector<Vec3> points;
  std::vector<char> colour;                 // 0 or 1 per point
  std::vector<std::array<Index, 8>> hexes;  // VTK order, right-handed
};

// The lattice as a mesh of hex8, tet4 or tet10; split 5 or 6 matters to tetrahedra only. Six tets
// share the diagonal 0–6, which agrees between cells of a regular grid but not in general.
Mesh make_mesh(const HexLattice& lattice, ElementType element, int split);

}  // namespace pliant
