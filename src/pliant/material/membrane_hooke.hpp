// Cloth with a quadratic energy in the Green strain: the same in all directions, or with its own
// moduli along warp and weft.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/membrane_law.hpp>

namespace pliant {

// S = D e
struct QuadraticMembrane {
  struct Parameters {
    Mat3 D = Mat3::Zero();  // Pa
  };
  static MembraneStress stress(const Vec3& e, const Parameters& p) {
    const Vec3 S = p.D * e;
    return {0.5 * e.dot(S), S};
  }
  static Mat3 tangent(const Vec3&, const Parameters& p) { return p.D; }
};

struct StvkMembrane : QuadraticMembrane {
  static constexpr std::string_view name = "stvk";
  static constexpr bool isotropic = true;
  static constexpr std::string_view source = "St. Venant–Kirchhoff in plane stress";
  static Parameters make_parameters(const MaterialConstants& constants) {
    check(constants);
    return {plane_stress_stiffness(constants.young, constants.poisson)};
  }
};

// x is the warp, the first axis of the material laid into the sheet; y the weft. The third axis of
// the material is across the sheet, and plane stress leaves nothing of it.
struct OrthotropicMembrane : QuadraticMembrane {
  static constexpr std::string_view name = "orthotropic";
  static constexpr bool isotropic = false;
  static constexpr std::string_view source = "orthotropic Hooke's law in plane stress";
  static Parameters make_parameters(const MaterialConstants& constants) {
    const OrthotropicStiffness solid = checked_orthotropic(constants);
    // S_zz = 0 gives E_zz; what is left of the normal part is its Schur complement.
    const Mat3& N = solid.normal;
    Parameters p;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) p.D(a, b) = N(a, b) - N(a, 2) * N(2, b) / N(2, 2);
    p.D(2, 2) = solid.shear[0];
    return p;
  }
};

}  // namespace pliant
