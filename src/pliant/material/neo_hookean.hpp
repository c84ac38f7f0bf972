// Compressible neo-Hookean solid. Its energy grows without bound as J → 0 and is +∞ beyond, so an
// element that starts upright stays so.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

#include <cmath>
#include <limits>

namespace pliant {

struct NeoHookean : FromInvariants<NeoHookean> {
  using Base = FromInvariants<NeoHookean>;
  using Base::energy, Base::stress, Base::tangent;

  static constexpr std::string_view name = "neo-hookean";
  static constexpr std::string_view source =
      "Bonet, Wood 2008, Nonlinear continuum mechanics for finite element analysis";
  static constexpr Promises promises = {.needs_positive_det = true};

  using Parameters = Lame;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_lame(constants);
  }

  // Ψ = μ/2 (I_C − 3) − μ log J + λ/2 log²J
  static double energy(const StrainInvariants& s, const Parameters& p) {
    if (s.j <= -1) return std::numeric_limits<double>::infinity();
    const double log_J = std::log1p(s.j);
    return 0.5 * p.mu * s.i + (0.5 * p.lambda * log_J - p.mu) * log_J;
  }
  static InvariantStress stress(const StrainInvariants& s, const Parameters& p) {
    return {p.mu, (p.lambda * std::log1p(s.j) - p.mu) / (1 + s.j)};
  }
  static InvariantTangent tangent(const StrainInvariants& s, const Parameters& p) {
    const double J = 1 + s.j, psi_J = stress(s, p).g;
    return {.a = p.mu, .d = (p.lambda / J - psi_J) / J, .e = psi_J};
  }
};

}  // namespace pliant
