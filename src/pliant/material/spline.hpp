// A material drawn by hand: Ψ = Σ f(σ_i) + Σ g(σ_i σ_j) + h(σ₀σ₁σ₂) with f', g', h' curves through
// knots. A curve that is not given is that of fixed-corotated, f' = 2μ (x − 1), g' = 0, h' = λ (x −
// 1), so that without any the law is fixed-corotated; the promise of a Hooke limit is for that
// case.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/isotropic.hpp>
#include <pliant/material/spline_curve.hpp>

namespace pliant {

struct Spline {
  static constexpr std::string_view name = "spline";
  static constexpr std::string_view source =
      "Xu, Sin, Zhu, Barbič 2015, Nonlinear material design using principal stretches";
  static constexpr Promises promises = {};

  struct Parameters {
    std::shared_ptr<const SplineCurves> curves;  // in units of `young`; may be null
    double young = 0;                            // Pa
    Lame lame;                                   // for curves that are not given
  };

  // Refuses curves that leave stress at rest or no stiffness there.
  static Parameters make_parameters(const MaterialConstants& constants);
  static double energy(const Mat3& F, const Parameters& p);
  static Mat3 stress(const Mat3& F, const Parameters& p);
  static Mat9 tangent(const Mat3& F, const Parameters& p);
  static PsdCorrection psd_correction(const Mat3& F, const Parameters& p);
};

}  // namespace pliant
