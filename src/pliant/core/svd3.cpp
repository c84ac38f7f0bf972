// What the kernel (svd3_kernel.hpp) leaves out: degenerate matrices, extreme magnitudes, and the
// public types.
#include <pliant/core/svd3.hpp>

#include <pliant/core/svd3_kernel.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

void store(const Mat3Of<double>& A, Mat3& Q) {
  const double entries[9] = {A.x.x, A.x.y, A.x.z, A.y.x, A.y.y, A.y.z, A.z.x, A.z.y, A.z.z};
  for (int i = 0; i < 9; ++i) Q.data()[i] = entries[i];
}

// Any unit vector at right angles to the unit vector u.
Vec3 perpendicular(const Vec3& u) {
  Eigen::Index k = 0;
  u.cwiseAbs().minCoeff(&k);
  return u.cross(Vec3::Unit(k)).normalized();
}

// What remains of b beside the unit vector u when most of it was rounding: orthogonalised twice.
Vec3 remainder_direction(const Vec3& b, const Vec3& u) {
  const double size = b.cwiseAbs().maxCoeff();
  if (!(size > 0)) return perpendicular(u);
  Vec3 r = b / size;
  r -= u.dot(r) * u;
  if (!(r.norm() > 1e-8)) return perpendicular(u);
  r.normalize();
  r -= u.dot(r) * u;
  return r.normalized();
}

// Diagonalises the trailing block [σ₁ r; 0 σ₂] of UᵀFV by plane rotations of columns 1 and 2:
// with ½(σ₁ ± σ₂, r) in polar form the singular values are the sum and difference of the radii.
void repair_trailing_block(Svd3& f, double r) {
  const double E = 0.5 * (f.sigma[1] + f.sigma[2]), G = 0.5 * (f.sigma[1] - f.sigma[2]),
               H = 0.5 * r;
  const double sum = std::hypot(E, H), difference = std::hypot(G, H);
  const double alpha = std::atan2(H, G), beta = std::atan2(-H, E);
  f.sigma[1] = sum + difference;
  f.sigma[2] = sum - difference;
  const auto rotate = [](Mat3& Q, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const Vec3 x = Q.col(1), y = Q.col(2);
    Q.col(1) = c * x + s * y;
    Q.col(2) = c * y - s * x;
  };
  rotate(f.U, 0.5 * (alpha + beta));
  rotate(f.V, 0.5 * (alpha - beta));
}

// What is rare: F of rank one as far as the arithmetic can tell, or σ₁ far below σ₀.
[[gnu::noinline]] void complete_degenerate(const Mat3& F, Svd3& f) {
  const Vec3 u0 = f.U.col(0);
  if (!(f.sigma[1] > 1e-6 * f.sigma[0])) {
    const Vec3 b1 = F * f.V.col(1);
    f.U.col(1) = remainder_direction(b1 - u0.dot(b1) * u0, u0);
    f.U.col(2) = u0.cross(Vec3(f.U.col(1)));
    f.sigma[1] = f.U.col(1).dot(b1);
    f.sigma[2] = f.U.col(2).dot(F * f.V.col(2));
  }
  repair_trailing_block(f, f.U.col(1).dot(F * f.V.col(2)));
}

Svd3 constant_svd(double value) {
  return {Mat3::Constant(value), Vec3::Constant(value), Mat3::Constant(value)};
}

// The largest power of two not above the largest entry; 0 for a zero matrix, NaN for one that is
// not finite.
double magnitude(const Mat3& F) {
  if (!F.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const double largest = F.cwiseAbs().maxCoeff();
  return largest == 0 ? 0 : std::ldexp(1.0, std::ilogb(largest));
}

Svd3 svd_rescaled(const Mat3& F) {
  const double m = magnitude(F);
  if (std::isnan(m)) return constant_svd(m);
  if (m == 0) return {Mat3::Identity(), Vec3::Zero(), Mat3::Identity()};
  Svd3 f = svd(F / m);
  f.sigma *= m;
  return f;
}

void set_lane(Vec3Of<Lanes>& a, int l, const auto& v) {
  a.x[l] = v[0], a.y[l] = v[1], a.z[l] = v[2];
}
void set_lane(Mat3Of<Lanes>& A, int l, const Mat3& Q) {
  set_lane(A.x, l, Q.col(0)), set_lane(A.y, l, Q.col(1)), set_lane(A.z, l, Q.col(2));
}

}  // namespace

