// Stable neo-Hookean solid: neo-Hookean flesh that survives inversion and still has its one rest
// state at F = R, with the reparametrisation that makes the given E and ν those of Hooke's law at
// rest. The hot path of most scenes.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

#include <cmath>

namespace pliant {

struct StableNeoHookean : FromInvariants<StableNeoHookean> {
  using Base = FromInvariants<StableNeoHookean>;
  using Base::energy, Base::stress, Base::tangent;

  static constexpr std::string_view name = "stable-neo-hookean";
  static constexpr std::string_view source =
      "Smith, de Goes, Kim 2018, Stable neo-Hookean flesh simulation";
  static constexpr Promises promises = {};

  struct Parameters {
    double mu = 0;      // 4/3 of Lamé's μ, Pa
    double lambda = 0;  // Lamé's λ + 5/6 μ, Pa
  };

  static Parameters make_parameters(const MaterialConstants& constants) {
    const Lame lame = checked_lame(constants);
    return {4.0 / 3 * lame.mu, lame.lambda + 5.0 / 6 * lame.mu};
  }

  // Ψ = μ/2 (I_C − 3) + λ/2 (J − α)² − μ/2 log(I_C + 1) with α = 1 + 3μ/4λ, less its value at rest;
  // λ (J − α) = λ (J − 1) − 3/4 μ.
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
};

}  // namespace pliant
