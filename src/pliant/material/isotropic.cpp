#include <pliant/material/isotropic.hpp>

#include <pliant/core/symmetric.hpp>
#include <pliant/material/invariant_projection.hpp>

#include <cmath>

namespace pliant {
namespace {

// (u_i v_jᵀ + sign u_j v_iᵀ)/√2 for the pair (i, j) = (k+1, k+2).
Mat3 pair_mode(const Svd3& f, int k, double sign) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const double r = std::sqrt(0.5);
  const Vec3 ui = r * f.U.col(i), uj = (sign * r) * f.U.col(j);
  Mat3 mode;
  for (int c = 0; c < 3; ++c) mode.col(c) = ui * f.V(c, j) + uj * f.V(c, i);
  return mode;
}

// By Sylvester's criterion, with room for rounding; most elements need no eigenvalues.
bool clearly_positive(const Mat3& A) {
  constexpr double room = 1e-10;
  const double largest = A.cwiseAbs().maxCoeff();
  const double minor = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  return A(0, 0) > room * largest && minor > room * largest * largest &&
         A.determinant() > room * largest * largest * largest;
}

void add_scalings(const Svd3& f, const Mat3& scaling, double threshold, PsdCorrection& correction) {
  if (clearly_positive(scaling)) return;
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
  const double threshold = -eigenvalue_rounding * t.scaling.cwiseAbs().maxCoeff();
  add_pairs(f, t.flip, t.twist, threshold, correction);
  add_scalings(f, t.scaling, threshold, correction);
  return correction;
}

PsdCorrection psd_correction_from(const Mat3& F, const InvariantTangent& t) {
  PsdCorrection correction;
  const Invariants<double> invariants = invariants_from(plain(F));
  const bool pairs_positive = pairs_are_positive(t, invariants);
  const bool scalings_positive = scalings_are_positive(t, invariants);
  if (pairs_positive && scalings_positive) return correction;
  const Svd3 f = svd(F);
  if (!pairs_positive) {
    const Vec3 flip = Vec3::Constant(t.a) - t.e * f.sigma;
    const Vec3 twist = Vec3::Constant(t.a) + t.e * f.sigma;
    add_pairs(f, flip, twist, negative_below(t, f.sigma[0]), correction);
  }
  if (!scalings_positive) add_scalings(f, t, correction);
  return correction;
}

void add_scalings(const Svd3& f, const InvariantTangent& t, PsdCorrection& correction) {
  const Vec3& s = f.sigma;
  const Vec3 g = products_of_others(s);
  const Mat3 scaling = t.a * Mat3::Identity() + t.e * off_diagonal(s) +
                       s * (t.b * s + t.c * g).transpose() + g * (t.c * s + t.d * g).transpose();
  add_scalings(f, scaling, negative_below(t, s[0]), correction);
}

PsdCorrection dense_psd_correction(const Mat9& C) {
  PsdCorrection correction;
  if (!C.allFinite()) return correction;
  const auto eigen = symmetric_pairs(C);
  const double threshold = -eigenvalue_rounding * eigen.eigenvalues().cwiseAbs().maxCoeff();
  for (int k = 0; k < 9; ++k)
    if (eigen.eigenvalues()[k] < threshold)
      correction.add(eigen.eigenvalues()[k],
                     Eigen::Map<const Mat3>(eigen.eigenvectors().col(k).data()));
  return correction;
}

}  // namespace pliant
