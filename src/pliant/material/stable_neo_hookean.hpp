// Stable neo-Hookean solid: neo-Hookean flesh that survives inversion and still has its one rest
// state at F = R, with the reparametrisation that makes the given E and ν those of Hooke's law at
// rest. The hot path of most scenes.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

#include <cmath>

namespace pliant {

struct StableNeoHookean {
  static constexpr std::string_view name = "stable-neo-hookean";
  static constexpr std::string_view source =
      "Smith, de Goes, Kim 2018, Stable neo-Hookean flesh simulation";
  static constexpr Promises promises = {};

  struct Parameters {
    double mu = 0;      // 4/3 of Lamé's μ, Pa
    double lambda = 0;  // Lamé's λ + 5/6 μ, Pa
    double alpha = 1;   // 1 + 3 mu/(4 lambda): the volume ratio that the second term pulls to
  };

  static Parameters make_parameters(const MaterialConstants& constants) {
    const Lame lame = checked_lame(constants);
    const double mu = 4.0 / 3 * lame.mu;
    const double lambda = lame.lambda + 5.0 / 6 * lame.mu;
    return {mu, lambda, 1 + 0.75 * mu / lambda};
  }

  // Ψ = μ/2 (I_C − 3) + λ/2 (J − α)² − μ/2 log(I_C + 1), less its value at rest.
  static double energy(const StrainInvariants& s, const Parameters& p) {
    return 0.5 * p.mu * (s.i - std::log1p(0.25 * s.i)) + (0.5 * p.lambda * s.j - 0.75 * p.mu) * s.j;
  }
  static InvariantStress stress(const StrainInvariants& s, const Parameters& p) {
    return {p.mu - p.mu / (s.i + 4), p.lambda * s.j - 0.75 * p.mu};  // 2 ∂Ψ/∂I_C, ∂Ψ/∂J
  }
  static InvariantTangent tangent(const StrainInvariants& s, const Parameters& p) {
    const double inverse = 1 / (s.i + 4);
    return {.a = p.mu - p.mu * inverse,
            .b = 2 * p.mu * inverse * inverse,
            .d = p.lambda,
            .e = p.lambda * s.j - 0.75 * p.mu};
  }

  static double energy(const Mat3& F, const Parameters& p) { return energy(invariants_of(F), p); }
  static Mat3 stress(const Mat3& F, const Parameters& p) {
    return expand(stress(invariants_of(F), p), F);
  }
  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    return expand(tangent(invariants_of(F), p), F);
  }
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    return psd_correction_from(F, tangent(invariants_of(F), p));
  }
};

}  // namespace pliant
