#include <pliant/material/isotropic.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace pliant {
namespace {

// Eigenvalues this far below zero, relative to the largest number in sight, are rounding.
constexpr double rounding = 1e-14;

// (u_i v_jᵀ + sign u_j v_iᵀ)/√2 for the pair (i, j) = (k+1, k+2).
Mat3 pair_mode(const Svd3& f, int k, double sign) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const double r = std::sqrt(0.5);
  const Vec3 ui = r * f.U.col(i), uj = (sign * r) * f.U.col(j);
  Mat3 mode;
  for (int c = 0; c < 3; ++c) mode.col(c) = ui * f.V(c, j) + uj * f.V(c, i);
  return mode;
}

void add_scalings(const Svd3& f, const Mat3& scaling, double threshold, PsdCorrection& correction) {
  const SymmetricEigen3 eigen = symmetric_eigen(scaling);
  for (int k = 0; k < 3; ++k)
    if (eigen.values[k] < threshold)
      correction.add(eigen.values[k], f.U * eigen.vectors.col(k).asDiagonal() * f.V.transpose());
}

void add_pairs(const Svd3& f, const Vec3& flip, const Vec3& twist, double threshold,
               PsdCorrection& correction) {
  for (int k = 0; k < 3; ++k) {
    if (flip[k] < threshold) correction.add(flip[k], pair_mode(f, k, 1));
    if (twist[k] < threshold) correction.add(twist[k], pair_mode(f, k, -1));
  }
}

// The coefficients of Π (λ + x_k) for the eigenvalues x of a symmetric 3×3 matrix. With x real, all
// are positive if and only if all x are.
struct Characteristic {
  double trace, minors, determinant;
};
bool clearly_positive(const Characteristic& c) {
  const double t = c.trace;
  return t > 0 && c.minors > 1e-10 * t * t && c.determinant > 1e-12 * t * t * t;
}

struct Invariants {
  double I, II, J;  // ‖F‖², ‖cof F‖², det F
};

// min_k (a ± e σ_k) ≥ 0  ⇔  a² I − e² FᵀF is positive semi-definite and a ≥ 0.
bool pairs_are_positive(const InvariantTangent& t, const Invariants& F) {
  const double A = t.a * t.a, E = t.e * t.e;
  return t.a > 0 &&
         clearly_positive({3 * A - E * F.I, 3 * A * A - 2 * A * E * F.I + E * E * F.II,
                           A * A * A - A * A * E * F.I + A * E * E * F.II - E * E * E * F.J * F.J});
}

// ∂²Ψ/∂σ_i∂σ_j = M + b σσᵀ + c (σγᵀ + γσᵀ) + d γγᵀ with M = a I + e O, O the matrix off_diagonal(σ)
// and γ = products_of_others(σ). Its characteristic polynomial follows from those of M and of two
// rank-one updates; every product below is a polynomial in the invariants, as Oσ = 2γ and Oγ = I σ
// − σ³.
bool scalings_are_positive(const InvariantTangent& t, const Invariants& F) {
  const double a = t.a, e = t.e, aa = a * a, ae = a * e, ee = e * e;
  const double ss = F.I, sg = 3 * F.J, gg = F.II;                   // σ·σ, σ·γ, γ·γ
  const double sOs = 6 * F.J, sOg = 2 * F.II, gOg = 2 * F.J * F.I;  // σᵀOσ, σᵀOγ, γᵀOγ
  const double nn = F.I * F.II - 9 * F.J * F.J;                     // |σ × γ|²
  const double nOn = -2 * F.J * (F.I * F.I - 3 * F.II);             // (σ × γ)ᵀ O (σ × γ)
  const double sAs = aa * ss - ae * sOs + ee * (4 * F.II - F.I * F.I);  // σᵀ adj(M) σ
  const double sAg = aa * sg - ae * sOg + ee * F.J * F.I;
  const double gAg = aa * gg - ae * gOg + 3 * ee * F.J * F.J;
  const double bd = t.b * t.d - t.c * t.c;
  const double trace = 3 * a + t.b * ss + 2 * t.c * sg + t.d * gg;
  const double minors = 3 * aa - ee * F.I + t.b * (2 * a * ss - e * sOs) +
                        2 * t.c * (2 * a * sg - e * sOg) + t.d * (2 * a * gg - e * gOg) + bd * nn;
  const double determinant = a * aa - ae * e * F.I + 2 * ee * e * F.J + t.b * sAs + 2 * t.c * sAg +
                             t.d * gAg + bd * (a * nn + e * nOn);
  return clearly_positive({trace, minors, determinant});
}

}  // namespace

