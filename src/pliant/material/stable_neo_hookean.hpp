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

  // Ψ = μ/2 (I_C − 3) + λ/2 (J − α)² − μ/2 log(I_C + 1), less its value at rest, written in I_C − 3
  // and J − 1 so that no large constants cancel.
  static double energy(const Mat3& F, const Parameters& p) {
    const double i = F.squaredNorm() - 3;
    const double j = F.col(0).dot(F.col(1).cross(F.col(2))) - 1;
    return 0.5 * p.mu * (i - std::log1p(0.25 * i)) + (0.5 * p.lambda * j - 0.75 * p.mu) * j;
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) {
    const Mat3 G = cofactor(F);
    const double J = F.col(0).dot(G.col(0));
    const double a = p.mu - p.mu / (F.squaredNorm() + 1);  // 2 ∂Ψ/∂I_C
    return a * F + (p.lambda * (J - p.alpha)) * G;
  }
  static InvariantTangent invariant_tangent(const Mat3& F, const Parameters& p) {
    const double inverse = 1 / (F.squaredNorm() + 1);
    const double J = F.col(0).dot(F.col(1).cross(F.col(2)));
    return {.a = p.mu - p.mu * inverse,
            .b = 2 * p.mu * inverse * inverse,
            .d = p.lambda,
            .e = p.lambda * (J - p.alpha)};
  }
  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    return expand(invariant_tangent(F, p), F);
  }
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    return psd_correction_from(F, invariant_tangent(F, p));
  }
};

}  // namespace pliant