Svd3 svd(const Mat3& matrix) {
  const Mat3Of<double> F = plain(matrix);
  const Symmetric3Of<double> A = svd3::gram(F);
  if (!svd3::in_range(A)) return svd_rescaled(matrix);
  Svd3Of<double> d;
  d.V = svd3::eigenvectors(svd3::isolate(A));
  const bool regular = svd3::complete(F, d);
  Svd3 f;
  store(d.U, f.U);
  store(d.V, f.V);
  f.sigma = Vec3(d.sigma.x, d.sigma.y, d.sigma.z);
  if (!regular) complete_degenerate(matrix, f);
  svd3::order(f.sigma[0], f.sigma[1], f.sigma[2]);
  return f;
}

Svd3Of<Lanes> svd(const Mat3Of<Lanes>& F) {
  const Symmetric3Of<Lanes> A = svd3::gram(F);
  Svd3Of<Lanes> f;
  f.V = svd3::eigenvectors(svd3::isolate(A));
  const LaneMask regular = svd3::complete(F, f) & svd3::in_range(A);
  svd3::order(f.sigma.x, f.sigma.y, f.sigma.z);
  for (int l = 0; l < kLanes; ++l) {
    if (regular[l]) continue;
    const Svd3 alone = svd(lane(F, l));
    set_lane(f.U, l, alone.U);
    set_lane(f.sigma, l, alone.sigma);
    set_lane(f.V, l, alone.V);
  }
  return f;
}

Vec3 singular_values(const Mat3& F) {
  const Symmetric3Of<double> A = svd3::gram(plain(F));
  if (!svd3::in_range(A)) return svd_rescaled(F).sigma;
  const Vec3Of<double> squares = svd3::eigenvalues(svd3::isolate(A));
  // Squaring has lost σ₁ and the determinant does not give σ₂ where σ₁ is far below σ₀.
  if (!(squares.y > 1e-3 * squares.x)) return svd(F).sigma;
  const double first = std::sqrt(squares.x);
  const double second = std::sqrt(squares.y);
  const double third = F.col(0).dot(F.col(1).cross(F.col(2))) / (first * second);
  const double middle = std::max(second, std::abs(third));  // apart by rounding only
  return {std::max(first, middle), middle, third};
}

Polar3 polar(const Mat3& F) {
  const Svd3 f = svd(F);
  return {f.U * f.V.transpose(), f.V * f.sigma.asDiagonal() * f.V.transpose()};
}

Mat3 rotation_of(const Mat3& F) {
  const Svd3 f = svd(F);
  return f.U * f.V.transpose();
}

SymmetricEigen3 symmetric_eigen(const Mat3& A) {
  const double m = magnitude(A);
  if (std::isnan(m)) return {Vec3::Constant(m), Mat3::Constant(m)};
  if (m == 0) return {Vec3::Zero(), Mat3::Identity()};
  const Mat3 scaled = A / m;
  const auto e = svd3::isolate<double>(
      {scaled(0, 0), scaled(1, 1), scaled(2, 2), scaled(1, 0), scaled(2, 0), scaled(2, 1)});
  const Vec3Of<double> values = svd3::eigenvalues(e);
  SymmetricEigen3 result{m * Vec3(values.x, values.y, values.z), {}};
  store(svd3::eigenvectors(e), result.vectors);
  return result;
}

}  // namespace pliant
