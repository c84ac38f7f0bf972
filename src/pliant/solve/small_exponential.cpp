#include <pliant/solve/small_exponential.hpp>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kDegree = 13;
constexpr double kNorm = 5.371920351148152;  // up to which rounding is reached without scaling

// The numerator of the diagonal Padé approximant: c_j = q! (2q − j)! / ((2q)! j! (q − j)!).
constexpr std::array<double, kDegree + 1> coefficients() {
  std::array<double, kDegree + 1> c{1};
  for (int j = 0; j < kDegree; ++j) c[j + 1] = c[j] * (kDegree - j) / ((2 * kDegree - j) * (j + 1));
  return c;
}

}  // namespace

void SmallExponential::reserve(Eigen::Index n) {
  if (A_.rows() >= n) return;
  for (Matrix* matrix : {&A_, &A2_, &A4_, &A6_, &T_, &U_, &V_, &X_}) matrix->resize(n, n);
}

// exp(A) ≈ (V − U)⁻¹ (V + U), U odd and V even in A.
void SmallExponential::approximate(Eigen::Index n) {
  static constexpr std::array<double, kDegree + 1> c = coefficients();
  const auto corner = [n](Matrix& matrix) { return matrix.topLeftCorner(n, n); };
  auto A = corner(A_), A2 = corner(A2_), A4 = corner(A4_), A6 = corner(A6_), T = corner(T_),
       U = corner(U_), V = corner(V_), X = corner(X_);
  A2.noalias() = A * A;
  A4.noalias() = A2 * A2;
  A6.noalias() = A2 * A4;
  T = c[13] * A6 + c[11] * A4 + c[9] * A2;
  V.noalias() = A6 * T;
  V += c[7] * A6 + c[5] * A4 + c[3] * A2;
  V.diagonal().array() += c[1];
  U.noalias() = A * V;
  T = c[12] * A6 + c[10] * A4 + c[8] * A2;
  V.noalias() = A6 * T;
  V += c[6] * A6 + c[4] * A4 + c[2] * A2;
  V.diagonal().array() += c[0];
  T = V + U;
  V -= U;
  const Eigen::PartialPivLU<Eigen::Ref<Matrix>> factors(V);
  X = factors.solve(T);
}

Eigen::Block<Matrix> SmallExponential::compute(const Eigen::Ref<const Matrix>& A) {
  const Eigen::Index n = A.rows();
  reserve(n);
  const double norm = n > 0 ? A.cwiseAbs().colwise().sum().maxCoeff() : 0;
  auto X = X_.topLeftCorner(n, n);
  if (!std::isfinite(norm) || n == 0) {
    X.setConstant(std::numeric_limits<double>::quiet_NaN());
    return X_.topLeftCorner(n, n);
  }
  const int squarings = norm > kNorm ? std::ilogb(norm / kNorm) + 1 : 0;
  A_.topLeftCorner(n, n) = std::ldexp(1.0, -squarings) * A;
  approximate(n);
  for (int k = 0; k < squarings; ++k) {
    T_.topLeftCorner(n, n).noalias() = X * X;
    X = T_.topLeftCorner(n, n);
  }
  return X_.topLeftCorner(n, n);
}

}  // namespace pliant
