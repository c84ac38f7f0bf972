// Elasticity as constraints, TOURNIER §4.2: at each quadrature point the strain is φ and the
// inverse of Hooke's law its compliance (23), so that any stiffness is as easy to solve for as
// none. Hooke's matrix D over the components of the strain E is diagonalised at each point,
// D = Σ_r η_r b_r b_rᵀ, and a row is the strain along one of its eigenvectors, φ_r = b_r · E with
// compliance 1/η_r: what TOURNIER's blocks of compliance are becomes a diagonal.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/element/strain_points.hpp>

#include <memory>

namespace pliant {

// The rows of a batch of elements in place of its potential. Hooke's law is what the potential is
// at rest: the same energy, if that is quadratic in the strain chosen. `rest` holds all nodes of
// the system.
std::unique_ptr<Constraint> make_strain_rows(std::string name, const LocalElastic& elastic,
                                             std::span<const double> rest, StrainMeasure measure);

}  // namespace pliant
