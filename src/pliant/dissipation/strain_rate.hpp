// Damping of the rate of Green's strain, Ė = sym(Fᵀ Ḟ) (BROWN (41)): blind to rigid motion, so it
// keeps linear and angular momentum, and linear in the velocities.
//   R = ψ ‖Ė‖² + φ/2 tr²Ė     BROWN (43)
#pragma once

#include <pliant/dissipation/viscous_law.hpp>

namespace pliant {

struct StrainRate {
  static constexpr bool conserves_momentum = true;
  struct Parameters {
    double psi = 0;  // Pa s, shear
    double phi = 0;  // Pa s, bulk
  };

  static double viscosity(const Parameters& p) { return p.psi + 0.5 * p.phi; }

  static void respond(const Mat3& F, const Mat3& F_dot, const Parameters& p, Wanted wanted,
                      ViscousResponse& out) {
    const Mat3 half = F.transpose() * F_dot;
    const Mat3 rate = 0.5 * (half + half.transpose());
    const double trace = rate.trace();
    out.R = p.psi * rate.squaredNorm() + 0.5 * p.phi * trace * trace;
    if (!wanted.P()) return;
    const Mat3 T = 2 * p.psi * rate + (p.phi * trace) * Mat3::Identity();  // ∂R/∂Ė
    out.P = F * T;                                                         // BROWN (42)
    if (wanted.D()) out.D = product_tangent(F, F, p);
    if (!wanted.position) return;
    // P changes with F by the factor F itself and by Ė: δP = δF T + F (∂T/∂Ė) sym(Ḟᵀ δF).
    out.S = product_tangent(F, F_dot, p);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) out.S(i + 3 * j, i + 3 * k) += T(k, j);
    out.G = F_dot * T;  // BROWN (44)
  }

 private:
  // The matrix of X ↦ F (2ψ sym(Bᵀ X) + φ tr(Bᵀ X) I).
  static Mat9 product_tangent(const Mat3& F, const Mat3& B, const Parameters& p) {
    Mat9 C;
    const Mat3 FBt = F * B.transpose();
    for (int l = 0; l < 3; ++l)
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i)
            C(i + 3 * j, k + 3 * l) = p.psi * ((j == l ? FBt(i, k) : 0.0) + F(i, l) * B(k, j)) +
                                      p.phi * F(i, j) * B(k, l);
    return C;
  }
};

}  // namespace pliant
