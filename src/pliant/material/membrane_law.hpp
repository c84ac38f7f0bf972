// What a membrane law is: the elasticity of a thin sheet within its own surface, in plane stress,
// as a function of the Green strain in the sheet's two directions,
//   e = (E_xx, E_yy, 2 E_xy),  E = ½ (FᵀF − I),  F the 3×2 deformation gradient.
// Every objective energy is such a function, and nothing in it needs the sheet's normal. Energies
// are per undeformed volume: the element multiplies by thickness and area.
#pragma once

#include <pliant/core/types.hpp>

#include <concepts>
#include <string_view>

namespace pliant {

struct MaterialConstants;  // constants.hpp

// S = ∂Ψ/∂e = (S_xx, S_yy, S_xy), the second Piola–Kirchhoff stress.
struct MembraneStress {
  double energy = 0;      // J/m³
  Vec3 S = Vec3::Zero();  // Pa
};

template <class L>
concept MembraneLaw = requires(const Vec3& e, const typename L::Parameters& p,
                               const MaterialConstants& constants) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::source } -> std::convertible_to<std::string_view>;
  { L::isotropic } -> std::convertible_to<bool>;  // no direction in the sheet is preferred
  { L::make_parameters(constants) } -> std::same_as<typename L::Parameters>;
  { L::stress(e, p) } -> std::same_as<MembraneStress>;
  { L::tangent(e, p) } -> std::same_as<Mat3>;  // ∂S/∂e, Pa
};

// Hooke's law in plane stress: S = D e.
inline Mat3 plane_stress_stiffness(double young, double poisson) {
  const double a = young / (1 - poisson * poisson);
  Mat3 D = Mat3::Zero();
  D(0, 0) = D(1, 1) = a;
  D(0, 1) = D(1, 0) = a * poisson;
  D(2, 2) = 0.5 * a * (1 - poisson);
  return D;
}

}  // namespace pliant
