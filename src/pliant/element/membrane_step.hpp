// The local step of the local–global solver for one point of a sheet, (17):
//   F = argmin Ψ(F) + w/2 ‖F − T‖²,   F and T 3×2.
// For isotropic laws F has the singular vectors of T, and two stretches are left to find; others
// take six unknowns.
#pragma once

#include <pliant/core/symmetric.hpp>
#include <pliant/element/local_step.hpp>
#include <pliant/element/triangle_frame.hpp>
#include <pliant/material/membrane_law.hpp>

#include <Eigen/Eigenvalues>

namespace pliant {
namespace membrane {

using Mat2 = Eigen::Matrix2d;
using Vec2 = Eigen::Vector2d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

inline Vec3 strain(const Mat32& F) {  // (E_xx, E_yy, 2 E_xy)
  return {0.5 * (F.col(0).squaredNorm() - 1), 0.5 * (F.col(1).squaredNorm() - 1),
          F.col(0).dot(F.col(1))};
}
inline Mat2 matrix(const Vec3& S) {
  Mat2 M;
  M << S[0], S[2], S[2], S[1];
  return M;
}
template <int n>
void clamp(Eigen::Matrix<double, n, n>& M) {
  const auto eigen = symmetric_pairs(M);
  if (eigen.eigenvalues()[0] >= 0) return;
  M = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
      eigen.eigenvectors().transpose();
}

// ∂²Ψ/∂F² of S and D = ∂S/∂e there.
inline Mat6 tangent_from(const Mat32& F, const Mat2& S, const Mat3& D) {
  Eigen::Matrix<double, 3, 6> B = Eigen::Matrix<double, 3, 6>::Zero();
  B.block<1, 3>(0, 0) = F.col(0).transpose();
  B.block<1, 3>(1, 3) = F.col(1).transpose();
  B.block<1, 3>(2, 0) = F.col(1).transpose();
  B.block<1, 3>(2, 3) = F.col(0).transpose();
  Mat6 H = B.transpose() * D * B;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) H.block<3, 3>(3 * i, 3 * j).diagonal().array() += S(i, j);
  return H;
}
// Both of its parts made positive semi-definite.
template <MembraneLaw L>
Mat6 positive_tangent(const Mat32& F, const typename L::Parameters& p) {
  Mat2 S = matrix(L::stress(strain(F), p).S);
  Mat3 D = L::tangent(strain(F), p);
  clamp(S), clamp(D);
  return tangent_from(F, S, D);
}

// T = Σ t_i u_i n_iᵀ with t ≥ 0, and u and n at right angles also where t vanishes.
struct Principal {
  Vec2 t;
  Mat32 U;
  Mat2 N;
};
inline Principal principal(const Mat32& T) {
  const double half = 0.5 * (T.col(0).squaredNorm() - T.col(1).squaredNorm());
  const double angle = 0.5 * std::atan2(T.col(0).dot(T.col(1)), half);
  Principal out;
  out.N << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  out.U = T * out.N;
  out.t = out.U.colwise().norm();
  constexpr double least = 1e-12;
  if (out.t[0] > 0)
    out.U.col(0) /= out.t[0];
  else
    out.U.col(0) = Vec3::UnitX();
  const Vec3 u = out.U.col(0);
  out.U.col(1) -= u.dot(out.U.col(1)) * u;
  if (out.U.col(1).norm() > least * out.t[0])
    out.U.col(1).normalize();
  else
    out.U.col(1) = u.unitOrthogonal();
  return out;
}

// Ψ depends on squares of stretches alone: what has gone below zero does better above.
template <MembraneLaw L>
bool minimise_stretches(const Vec2& t, double w, const typename L::Parameters& p, Vec2& s) {
  const auto at = [](const Vec2& x) {
    return Vec3(0.5 * (x[0] * x[0] - 1), 0.5 * (x[1] * x[1] - 1), 0);
  };
  const auto energy = [&](const Vec2& x) {
    return L::stress(at(x), p).energy + 0.5 * w * (x - t).squaredNorm();
  };
  const auto gradient = [&](const Vec2& x) {
    return Vec2(x.cwiseProduct(L::stress(at(x), p).S.template head<2>()) + w * (x - t));
  };
  const auto direction = [&](const Vec2& x, const Vec2& g) {
    const Vec3 S = L::stress(at(x), p).S, e = at(x);
    Mat2 H = x.asDiagonal() * L::tangent(e, p).template topLeftCorner<2, 2>() * x.asDiagonal();
    H.diagonal() += S.template head<2>() + Vec2::Constant(w);
    if (H(0, 0) > 0 && H.determinant() > 0) return Vec2(H.inverse() * g);
    Eigen::SelfAdjointEigenSolver<Mat2> eigen;
    eigen.computeDirect(H);
    const Vec2 values = eigen.eigenvalues().cwiseAbs().cwiseMax(1e-3 * w);
    return Vec2(eigen.eigenvectors() *
                (eigen.eigenvectors().transpose() * g).cwiseQuotient(values));
  };
  bool found = minimise_locally(energy, gradient, direction, s);
  for (int k = 0; k < 4 && found && s.minCoeff() < 0; ++k) {
    s = s.cwiseAbs();
    found = minimise_locally(energy, gradient, direction, s);
  }
  return found;
}

template <MembraneLaw L>
bool minimise_entries(const Vec6& t, double w, const typename L::Parameters& p, Vec6& x) {
  const auto form = [](const Vec6& y) { return Mat32(Eigen::Map<const Mat32>(y.data())); };
  return minimise_locally(
      [&](const Vec6& y) {
        return L::stress(strain(form(y)), p).energy + 0.5 * w * (y - t).squaredNorm();
      },
      [&](const Vec6& y) {
        const Mat32 F = form(y);
        const Mat32 P = F * matrix(L::stress(strain(F), p).S);
        return Vec6(Eigen::Map<const Vec6>(P.data()) + w * (y - t));
      },
      [&](const Vec6& y, const Vec6& g) {
        const Mat32 F = form(y);
        const Vec3 e = strain(F);
        const Mat6 I = w * Mat6::Identity();
        Vec6 d;
        const Mat6 H = tangent_from(F, matrix(L::stress(e, p).S), L::tangent(e, p)) + I;
        if (!solve_by_cholesky(H, g, d) &&
            !solve_by_cholesky<Mat6>(positive_tangent<L>(F, p) + I, g, d))
          d = g / w;
        return d;
      },
      x);
}

}  // namespace membrane

// F holds a guess.
template <MembraneLaw L>
bool membrane_step(const Mat32& target, double w, const typename L::Parameters& p, Mat32& F) {
  if constexpr (L::isotropic) {
    const membrane::Principal parts = membrane::principal(target);
    membrane::Vec2 s = parts.t;
    if (!parts.t.allFinite() || !membrane::minimise_stretches<L>(parts.t, w, p, s)) return false;
    F = parts.U * s.asDiagonal() * parts.N.transpose();
    return true;
  } else {
    membrane::Vec6 x = Eigen::Map<const membrane::Vec6>(F.data());
    const bool found =
        membrane::minimise_entries<L>(Eigen::Map<const membrane::Vec6>(target.data()), w, p, x);
    F = Eigen::Map<const Mat32>(x.data());
    return found;
  }
}

}  // namespace pliant
