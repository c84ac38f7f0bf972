// Cloth that gives way easily and then hardly at all, as woven cloth does: linear elasticity in the
// principal stretches (BROWN §7), and a wall at the ends of the range of stretches that is allowed,
//   Ψ = μ Σ (σ_i − 1)² + λ̄/2 (Σ (σ_i − 1))² + Σ wall(σ_i),   λ̄ of plane stress.
// The paper's solver clamps the stretches; for Newton's method the wall is a smooth, very stiff
// spring.
#pragma once

#include <pliant/core/error.hpp>
#include <pliant/material/constants.hpp>
#include <pliant/material/membrane_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

struct StrainLimitedMembrane {
  static constexpr std::string_view name = "strain-limited";
  static constexpr bool isotropic = true;
  static constexpr std::string_view source =
      "linear in the principal stretches, within limits; Brown et al. 2018 §7";

  struct Parameters {
    double mu = 0, lambda = 0;       // Pa
    double wall = 0;                 // Pa
    double lowest = 0, highest = 0;  // stretches
  };
  static constexpr double stiffer = 1e3;  // the wall, times young
  static constexpr double onset = 2e-3;   // of stretch, over which the wall sets in
  // Times the stiffness within the limits, the weight in the local–global solver: the wall bears
  // more. Half and twice of it hold the limits as well in 20 iterations of the swinging sheet, a
  // fourth of it does not, and with eight times of it they do not follow.
  static constexpr double heavier = 8;

  static Parameters make_parameters(const MaterialConstants& constants) {
    check(constants);
    const auto [lowest, highest] = constants.stretch_limits;
    if (!(lowest >= 0 && lowest < 1 && highest > 1))
      throw InputError(
          fmt::format("limits: the stretches must be from 0 to below 1 and above 1, got [{}, {}]",
                      lowest, highest));
    const double nu = constants.poisson;
    return {0.5 * constants.young / (1 + nu), constants.young * nu / (1 - nu * nu),
            stiffer * constants.young, lowest, highest};
  }

  static MembraneStress stress(const Vec3& e, const Parameters& p) {
    const Stretches s = stretches(e);
    const Response r = respond(s, p);
    return {r.energy, r.slope[0] / s.sigma[0] * s.v[0] + r.slope[1] / s.sigma[1] * s.v[1]};
  }

  // With S = Σ s_i n_i n_iᵀ, s_i = ψ_i/σ_i and c_i = σ_i²:
  //   dS = Σ ∂s_i/∂c_j (n_j·dC n_j) n_i n_iᵀ + (s_1 − s_2)/(c_1 − c_2) (n_1·dC n_2)(n_1 n_2ᵀ + n_2
  //   n_1ᵀ).
  static Mat3 tangent(const Vec3& e, const Parameters& p) {
    const Stretches s = stretches(e);
    const Response r = respond(s, p);
    double ds[2][2];  // ∂s_i/∂c_j
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const double psi_ij = i == j ? 2 * p.mu + p.lambda + r.curvature[i] : p.lambda;
        const double of_sigma =
            psi_ij / s.sigma[i] - (i == j ? r.slope[i] / (s.sigma[i] * s.sigma[i]) : 0);
        ds[i][j] = of_sigma / (2 * s.sigma[j]);
      }
    Mat3 D = Mat3::Zero();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) D += 2 * ds[i][j] * s.v[i] * s.v[j].transpose();
    const double c1 = s.sigma[0] * s.sigma[0], c2 = s.sigma[1] * s.sigma[1];
    const double apart = c1 - c2;
    const double twist = std::abs(apart) > 1e-7 * (c1 + c2)
                             ? (r.slope[0] / s.sigma[0] - r.slope[1] / s.sigma[1]) / apart
                             : ds[0][0] - ds[0][1];
    return D + 4 * twist * s.v12 * s.v12.transpose();
  }

 private:
  // Stretches σ and directions n of FᵀF as vectors in the space of e: v_i·e = n_i·E n_i.
  struct Stretches {
    double sigma[2];
    Vec3 v[2], v12;
  };
  static Stretches stretches(const Vec3& e) {
    const double mean = 1 + e[0] + e[1], half = e[0] - e[1];
    const double radius = std::hypot(half, e[2]);
    const double angle = radius > 0 ? 0.5 * std::atan2(e[2], half) : 0;
    const double c = std::cos(angle), s = std::sin(angle);
    // A sheet crushed to a line has no direction to push it open; a hair's breadth has.
    constexpr double least = 1e-6;
    Stretches out;
    out.sigma[0] = std::sqrt(std::max(mean + radius, least * least));
    out.sigma[1] = std::sqrt(std::max(mean - radius, least * least));
    out.v[0] = Vec3(c * c, s * s, c * s);
    out.v[1] = Vec3(s * s, c * c, -c * s);
    out.v12 = Vec3(-c * s, c * s, 0.5 * (c * c - s * s));
    return out;
  }
  struct Response {
    double energy, slope[2], curvature[2];  // of the wall alone: curvature
  };
  static Response respond(const Stretches& s, const Parameters& p) {
    const double trace = s.sigma[0] + s.sigma[1] - 2;
    Response r{0.5 * p.lambda * trace * trace, {}, {}};
    for (int i = 0; i < 2; ++i) {
      const double x = s.sigma[i] - 1;
      r.energy += p.mu * x * x;
      r.slope[i] = 2 * p.mu * x + p.lambda * trace;
      add_wall(s.sigma[i] - p.highest, 1, p.wall, r, i);
      add_wall(p.lowest - s.sigma[i], -1, p.wall, r, i);
    }
    return r;
  }
  // k x³/(6 a) up to a, then ½ k (x − a)² + … so that value, slope and curvature go on.
  static void add_wall(double x, double sign, double k, Response& r, int i) {
    if (x <= 0) return;
    const double a = onset, near = std::min(x, a), far = std::max(x - a, 0.0);
    r.energy += k * (near * near * near / (6 * a) + far * (0.5 * a + 0.5 * far));
    r.slope[i] += sign * k * (near * near / (2 * a) + far);
    r.curvature[i] += k * near / a;
  }
};

}  // namespace pliant
