#include <pliant/contact/gap.hpp>

#include <pliant/core/symmetric.hpp>

#include <Eigen/QR>

namespace pliant {
namespace {

// w ⊗ u: the motion of the four points along u by w.
PairGradient along(const Eigen::Vector4d& w, const Vec3& u) {
  PairGradient b;
  for (int i = 0; i < 4; ++i) b.segment<3>(3 * i) = w[i] * u;
  return b;
}

}  // namespace

Gap::Gap(const Nearest& nearest, const PairPoints& x) {
  const Vec3 r = nearest.connection(x);
  d_ = r.norm();
  n_ = r / d_;
  Mat3 frame;  // n, τ₁, τ₂
  frame.col(0) = n_;
  frame.col(1) = n_.unitOrthogonal();
  frame.col(2) = n_.cross(frame.col(1));
  for (int j = 0; j < 3; ++j) B_.col(j) = along(nearest.w, frame.col(j));
  for (int k = 0; k < 2; ++k) B_.col(3 + k) = along(nearest.dw.col(k), n_);
  curvature_.setZero();
  curvature_(1, 1) = curvature_(2, 2) = 1 / d_;
  const int m = nearest.parameters;
  if (m == 0) return;
  // The columns C_k in the basis B, and G.
  const Eigen::Matrix<double, 3, 2> E = x * nearest.dw;
  Eigen::Matrix<double, 5, 2> C = Eigen::Matrix<double, 5, 2>::Zero();
  C.middleRows<2>(1) = frame.rightCols<2>().transpose() * E;
  C(3, 0) = d_, C(4, 1) = d_;
  if (m == 1) {
    curvature_ -= C.col(0) * C.col(0).transpose() / (E.col(0).squaredNorm() * d_);
  } else {
    const Eigen::Matrix2d G = E.transpose() * E;
    // det G = ‖E₁×E₂‖², which keeps the digits that G₁₁G₂₂ − G₁₂² loses for edges all but parallel.
    const double det = E.col(0).cross(E.col(1)).squaredNorm();
    Eigen::Matrix2d adjugate;
    adjugate << G(1, 1), -G(0, 1), -G(1, 0), G(0, 0);
    curvature_ -= C * adjugate * C.transpose() / (det * d_);
  }
}

Gap::Small Gap::inner(double first, double second) const {
  Small S = first * curvature_;
  S(0, 0) += second;
  return S;
}

PairHessian Gap::hessian(double first, double second) const {
  return B_ * inner(first, second) * B_.transpose();
}

// B = Q R with orthonormal Q: B S Bᵀ = Q (R S Rᵀ) Qᵀ, and the positive part is taken inside.
PairHessian Gap::positive_hessian(double first, double second) const {
  const Eigen::HouseholderQR<Eigen::Matrix<double, 12, 5>> qr(B_);
  const Eigen::Matrix<double, 12, 5> Q =
      qr.householderQ() * Eigen::Matrix<double, 12, 5>::Identity();
  const Small R = qr.matrixQR().topRows<5>().triangularView<Eigen::Upper>();
  const Small S = inner(first, second);
  const Small whole = R * S * R.transpose();
  return Q * positive_part(whole) * Q.transpose();
}

}  // namespace pliant
