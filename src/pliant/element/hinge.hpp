// Where two triangles of a sheet meet: an edge (0, 1) and the corners 2 and 3 across it, 2 on the
// side on which the edge runs from 0 to 1. Bending of cloth is a sum over hinges.
//
// Bending stiffness k (N·m) is that of a plate rolled into a cylinder: U = ½ k κ² per area. Summed
// over hinges with the rest edge ℓ and the areas A of both triangles,
//   U = ½ k Σ ℓ²/A (θ − θ₀)²,
// which is exact for cylinders on equilateral triangles in every direction, and on a grid of
// squares along its cells; across their diagonals hinges are half too stiff. (The papers' 3 ℓ²/A is
// right for spheres and three times too stiff for cylinders, which is how cloth bends.)
#pragma once

#include <pliant/core/types.hpp>

#include <array>
#include <vector>

namespace pliant {

struct Hinge {
  std::array<Index, 4> nodes;
  std::array<Index, 2> triangles;
};
// The hinges of triangles, flat, over nodes of the system; an edge of more than two triangles has
// none.
std::vector<Hinge> find_hinges(std::span<const Index> triangles);

// θ in (−π, π), 0 where both triangles lie in a plane, and its gradient, 1/m.
using HingePoints = Eigen::Matrix<double, 3, 4>;
double hinge_angle(const HingePoints& x);
HingePoints hinge_gradient(const HingePoints& x);
Eigen::Matrix<double, 12, 12> hinge_hessian(const HingePoints& x);

}  // namespace pliant
