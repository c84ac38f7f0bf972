// Compressible neo-Hookean solid. Its energy grows without bound as J → 0 and is +∞ beyond, so an
// element that starts upright stays so.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

#include <cmath>
#include <limits>

namespace pliant {

struct NeoHookean {
  static constexpr std::string_view name = "neo-hookean";
  static constexpr std::string_view source =
      "Bonet, Wood 2008, Nonlinear continuum mechanics for finite element analysis";
  static constexpr Promises promises = {.needs_positive_det = true};

  using Parameters = Lame;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_lame(constants);
  }

  static double energy(const Mat3& F, const Parameters& p) {
    const double J = F.determinant();
    if (J <= 0) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(J);
    // Ψ = μ/2 (I_C − 3) − μ log J + λ/2 log²J
    return 0.5 * p.mu * (F.squaredNorm() - 3) + (0.5 * p.lambda * log_J - p.mu) * log_J;
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) {
    const Mat3 G = cofactor(F);
    const double J = F.col(0).dot(G.col(0));
    return p.mu * F + ((p.lambda * std::log(J) - p.mu) / J) * G;
  }
  static InvariantTangent invariant_tangent(const Mat3& F, const Parameters& p) {
    const double J = F.determinant();
    const double psi_J = (p.lambda * std::log(J) - p.mu) / J;
    return {.a = p.mu, .d = (p.lambda / J - psi_J) / J, .e = psi_J};
  }
  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    return expand(invariant_tangent(F, p), F);
  }
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    return psd_correction_from(F, invariant_tangent(F, p));
  }
};

}  // namespace pliant