Mat9 tangent_from(const Svd3& f, const PrincipalTangent& t) {
  Mat9 C = Mat9::Zero();
  std::array<Mat3, 3> outer;
  for (int i = 0; i < 3; ++i)
    outer[static_cast<std::size_t>(i)] = f.U.col(i) * f.V.col(i).transpose();
  for (int i = 0; i < 3; ++i) {
    Mat3 row = Mat3::Zero();
    for (int j = 0; j < 3; ++j) row += t.scaling(i, j) * outer[static_cast<std::size_t>(j)];
    C += vec(outer[static_cast<std::size_t>(i)]) * vec(row).transpose();
    const Mat3 flip = pair_mode(f, i, 1), twist = pair_mode(f, i, -1);
    C += vec(flip) * (t.flip[i] * vec(flip)).transpose();
    C += vec(twist) * (t.twist[i] * vec(twist)).transpose();
  }
  return 0.5 * (C + C.transpose());
}

PsdCorrection psd_correction_from(const Svd3& f, const PrincipalTangent& t) {
  PsdCorrection correction;
  const double threshold = -rounding * t.scaling.cwiseAbs().maxCoeff();
  add_pairs(f, t.flip, t.twist, threshold, correction);
  add_scalings(f, t.scaling, threshold, correction);
  return correction;
}

PsdCorrection psd_correction_from(const Mat3& F, const InvariantTangent& t) {
  PsdCorrection correction;
  const Mat3 G = cofactor(F);
  const Invariants invariants = {F.squaredNorm(), G.squaredNorm(), F.col(0).dot(G.col(0))};
  const bool pairs_positive = pairs_are_positive(t, invariants);
  const bool scalings_positive = scalings_are_positive(t, invariants);
  if (pairs_positive && scalings_positive) return correction;
  const Svd3 f = svd(F);
  const double threshold = -rounding * (std::abs(t.a) + std::abs(t.e) * f.sigma[0]);
  if (!pairs_positive) {
    const Vec3 flip = Vec3::Constant(t.a) - t.e * f.sigma;
    const Vec3 twist = Vec3::Constant(t.a) + t.e * f.sigma;
    add_pairs(f, flip, twist, threshold, correction);
  }
  if (!scalings_positive) {
    const Vec3& s = f.sigma;
    const Vec3 g = products_of_others(s);
    const Mat3 scaling = t.a * Mat3::Identity() + t.e * off_diagonal(s) +
                         s * (t.b * s + t.c * g).transpose() + g * (t.c * s + t.d * g).transpose();
    add_scalings(f, scaling, threshold, correction);
  }
  return correction;
}

PsdCorrection dense_psd_correction(const Mat9& C) {
  PsdCorrection correction;
  if (!C.allFinite()) return correction;
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(C);
  const double threshold = -rounding * eigen.eigenvalues().cwiseAbs().maxCoeff();
  for (int k = 0; k < 9; ++k)
    if (eigen.eigenvalues()[k] < threshold)
      correction.add(eigen.eigenvalues()[k],
                     Eigen::Map<const Mat3>(eigen.eigenvectors().col(k).data()));
  return correction;
}

}  // namespace pliant
