// The local step of the local–global solver for one quadrature point of a solid, (17) or (40):
//   F = argmin Ψ(F) + w/2 ‖F − T‖²,
// w and T given. For isotropic laws F has the singular vectors of T, and three stretches are left
// to find (Overby et al. 2017; BROWN §5.1.3). Other laws take nine unknowns. Where there is a
// formula, the law has it as `proximal`.
#pragma once

#include <pliant/core/svd3.hpp>
#include <pliant/core/symmetric.hpp>
#include <pliant/material/isotropic.hpp>
#include <pliant/material/positive_tangent.hpp>

#include <cmath>

namespace pliant {

constexpr double kLocalTolerance = 1e-12;  // of the last change, relative
constexpr int kLocalIterations = 50;

template <class L>
concept ProximalLaw = requires(const Mat3& T, const typename L::Parameters& p) {
  { L::proximal(T, 1.0, p) } -> std::same_as<Mat3>;
};
// Laws that say themselves what they are over the principal stretches.
template <class L>
concept StretchLaw = requires(const Vec3& s, const typename L::Parameters& p) {
  { L::principal_energy(s, p) } -> std::same_as<double>;
  { L::principal_slope(s, p) } -> std::same_as<Vec3>;
  { L::principal(s, p) } -> std::same_as<PrincipalTangent>;
};

// Energy, slope and curvature over the principal stretches.
template <PlainLaw L>
struct PrincipalLaw {
  using Parameters = typename L::Parameters;
  static Mat3 matrix(const Vec3& s) { return s.asDiagonal(); }
  static double energy(const Vec3& s, const Parameters& p) {
    if constexpr (InvariantLaw<L>)
      return L::energy(invariants(s), p);
    else if constexpr (StretchLaw<L>)
      return L::principal_energy(s, p);
    else
      return L::energy(matrix(s), p);
  }
  static Vec3 slope(const Vec3& s, const Parameters& p) {
    if constexpr (InvariantLaw<L>) {
      const InvariantStress stress = L::stress(invariants(s), p);
      return stress.f * s + stress.g * products_of_others(s);
    } else if constexpr (StretchLaw<L>) {
      return L::principal_slope(s, p);
    } else {
      return L::stress(matrix(s), p).diagonal();
    }
  }
  static Mat3 curvature(const Vec3& s, const Parameters& p) {
    if constexpr (InvariantLaw<L>) {
      const InvariantTangent t = L::tangent(invariants(s), p);
      const Vec3 G = products_of_others(s);
      return t.a * Mat3::Identity() + t.b * s * s.transpose() +
             t.c * (s * G.transpose() + G * s.transpose()) + t.d * G * G.transpose() +
             t.e * off_diagonal(s);
    } else if constexpr (StretchLaw<L>) {
      return L::principal(s, p).scaling;
    } else {
      const Mat9 C = L::tangent(matrix(s), p);
      Mat3 H;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) H(i, j) = C(4 * i, 4 * j);
      return H;
    }
  }

 private:
  static StrainInvariants invariants(const Vec3& s) {
    return {s.squaredNorm() - 3, s[0] * s[1] * s[2] - 1};
  }
};

// Newton's method with a line search for φ(x) = U(x) + w/2 ‖x − t‖² from x. `direction` solves
// (H + w) d = g with H made positive where it must be.
template <class Vec, class Energy, class Gradient, class Direction>
bool minimise_locally(Energy&& energy, Gradient&& gradient, Direction&& direction, Vec& x) {
  double value = energy(x);
  for (int k = 0; k < kLocalIterations; ++k) {
    const Vec g = gradient(x);
    const Vec d = direction(x, g);
    const double slope = g.dot(d);
    if (!std::isfinite(slope)) return false;
    if (d.norm() <= kLocalTolerance * (1 + x.norm())) return true;
    double step = 1;
    for (int tries = 0;; ++tries) {
      const Vec next = x - step * d;
      const double trial = energy(next);
      if (trial <= value - 1e-4 * step * slope ||
          (d.norm() <= 1e-7 * (1 + x.norm()) && std::isfinite(trial))) {
        x = next, value = trial;
        break;
      }
      if (tries == 40) return d.norm() <= 1e-6 * (1 + x.norm());
      step *= 0.5;
    }
  }
  return false;
}

template <PlainLaw L>
bool minimise_stretches(const Vec3& target, double w, const typename L::Parameters& p, Vec3& s) {
  using P = PrincipalLaw<L>;
  return minimise_locally(
      [&](const Vec3& x) { return P::energy(x, p) + 0.5 * w * (x - target).squaredNorm(); },
      [&](const Vec3& x) { return Vec3(P::slope(x, p) + w * (x - target)); },
      [&](const Vec3& x, const Vec3& g) {
        const Mat3 H = P::curvature(x, p) + w * Mat3::Identity();
        Vec3 d;
        if (solve_by_cholesky(H, g, d)) return d;
        const auto eigen = symmetric_pairs(H);
        const Vec3 values = eigen.eigenvalues().cwiseAbs().cwiseMax(1e-3 * w);
        return Vec3(eigen.eigenvectors() *
                    (eigen.eigenvectors().transpose() * g).cwiseQuotient(values));
      },
      s);
}

template <PlainLaw L>
bool local_step(const Mat3& target, double w, const typename L::Parameters& p, Mat3& F) {
  if constexpr (ProximalLaw<L>) {
    F = L::proximal(target, w, p);
    return F.allFinite();
  } else if constexpr (L::promises.isotropic && L::promises.frame_indifferent) {
    const Svd3 parts = svd(target);
    Vec3 s = parts.sigma;
    if (L::promises.needs_positive_det) s = s.cwiseMax(0.1);
    if (!minimise_stretches<L>(parts.sigma, w, p, s)) return false;
    F = parts.U * s.asDiagonal() * parts.V.transpose();
    return true;
  } else {
    Vec9 x = vec(F);
    const Vec9 t = vec(target);
    const auto matrix = [](const Vec9& y) { return Mat3(Eigen::Map<const Mat3>(y.data())); };
    const bool found = minimise_locally(
        [&](const Vec9& y) { return L::energy(matrix(y), p) + 0.5 * w * (y - t).squaredNorm(); },
        [&](const Vec9& y) {
          const Mat3 P = L::stress(matrix(y), p);
          return Vec9(vec(P) + w * (y - t));
        },
        [&](const Vec9& y, const Vec9& g) {
          const Mat3 at = matrix(y);
          Mat9 H = L::tangent(at, p) + w * Mat9::Identity();
          Vec9 d;
          if (solve_by_cholesky(H, g, d)) return d;
          positive_tangent<L>(at, p, H);
          H.diagonal().array() += w;
          return solve_by_ldlt(H, g);
        },
        x);
    F = matrix(x);
    return found;
  }
}

template <FrozenRotationLaw L>
bool local_step(const Mat3& target, double w, const Mat3& R, const typename L::Parameters& p,
                Mat3& F) {
  F = L::proximal(target, w, R, p);
  return F.allFinite();
}

}  // namespace pliant
