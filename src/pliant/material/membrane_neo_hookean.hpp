// A sheet of stable neo-Hookean rubber, which gets thinner as it is pulled: the solid's energy,
// least with respect to the stretch l across the sheet. With m = det C, C = FᵀF, and l² = r² m,
//   Ψ(C, r) = μ/2 (I − 3 − log((I + 1)/4)) + (λ/2 (J − 1) − ¾ μ)(J − 1),   I = tr C + r² m,  J = r
//   m, ∂Ψ/∂r = m h,   h = μ r (1 − 1/(I + 1)) + λ (r m − α) = 0,               α = 1 + 3μ/4λ.
// In terms of r all stays smooth where the sheet is crushed to a line or a point (m = 0).
#pragma once

#include <pliant/material/membrane_law.hpp>
#include <pliant/material/stable_neo_hookean.hpp>

namespace pliant {

struct StableNeoHookeanMembrane {
  static constexpr std::string_view name = "stable-neo-hookean";
  static constexpr bool isotropic = true;
  static constexpr std::string_view source = "Smith, de Goes, Kim 2018, in plane stress";
  using Parameters = StableNeoHookean::Parameters;
  static Parameters make_parameters(const MaterialConstants& constants) {
    return StableNeoHookean::make_parameters(constants);
  }

  static MembraneStress stress(const Vec3& e, const Parameters& p) {
    const Sheet s = sheet(e, p);
    const double I3 = 2 * (e[0] + e[1]) + s.r * s.r * s.m - 1;  // I − 3
    const double J1 = s.r * s.m - 1;
    const double energy =
        0.5 * p.mu * (I3 - std::log1p(0.25 * I3)) + (0.5 * p.lambda * J1 - 0.75 * p.mu) * J1;
    return {energy, psi_e(s, p)};
  }

  // dS/de along the curve h = 0: Ψ_ee − m h_e h_eᵀ / h_r.
  static Mat3 tangent(const Vec3& e, const Parameters& p) {
    const Sheet s = sheet(e, p);
    const double b = p.mu * s.inverse * s.inverse;                      // μ/(I + 1)²
    const double pull = p.mu * (1 - s.inverse);                         // μ (1 − 1/(I + 1))
    const double push = p.lambda * s.r * s.m - p.lambda - 0.75 * p.mu;  // λ (J − α)
    const Vec3 I_e = s.t_e + s.r * s.r * s.m_e;
    const Mat3 psi_ee = 0.5 * b * I_e * I_e.transpose() +
                        p.lambda * s.r * s.r * s.m_e * s.m_e.transpose() +
                        (0.5 * pull * s.r * s.r + push * s.r) * m_ee();
    const Vec3 h_e = s.r * b * I_e + p.lambda * s.r * s.m_e;
    const double h_r = pull + 2 * b * s.r * s.r * s.m + p.lambda * s.m;
    return psi_ee - s.m / h_r * h_e * h_e.transpose();
  }

 private:
  struct Sheet {
    double m = 1, r = 1, inverse = 0.25;  // inverse: 1/(I + 1)
    Vec3 t_e, m_e;                        // of tr C and of det C
  };
  static Mat3 m_ee() {
    Mat3 H = Mat3::Zero();
    H(0, 1) = H(1, 0) = 4;
    H(2, 2) = -2;
    return H;
  }
  // h rises with r, and is concave or nearly so: a few steps from the value for small strains do.
  static Sheet sheet(const Vec3& e, const Parameters& p) {
    Sheet s;
    const double xx = 1 + 2 * e[0], yy = 1 + 2 * e[1], xy = e[2];
    s.m = std::max(xx * yy - xy * xy, 0.0);
    s.t_e = Vec3(2, 2, 0);
    s.m_e = Vec3(2 * yy, 2 * xx, -2 * xy);
    const double alpha = p.lambda + 0.75 * p.mu;  // λ α
    s.r = alpha / (0.75 * p.mu + p.lambda * s.m);
    for (int k = 0; k < 30; ++k) {
      s.inverse = 1 / (xx + yy + s.r * s.r * s.m + 1);
      const double pull = p.mu * (1 - s.inverse);
      const double h = s.r * pull + p.lambda * s.r * s.m - alpha;
      const double slope =
          pull + 2 * p.mu * s.inverse * s.inverse * s.r * s.r * s.m + p.lambda * s.m;
      const double change = h / slope;
      s.r = std::max(s.r - change, 0.1 * s.r);
      if (std::abs(change) <= 1e-15 * s.r) break;
    }
    s.inverse = 1 / (xx + yy + s.r * s.r * s.m + 1);
    return s;
  }
  static Vec3 psi_e(const Sheet& s, const Parameters& p) {
    const double pull = p.mu * (1 - s.inverse);
    const double push = p.lambda * s.r * s.m - p.lambda - 0.75 * p.mu;
    return 0.5 * pull * (s.t_e + s.r * s.r * s.m_e) + push * s.r * s.m_e;
  }
};

}  // namespace pliant
