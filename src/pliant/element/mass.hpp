// The mass matrix M_ab = ∫ ρ N_a N_b dX of a block of elements, consistent or lumped.
#pragma once

#include <pliant/mesh/mesh.hpp>
#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

struct MassInput {
  ElementType type = ElementType::tet4;
  std::span<const Index> connectivity;
  std::span<const Vec3> rest;       // of all nodes
  std::span<const double> density;  // kg/m³ for solids, one per element or one for all
  bool lumped =
      false;  // diagonal: each element's M_aa scaled to its mass (Hinton, Rock, Zienkiewicz 1976)
};

void add_mass(const MassInput& input, NodeMatrix& M);

// The same of triangles and segments, whose density is per area (kg/m²) or per length (kg/m).
void add_thin_mass(const MassInput& input, NodeMatrix& M);

}  // namespace pliant
