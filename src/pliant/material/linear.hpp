// Small-strain linear elasticity: ε = sym(F) − I. Quadratic, so one Newton step solves a static
// problem; rotations are strained, so only for small ones.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/material/law.hpp>

namespace pliant {

struct Linear {
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view source = "Hooke's law for small strains";
  static constexpr Promises promises = {.frame_indifferent = false, .linear = true};

  using Parameters = Lame;

  static Parameters make_parameters(const MaterialConstants& constants) {
    return checked_lame(constants);
  }
  static Mat3 strain(const Mat3& F) { return 0.5 * (F + F.transpose()) - Mat3::Identity(); }

  static double energy(const Mat3& F, const Parameters& p) {
    const Mat3 e = strain(F);
    const double trace = e.trace();
    return p.mu * e.squaredNorm() + 0.5 * p.lambda * trace * trace;  // Ψ = μ ε:ε + λ/2 tr²ε
  }
  static Mat3 stress(const Mat3& F, const Parameters& p) {
    const Mat3 e = strain(F);
    return 2 * p.mu * e + p.lambda * e.trace() * Mat3::Identity();
  }
  static Mat9 tangent(const Mat3&, const Parameters& p) {
    Mat9 C = p.mu * Mat9::Identity();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        C(i + 3 * j, j + 3 * i) += p.mu;
        C(4 * i, 4 * j) += p.lambda;
      }
    return C;
  }
  // Of P + w (F − T) = 0 the skew part, the deviator and the trace each stand alone.
  static Mat3 proximal(const Mat3& T, double w, const Parameters& p) {
    const Mat3 e = strain(T);
    const double trace = e.trace(), volume = 2 * p.mu + 3 * p.lambda;
    const double shape = 2 * p.mu / (2 * p.mu + w);
    Mat3 F = T - shape * e;
    F.diagonal().array() += (shape - volume / (volume + w)) * trace / 3;
    return F;
  }
  static PsdCorrection psd_correction(const Mat3&, const Parameters&) { return {}; }
};

}  // namespace pliant
