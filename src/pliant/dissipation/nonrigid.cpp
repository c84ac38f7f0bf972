#include <pliant/dissipation/nonrigid.hpp>

#include <pliant/core/svd3.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr double kSingular = 1e-9;    // of det F over ‖F‖³: no inverse
constexpr double kNoInertia = 1e-12;  // of the largest: nothing turns about this axis

Mat3 cross_columns(const Vec3& omega, const Mat3& X) {  // [ω]ₓ X
  Mat3 out;
  for (int j = 0; j < 3; ++j) out.col(j) = omega.cross(X.col(j));
  return out;
}

Vec3 moment(const Mat3& F, const Mat3& X) {  // Σ_j F_j × X_j
  return F.col(0).cross(X.col(0)) + F.col(1).cross(X.col(1)) + F.col(2).cross(X.col(2));
}

Mat3 inverse_inertia(const Mat3& F) {
  const Mat3 inertia = F.squaredNorm() * Mat3::Identity() - F * F.transpose();
  const SymmetricEigen3 eigen = symmetric_eigen(inertia);
  Vec3 inverse = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.values[k] > kNoInertia * eigen.values[0]) inverse[k] = 1 / eigen.values[k];
  return eigen.vectors * inverse.asDiagonal() * eigen.vectors.transpose();
}

// The matrix of a linear map of 3×3 matrices.
template <class Map>
Mat9 matrix_of(Map&& map) {
  Mat9 A;
  for (int k = 0; k < 9; ++k) {
    Mat3 unit = Mat3::Zero();
    unit(k) = 1;
    const Mat3 column = map(unit);
    A.col(k) = vec(column);
  }
  return A;
}

}  // namespace

NonrigidRate::NonrigidRate(const Mat3& F, const Mat3& F_dot, NonrigidForm form)
    : F_(F), F_dot_(F_dot), form_(form) {
  if (std::abs(F.determinant()) <= kSingular * std::pow(F.norm(), 3))
    form_ = NonrigidForm::projection;
  inverse_ = form_ == NonrigidForm::projection ? inverse_inertia(F) : Mat3(F.inverse());
  rate_ = apply(F_dot);
}

Vec3 NonrigidRate::turning(const Mat3& X) const { return inverse_ * moment(F_, X); }

Mat3 NonrigidRate::without_turning(const Mat3& X) const {
  return X - cross_columns(turning(X), F_);
}

// δ(X − [ω]ₓ F) with I ω = Σ F_j × X_j and I = tr(F Fᵀ) 1 − F Fᵀ.
Mat3 NonrigidRate::change_of_turning(const Mat3& X, const Mat3& dF) const {
  const Vec3 omega = turning(X);
  const Mat3 outer = dF * F_.transpose();
  const Vec3 inertia_change = 2 * outer.trace() * omega - outer * omega - outer.transpose() * omega;
  const Vec3 d_omega = inverse_ * (moment(dF, X) - inertia_change);
  return -cross_columns(d_omega, F_) - cross_columns(omega, dF);
}

// N X = ½ (X + F⁻ᵀ Xᵀ F)     BROWN (67)
Mat3 NonrigidRate::apply(const Mat3& X) const {
  if (form_ == NonrigidForm::projection) return without_turning(X);
  return 0.5 * (X + inverse_.transpose() * X.transpose() * F_);
}

Mat3 NonrigidRate::apply_transposed(const Mat3& X) const {
  if (form_ == NonrigidForm::projection) return without_turning(X);
  return 0.5 * (X + F_ * X.transpose() * inverse_.transpose());
}

// BROWN (70)
Mat3 NonrigidRate::change(const Mat3& X, const Mat3& dF) const {
  if (form_ == NonrigidForm::projection) return change_of_turning(X, dF);
  const Mat3 left = inverse_.transpose() * X.transpose();
  return 0.5 * (left * dF - inverse_.transpose() * dF.transpose() * left * F_);
}

Mat3 NonrigidRate::change_transposed(const Mat3& X, const Mat3& dF) const {
  if (form_ == NonrigidForm::projection) return change_of_turning(X, dF);
  const Mat3 right = X.transpose() * inverse_.transpose();
  return 0.5 * (dF * right - F_ * right * dF.transpose() * inverse_.transpose());
}

void NonrigidRate::pull_back(Wanted wanted, ViscousResponse& out) const {
  if (!wanted.P()) return;
  if (wanted.D()) {
    const Mat9 N = matrix_of([&](const Mat3& X) { return apply(X); });
    if (wanted.position) {
      const Mat9 B = matrix_of([&](const Mat3& dF) { return change(F_dot_, dF); });
      const Vec9 G = vec(out.G) + B.transpose() * vec(out.P);
      out.G = Eigen::Map<const Mat3>(G.data());
      out.S = (N.transpose() * (out.S + out.D * B)).eval() +
              matrix_of([&](const Mat3& dF) { return change_transposed(out.P, dF); });
    }
    out.D = (N.transpose() * out.D * N).eval();
  }
  out.P = apply_transposed(out.P);
}

}  // namespace pliant
