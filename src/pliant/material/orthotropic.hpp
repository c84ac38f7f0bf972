// Orthotropic solid (wood, muscle, layered print): the St. Venant–Kirchhoff form with three Young's
// moduli, three Poisson's ratios and three shear moduli along the axes of the material.
#pragma once

#include <pliant/material/green_strain.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

struct Orthotropic {
  static constexpr std::string_view name = "orthotropic";
  static constexpr std::string_view source =
      "St. Venant–Kirchhoff with orthotropic Hooke's law; Li, Barbič 2014";
  static constexpr Promises promises = {.isotropic = false};

  using Parameters = OrthotropicStiffness;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_orthotropic(constants);
  }
  static Mat3 material_strain(const Mat3& F, const Parameters& p) {
    return p.axes.transpose() * green_strain(F) * p.axes;
  }

  static double energy(const Mat3& F, const Parameters& p) {
    const Mat3 E = material_strain(F, p);
    const Vec3 e = E.diagonal(), shear(E(0, 1), E(1, 2), E(2, 0));
    // Ψ = ½ Σ D_ab E_aa E_bb + 2 Σ G_ab E_ab²
    return 0.5 * e.dot(p.normal * e) + 2 * p.shear.dot(shear.cwiseAbs2());
  }
  static Mat3 second_piola(const Mat3& F, const Parameters& p) {
    const Mat3 E = material_strain(F, p);
    const Vec3 shear(2 * p.shear[1] * E(1, 2), 2 * p.shear[2] * E(2, 0), 2 * p.shear[0] * E(0, 1));
    Mat3 S = off_diagonal(shear);
    S.diagonal() = p.normal * E.diagonal();
    return p.axes * S * p.axes.transpose();
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) { return F * second_piola(F, p); }

  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    return green_strain_tangent(F, second_piola(F, p), p);
  }
  // Only the geometric part can be negative, so that a stress without pressure needs no correction.
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    const Mat3 S = second_piola(F, p);
    if (symmetric_eigen(S).values[2] >= 0) return {};
    return dense_psd_correction(green_strain_tangent(F, S, p));
  }
};

}  // namespace pliant
