// Laws that are quadratic in Green's strain E = ½ (FᵀF − I): the St. Venant–Kirchhoff solid and its
// orthotropic kin.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/law.hpp>

namespace pliant {

inline Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

// ∂vec P/∂vec F of P = F S(E) for S the second Piola–Kirchhoff stress at F. The geometric part is
// S, the material part is positive semi-definite.
Mat9 green_strain_tangent(const Mat3& F, const Mat3& S, const OrthotropicStiffness& stiffness);

}  // namespace pliant
