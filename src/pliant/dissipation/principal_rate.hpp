// Damping of the principal strains, the singular values σ of F (BROWN §5.1.3): R = β/2 σ̇ᵀ K_σ σ̇
// with K_σ = ∂²U/∂σ² and σ̇_j = u_j·Ḟ v_j. Blind to rotation and to strain axes that turn in the
// material; for isotropic laws only. Where two σ are equal, as at rest, their directions are
// arbitrary and σ̇ jumps, so a stage takes δσ = (σ − σ_p)/γ in its place (52), which does not. Then
// the force is the derivative of a function of σ alone, the stage's own potential:
//   Φ(σ) = β (δσ·∇U − U/γ),   ∂Φ/∂σ = β K_σ δσ     BROWN (53)
// With a power or a curve laid over it, K_σ and the curve are those of σ_p: Φ = γ φ(β/2 δσᵀ K_σ
// δσ).
#pragma once

#include <pliant/dissipation/stiffness_rate.hpp>
#include <pliant/dissipation/viscous_modifiers.hpp>
#include <pliant/material/isotropic.hpp>

namespace pliant {

template <MaterialLaw L>
struct PrincipalRate {
  static constexpr bool conserves_momentum = true;
  using Parameters = typename StiffnessRate<L>::Parameters;

  static double viscosity(const Parameters& p) { return StiffnessRate<L>::viscosity(p); }

  // D leaves out nothing; S and G leave out how the axes turn, which has no bound.
  static void respond(const Mat3& F, const Mat3& F_dot, const Parameters& p, Wanted wanted,
                      ViscousResponse& out) {
    respond(F, F_dot, p, nullptr, wanted, out);
  }
  static void respond(const Mat3& F, const Mat3& F_dot, const Parameters& p,
                      const FactorCurve* each_strain, Wanted wanted, ViscousResponse& out) {
    const Svd3 f = svd(F);
    const Mat3 turned = f.U.transpose() * F_dot * f.V;
    const Vec3 rate = turned.diagonal();
    const Mat3 K = scaled(positive_stiffness(f.sigma, p), f.sigma, each_strain);
    const Vec3 force = K * rate;
    out.R = 0.5 * rate.dot(force);
    if (!wanted.P()) return;
    out.P = f.U * force.asDiagonal() * f.V.transpose();
    if (wanted.D()) out.D = tangent_from(f, {K, Vec3::Zero(), Vec3::Zero()});
    if (!wanted.position) return;
    out.S.setZero();
    out.G.setZero();
  }

  // Over a stage that comes from F_p = F − γ Ḟ: R is Φ/γ, P = ∂Φ/∂F, D = γ ∂²Φ/∂F².
  static void respond_stage(const RatePoint& x, double gamma, const Parameters& p,
                            const ViscousModifiers& over, Wanted wanted, ViscousResponse& out) {
    const Svd3 f = svd(x.F);
    const Vec3 sigma_p = singular_values(x.F - gamma * x.F_dot);
    const Vec3 rate = (f.sigma - sigma_p) / gamma;
    const StageResponse y = over.changes_law() ? modified(rate, sigma_p, x.viscosity, p, over)
                                               : plain(f.sigma, rate, gamma, p);
    out.R = y.R;
    if (!wanted.P()) return;
    out.P = f.U * y.force.asDiagonal() * f.V.transpose();
    if (!wanted.D()) return;
    const PrincipalTangent t = full_tangent(f.sigma, y, gamma);
    out.D = tangent_from(f, t);
    if (wanted.psd) add_to(psd_correction_from(f, t), out.D);
  }

  // β K_σ of a stage at sigma that comes from sigma_p; returns the factor of the curve over the
  // strain.
  static double stage_stiffness(const Vec3& sigma, const Vec3& sigma_p, const Parameters& p,
                                const ViscousModifiers& over, Mat3& K) {
    if (!over.changes_law()) {
      K = stiffness(sigma, p);
      return 1;
    }
    const FactorCurve* s = over.over_strain.get();
    K = scaled(positive_stiffness(sigma_p, p), sigma_p, over.each_strain ? s : nullptr);
    return s && !over.each_strain ? largest_factor(*s, sigma_p).point.value : 1;
  }

