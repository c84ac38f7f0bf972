// The corotated energy with its rotation following F and the volume term in J, which keeps its
// force when an element turns inside out.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

struct FixedCorotated {
  static constexpr std::string_view name = "fixed-corotated";
  static constexpr std::string_view source =
      "Stomakhin et al. 2012, Energetically consistent invertible elasticity";
  static constexpr Promises promises = {};

  using Parameters = Lame;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_lame(constants);
  }

  static double energy(const Mat3& F, const Parameters& p) {
    // Ψ = μ ‖F − R‖² + λ/2 (J − 1)²,   ‖F − R‖² = Σ (σ_i − 1)²
    return energy(singular_values(F), F.determinant() - 1, p);
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) {
    const Mat3 G = cofactor(F);
    const double J = F.col(0).dot(G.col(0));
    return 2 * p.mu * (F - rotation_of(F)) + (p.lambda * (J - 1)) * G;
  }
  static double principal_energy(const Vec3& s, const Parameters& p) {
    return energy(s, s.prod() - 1, p);
  }
  static Vec3 principal_slope(const Vec3& s, const Parameters& p) {
    return 2 * p.mu * (s - Vec3::Ones()) + p.lambda * (s.prod() - 1) * products_of_others(s);
  }
  static constexpr bool tangent_is_principal = true;  // of `principal`
  static PrincipalTangent principal(const Vec3& s, const Parameters& p) {
    const Vec3 g = products_of_others(s);
    const double e = p.lambda * (s[0] * g[0] - 1);
    PrincipalTangent t;
    t.scaling = 2 * p.mu * Mat3::Identity() + p.lambda * g * g.transpose() + e * off_diagonal(s);
    for (int k = 0; k < 3; ++k) {
      const double sum = s[(k + 1) % 3] + s[(k + 2) % 3];
      t.flip[k] = 2 * p.mu - e * s[k];
      t.twist[k] = 2 * p.mu * (1 - rotation_twist(sum)) + e * s[k];
    }
    return t;
  }
  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    const Svd3 f = svd(F);
    return tangent_from(f, principal(f.sigma, p));
  }
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    const Svd3 f = svd(F);
    return psd_correction_from(f, principal(f.sigma, p));
  }

 private:
  static double energy(const Vec3& s, double J1, const Parameters& p) {
    return p.mu * (s - Vec3::Ones()).squaredNorm() + 0.5 * p.lambda * J1 * J1;
  }
};

}  // namespace pliant
