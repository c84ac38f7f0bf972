// Quadrature on the reference tetrahedron (corners 0, e₁, e₂, e₃; volume 1/6) and the reference
// cube [−1, 1]³. Weights include the reference volume.
#pragma once

#include <pliant/core/types.hpp>

#include <vector>

namespace pliant {

struct QuadraturePoint {
  Vec3 xi;
  double weight;
};
using Quadrature = std::vector<QuadraturePoint>;

const Quadrature& tet_rule_1();        // degree 1
const Quadrature& tet_rule_4();        // degree 2
const Quadrature& tet_rule_conical();  // degree 7, 125 points
const Quadrature& hex_rule_8();        // degree 3 in each direction
const Quadrature& hex_rule_27();       // degree 5 in each direction

}  // namespace pliant
