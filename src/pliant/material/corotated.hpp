// Corotated linear elasticity in its classic form: the rotation R is taken from F at the start of
// the step and frozen, ε = sym(RᵀF) − I. Quadratic in F, hence always convex (LOESCHNER §5.3).
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/linear.hpp>

namespace pliant {

struct Corotated {
  static constexpr std::string_view name = "corotated";
  static constexpr std::string_view source =
      "LOESCHNER §5.3; Müller, Gross 2004, Interactive virtual materials";
  static constexpr Promises promises = {.frame_indifferent = false, .frozen_rotation = true};

  using Parameters = Lame;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_lame(constants);
  }
  static Mat3 strain(const Mat3& F, const Mat3& R) {
    const Mat3 S = R.transpose() * F;
    return 0.5 * (S + S.transpose()) - Mat3::Identity();
  }

  static double energy(const Mat3& F, const Mat3& R, const Parameters& p) {
    const Mat3 e = strain(F, R);
    const double trace = e.trace();
    return p.mu * e.squaredNorm() + 0.5 * p.lambda * trace * trace;  // Ψ = μ ε:ε + λ/2 tr²ε
  }
  static Mat3 stress(const Mat3& F, const Mat3& R, const Parameters& p) {
    const Mat3 e = strain(F, R);
    return 2 * p.mu * (R * e) + p.lambda * e.trace() * R;  // P = R (2μ ε + λ tr ε I)
  }
  // dP = μ dF + μ R dFᵀ R + λ (R : dF) R
  static Mat9 tangent(const Mat3&, const Mat3& R, const Parameters& p) {
    Mat9 C = p.lambda * vec(R) * vec(R).transpose();
    C.diagonal().array() += p.mu;
    for (int l = 0; l < 3; ++l)
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i) C(i + 3 * j, k + 3 * l) += p.mu * R(i, l) * R(k, j);
    return C;
  }
  // That of `linear` in the frame of R.
  static Mat3 proximal(const Mat3& T, double w, const Mat3& R, const Parameters& p) {
    return R * Linear::proximal(R.transpose() * T, w, p);
  }
  static PsdCorrection psd_correction(const Mat3&, const Mat3&, const Parameters&) { return {}; }
};

}  // namespace pliant
