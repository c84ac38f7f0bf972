// Rayleigh damping whose stiffness is that of the present position, fully implicit:
//   R = β/2 Ḟ : C(F) : Ḟ,   P = β C(F) : Ḟ     BROWN (45)–(47)
// with C the tangent of the body's own elastic law, its negative eigenvalues raised to zero so that
// R ≥ 0 always. Where nothing is raised C is a second derivative, (∂C/∂F : X) : Ḟ is the same as
// (∂C/∂F : Ḟ) : X, and one derivative along Ḟ gives all of ∂P/∂F (BROWN (48)–(50)). That derivative
// is taken by differences of fourth order, exact to about eleven digits; BROWN (51) takes
// C(F) − C(F_p) over the step, which errs by the order of the step.
#pragma once

#include <pliant/dissipation/viscous_law.hpp>
#include <pliant/material/positive_tangent.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {

template <MaterialLaw L>
struct StiffnessRate {
  static constexpr bool conserves_momentum = false;
  struct Parameters {
    double beta = 0;  // s
    typename L::Parameters elastic;
  };

  // Of a stretch at rest.
  static double viscosity(const Parameters& p) {
    Mat9 C;
    positive_tangent<L>(Mat3::Identity(), p.elastic, C);
    return 0.5 * p.beta * C(0, 0);
  }

  static void respond(const Mat3& F, const Mat3& F_dot, const Parameters& p, Wanted wanted,
                      ViscousResponse& out) {
    const bool raised = positive_tangent<L>(F, p.elastic, out.D);
    out.D *= p.beta;
    const Vec9 P = out.D * vec(F_dot);
    out.P = Eigen::Map<const Mat3>(P.data());
    out.R = 0.5 * P.dot(vec(F_dot));
    if (!wanted.position) return;
    if (raised) {
      for (int k = 0; k < 9; ++k) {
        Mat3 X = Mat3::Zero();
        X(k) = 1;
        out.S.col(k) = along(F, X, p) * vec(F_dot);
      }
    } else {
      out.S = along(F, F_dot, p);
    }
    out.G = position_gradient_of(out.S, F_dot);
  }

 private:
  // d/ds β C(F + s X) at s = 0. Laws that end at det F = 0 are asked only far before it:
  // |det F|/‖F‖² is at most the smallest stretch.
  static Mat9 along(const Mat3& F, const Mat3& X, const Parameters& p) {
    const double size = X.norm();
    if (!(size > 0)) return Mat9::Zero();
    double room = std::max(1e-3, F.norm());
    if (L::promises.needs_positive_det)
      room = std::abs(F.determinant()) / std::max(1e-300, F.squaredNorm());
    const double s = 5e-5 * room / size;
    const auto C = [&](double step) {
      Mat9 tangent;
      positive_tangent<L>(F + step * X, p.elastic, tangent);
      return tangent;
    };
    return (p.beta / (12 * s)) * (8 * (C(s) - C(-s)) - (C(2 * s) - C(-2 * s)));
  }
};

}  // namespace pliant
