// St. Venant–Kirchhoff solid: Hooke's law in Green's strain. Exact for large rotations; weak under
// strong compression, where its stress turns around (below a stretch of 1/√3) and vanishes at zero.
#pragma once

#include <pliant/material/green_strain.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

struct Stvk {
  static constexpr std::string_view name = "stvk";
  static constexpr std::string_view source = "St. Venant–Kirchhoff: Hooke's law in Green's strain";
  static constexpr Promises promises = {};

  using Parameters = Lame;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_lame(constants);
  }

  static double energy(const Mat3& F, const Parameters& p) {
    const Mat3 E = green_strain(F);
    const double trace = E.trace();
    return p.mu * E.squaredNorm() + 0.5 * p.lambda * trace * trace;  // Ψ = μ E:E + λ/2 tr²E
  }
  static Mat3 second_piola(const Mat3& F, const Parameters& p) {
    const Mat3 E = green_strain(F);
    return 2 * p.mu * E + p.lambda * E.trace() * Mat3::Identity();
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) { return F * second_piola(F, p); }

  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    OrthotropicStiffness hooke;
    hooke.normal = 2 * p.mu * Mat3::Identity() + Mat3::Constant(p.lambda);
    hooke.shear.setConstant(p.mu);
    return green_strain_tangent(F, second_piola(F, p), hooke);
  }
  static double principal_energy(const Vec3& s, const Parameters& p) {
    const Vec3 e = 0.5 * (s.cwiseAbs2() - Vec3::Ones());
    return p.mu * e.squaredNorm() + 0.5 * p.lambda * e.sum() * e.sum();
  }
  static Vec3 principal_slope(const Vec3& s, const Parameters& p) {
    const Vec3 e = 0.5 * (s.cwiseAbs2() - Vec3::Ones());
    return s.cwiseProduct(2 * p.mu * e + Vec3::Constant(p.lambda * e.sum()));
  }
  static PrincipalTangent principal(const Vec3& s, const Parameters& p) {
    const Vec3 squares = s.cwiseAbs2(), g = products_of_others(s);
    // Ψ_i = μ (σ_i³ − σ_i) + r σ_i,   r = λ tr E
    const double r = 0.5 * p.lambda * (squares.sum() - 3);
    PrincipalTangent t;
    t.scaling = p.lambda * s * s.transpose();
    for (int k = 0; k < 3; ++k) {
      const double others = squares.sum() - squares[k];
      t.scaling(k, k) += p.mu * (3 * squares[k] - 1) + r;
      t.flip[k] = p.mu * (others + g[k] - 1) + r;
      t.twist[k] = p.mu * (others - g[k] - 1) + r;
    }
    return t;
  }
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    const Svd3 f = svd(F);
    return psd_correction_from(f, principal(f.sigma, p));
  }
};

}  // namespace pliant
