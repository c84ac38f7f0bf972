// As rigid as possible: the squared distance of F from the nearest rotation. It has no volume term,
// so its limit is Hooke's law with the given μ and λ = 0.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

struct Arap {
  static constexpr std::string_view name = "arap";
  static constexpr std::string_view source =
      "Sorkine, Alexa 2007, As-rigid-as-possible surface modeling; Chao et al. 2010";
  static constexpr Promises promises = {.zero_lambda = true};

  struct Parameters {
    double mu = 0;  // Pa
  };

  static Parameters make_parameters(const MaterialConstants& constants) {
    return {checked_lame(constants).mu};
  }

  static double energy(const Mat3& F, const Parameters& p) {
    return p.mu *
           (singular_values(F) - Vec3::Ones()).squaredNorm();  // Ψ = μ ‖F − R‖² = μ Σ (σ_i − 1)²
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) { return 2 * p.mu * (F - rotation_of(F)); }

  static constexpr bool tangent_is_principal = true;  // of `principal`
  static PrincipalTangent principal(const Vec3& s, const Parameters& p) {
    PrincipalTangent t{2 * p.mu * Mat3::Identity(), Vec3::Constant(2 * p.mu), {}};
    for (int k = 0; k < 3; ++k)
      t.twist[k] = 2 * p.mu * (1 - rotation_twist(s[(k + 1) % 3] + s[(k + 2) % 3]));
    return t;
  }
  // 2μ (F − R) + w (F − T) = 0, and R is that of T, since F has the singular vectors of T.
  static Mat3 proximal(const Mat3& T, double w, const Parameters& p) {
    return (2 * p.mu * rotation_of(T) + w * T) / (2 * p.mu + w);
  }
  static Mat9 tangent(const Mat3& F, const Parameters& p) {
    const Svd3 f = svd(F);
    return tangent_from(f, principal(f.sigma, p));
  }
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p) {
    const Svd3 f = svd(F);
    return psd_correction_from(f, principal(f.sigma, p));
  }
};

}  // namespace pliant