 private:
  static constexpr double kNear = 1e-6;  // stretches this near are taken as equal

  struct StageResponse {
    double R;    // Φ/γ
    Vec3 force;  // ∂Φ/∂σ
    Mat3 slope;  // γ ∂²Φ/∂σ²
  };

  static Mat9 tangent(const Vec3& sigma, const Parameters& p) {
    const Mat3 F = sigma.asDiagonal();
    if constexpr (PlainLaw<L>)
      return L::tangent(F, p.elastic);
    else
      return L::tangent(F, Mat3::Identity(), p.elastic);
  }
  static double energy(const Mat3& F, const Parameters& p) {
    if constexpr (PlainLaw<L>)
      return L::energy(F, p.elastic);
    else
      return L::energy(F, Mat3::Identity(), p.elastic);
  }
  static Vec3 slope_of_energy(const Mat3& F, const Parameters& p) {
    if constexpr (PlainLaw<L>)
      return L::stress(F, p.elastic).diagonal();
    else
      return L::stress(F, Mat3::Identity(), p.elastic).diagonal();
  }
  static Mat3 stiffness(const Vec3& sigma, const Parameters& p) {  // β K_σ
    const Mat9 C = tangent(sigma, p);
    Mat3 K;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(i, j) = p.beta * C(4 * i, 4 * j);
    return K;
  }
  static Mat3 positive_stiffness(const Vec3& sigma, const Parameters& p) {
    const SymmetricEigen3 eigen = symmetric_eigen(stiffness(sigma, p));
    return eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
  }
  // S^½ K S^½ with S = diag s(σ_j), BROWN §5.2.2
  static Mat3 scaled(const Mat3& K, const Vec3& sigma, const FactorCurve* s) {
    if (!s) return K;
    Vec3 root;
    for (int j = 0; j < 3; ++j) root[j] = std::sqrt(s->at(sigma[j]).value);
    return root.asDiagonal() * K * root.asDiagonal();
  }

  static StageResponse plain(const Vec3& sigma, const Vec3& rate, double gamma,
                             const Parameters& p) {
    const Mat3 F = sigma.asDiagonal();
    const Mat3 K = stiffness(sigma, p);
    StageResponse y{p.beta * (rate.dot(slope_of_energy(F, p)) - energy(F, p) / gamma) / gamma,
                    K * rate, K};
    if (const double size = rate.norm(); size > 0) {
      // ∂(K δσ)/∂σ at fixed δσ is the derivative of K along δσ.
      const double step = 5e-5 * std::max(1e-2, std::abs(sigma[2])) / size;
      const auto at = [&](double s) { return stiffness(sigma + s * rate, p); };
      y.slope +=
          (gamma / (12 * step)) * (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step)));
    }
    return y;
  }

  static StageResponse modified(const Vec3& rate, const Vec3& sigma_p, double viscosity,
                                const Parameters& p, const ViscousModifiers& over) {
    Mat3 K;
    const double factor = stage_stiffness(sigma_p, sigma_p, p, over, K);
    const Vec3 g = K * rate;
    const RateCurvePoint phi = over.rate_curve(0.5 * rate.dot(g), viscosity);
    return {factor * phi.value, factor * phi.slope * g,
            factor * (phi.slope * K + phi.bend * g * g.transpose())};
  }

  static PrincipalTangent full_tangent(const Vec3& sigma, const StageResponse& y, double gamma) {
    PrincipalTangent t;
    t.scaling = y.slope;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double apart = sigma[i] - sigma[j], sum = sigma[i] + sigma[j];
      t.flip[k] = std::abs(apart) > kNear ? gamma * (y.force[i] - y.force[j]) / apart
                                          : 0.5 * (y.slope(i, i) + y.slope(j, j)) - y.slope(i, j);
      t.twist[k] = gamma * (y.force[i] + y.force[j]) / std::max(sum, kNear);
    }
    return t;
  }
};

}  // namespace pliant
