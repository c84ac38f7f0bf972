// Method. The eigenvalues of the symmetric A = FᵀF are q + p β with A = q I + p B, tr B = 0,
// ‖B‖² = 6, and β a root of β³ − 3β − 2h = 0, h = det B / 2 ∈ [−1, 1]. With the sign of B chosen so
// that h ≥ 0, the largest root lies in [√3, 2] and is at least √3 away from the two others, so it
// and its eigenvector w are well conditioned however close the two others are. They come from one
// plane rotation in the complement of w, not from the cubic, whose double roots are only good to
// √ε. (D. Eberly, "A robust eigensolver for 3×3 symmetric matrices", uses the same split; the cubic
// is solved here by a polynomial and one Newton step in place of trigonometry.)
//
// FV then has nearly orthogonal columns; Gram–Schmidt gives U and the upper triangular R = UᵀFV.
// All its off-diagonal entries are of order ε‖F‖ except R₁₂, which is of order ε σ₀²/σ₁: squaring F
// has lost what is small. One 2×2 decomposition of the trailing block repairs this where it
// matters.
#include <pliant/core/svd3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

struct Symmetric {
  double xx, yy, zz, xy, xz, yz;
};

// Products of six entries of F must neither overflow nor underflow, also after cancellation.
constexpr double smallest_trace = 1e-60;
constexpr double largest_trace = 1e60;

inline Symmetric gram(const Mat3& F) {
  const auto dot = [&](int i, int j) {
    return F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j);
  };
  return {dot(0, 0), dot(1, 1), dot(2, 2), dot(0, 1), dot(0, 2), dot(1, 2)};
}

inline double determinant(const Symmetric& A) {
  return A.xx * (A.yy * A.zz - A.yz * A.yz) + A.xy * (A.xz * A.yz - A.xy * A.zz) +
         A.xz * (A.xy * A.yz - A.yy * A.xz);
}

inline Symmetric adjugate(const Symmetric& A) {
  return {A.yy * A.zz - A.yz * A.yz, A.xx * A.zz - A.xz * A.xz, A.xx * A.yy - A.xy * A.xy,
          A.xz * A.yz - A.xy * A.zz, A.xy * A.yz - A.yy * A.xz, A.xy * A.xz - A.xx * A.yz};
}

// 2 cos(acos(h)/3), the largest root of β³ − 3β − 2h for 0 ≤ h ≤ 1: a polynomial (interpolation at
// Chebyshev points, error 4e-9) and one Newton step, whose 1/(3β² − 3) is a polynomial too, error
// 1e-8.
inline double largest_root(double h) {
  const double h2 = h * h;
  const double h4 = h2 * h2;
  const double low = (1.73205081 + 0.333332742 * h) + (-0.0962088829 + 0.0492085936 * h) * h2;
  const double high =
      (-0.0302145503 + 0.0187666611 * h) + (-0.00985938235 + 0.00352971375 * h) * h2;
  const double beta = low + (high - 0.000605708403 * h4) * h4;
  const double slope_low =
      (0.16666665539 - 0.096223207591 * h) + (0.074023641851 - 0.06182075434 * h) * h2;
  const double slope_high =
      (0.051785037885 - 0.039226688639 * h) + (0.023228797534 - 0.0089167464015 * h) * h2;
  const double slope = slope_low + (slope_high + 0.0015943812596 * h4) * h4;
  return beta - ((beta * beta - 3) * beta - 2 * h) * slope;
}

// A = q I + s p B with h = det B / 2 ≥ 0, and the isolated eigenvalue β of B, with
//   adj(B − βI) = trace · w wᵀ,                       trace = 3β² − 3,
//   D = trace (B + (β/2) I) − (3β/2) adj(B − βI),     trace times the part of B that is traceless
//   in
// the plane of the two other eigenvectors; √2 ‖D‖ is trace times the distance of their eigenvalues.
struct Isolated {
  double q, p, s, beta, trace;
  Symmetric B, adj, D;
};

inline Symmetric operator*(double a, const Symmetric& A) {
  return {a * A.xx, a * A.yy, a * A.zz, a * A.xy, a * A.xz, a * A.yz};
}
inline double norm_squared(const Symmetric& A) {
  return ((A.xx * A.xx + A.yy * A.yy) + A.zz * A.zz) +
         2 * ((A.xy * A.xy + A.xz * A.xz) + A.yz * A.yz);
}

// 1/√x with the division beside the root instead of behind it.
inline double inverse_root(double x) { return std::sqrt(x) * (1 / x); }

[[gnu::always_inline]] inline Isolated isolate(const Symmetric& A) {
  Isolated e;
  e.q = (A.xx + A.yy + A.zz) * (1.0 / 3);
  Symmetric shifted = {A.xx - e.q, A.yy - e.q, A.zz - e.q, A.xy, A.xz, A.yz};
  double p_squared = norm_squared(shifted) * (1.0 / 6);
  e.p = std::sqrt(p_squared);
  constexpr double few_roundings = 8 * std::numeric_limits<double>::epsilon();
  if (p_squared <= few_roundings * few_roundings * (e.q * e.q)) {  // a multiple of I: any B will do
    shifted = {2, -1, -1, 0, 0, 0};
    p_squared = 1;
  }
  const double det = determinant(shifted);
  const double inverse = inverse_root(p_squared);
  e.s = std::copysign(1.0, det);
  e.B = (e.s * inverse) * shifted;
  e.beta = largest_root(std::abs(det * inverse * (inverse * inverse)) * 0.5);
  const double b = e.beta;
  const Symmetric& B = e.B;
  e.adj = adjugate({B.xx - b, B.yy - b, B.zz - b, B.xy, B.xz, B.yz});
  e.trace = 3 * (b * b) - 3;
  const double half = 0.5 * b, t = 1.5 * b;
  e.D = {e.trace * (B.xx + half) - t * e.adj.xx, e.trace * (B.yy + half) - t * e.adj.yy,
         e.trace * (B.zz + half) - t * e.adj.zz, e.trace * B.xy - t * e.adj.xy,
         e.trace * B.xz - t * e.adj.xz,          e.trace * B.yz - t * e.adj.yz};
  return e;
}

inline Vec3 eigenvalues(const Isolated& e) {
  const double half = 0.5 * e.p;
  const double gap = half * std::sqrt(2 * norm_squared(e.D)) * (1 / e.trace);
  const double single = e.q + e.s * (e.p * e.beta);
  const double middle = e.q - e.s * (half * e.beta);
  return e.s > 0 ? Vec3(single, middle + gap, middle - gap)
                 : Vec3(middle + gap, middle - gap, single);
}

// Plain scalars, which stay in registers where Eigen's vectors of three pass through memory.
struct V3 {
  double x, y, z;
};
inline V3 operator*(double a, V3 v) { return {a * v.x, a * v.y, a * v.z}; }
inline V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline double dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(V3 a, V3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline V3 pick(bool first, V3 a, V3 b) {
  return {first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z};
}
inline V3 operator*(const Symmetric& A, V3 v) {
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
          A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
inline V3 operator*(const Mat3& F, V3 v) {
  return {F(0, 0) * v.x + F(0, 1) * v.y + F(0, 2) * v.z,
          F(1, 0) * v.x + F(1, 1) * v.y + F(1, 2) * v.z,
          F(2, 0) * v.x + F(2, 1) * v.y + F(2, 2) * v.z};
}
struct Frame {
  V3 x, y, z;
};
inline void store(const Frame& f, Mat3& Q) {
  const double entries[9] = {f.x.x, f.x.y, f.x.z, f.y.x, f.y.y, f.y.z, f.z.x, f.z.y, f.z.z};
  for (int i = 0; i < 9; ++i) Q.data()[i] = entries[i];
}

// A column of a symmetric matrix of rank one, the longest.
inline V3 range_of(const Symmetric& A) {
  const V3 columns[3] = {{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};
  const int longer = A.yy > A.xx;
  return columns[A.zz > std::max(A.xx, A.yy) ? 2 : longer];
}

// The eigenvector of the larger eigenvalue of B in the complement of w, where the two are so close
// that their difference D says little about w: one plane rotation.
[[gnu::noinline]] V3 larger_of_close(const Symmetric& B, V3 w) {
  // The complement of w: Duff et al. 2017, "Building an orthonormal basis, revisited".
  const double sign = std::copysign(1.0, w.z);
  const double a = -1 / (sign + w.z);
  const double b = w.x * w.y * a;
  const V3 u = {1 + sign * w.x * w.x * a, sign * b, -sign * w.x};
  const V3 v = {b, sign + w.y * w.y * a, -w.y};
  const V3 Bu = B * u, Bv = B * v;
  const double x = dot(u, Bu) - dot(v, Bv), y = 2 * dot(u, Bv);  // twice the angle from u
  const double r = std::sqrt(x * x + y * y);
  if (!(r > 0)) return u;
  const V3 sum = x >= 0 ? (r + x) * u + y * v : y * u + (r - x) * v;
  return inverse_root(dot(sum, sum)) * sum;
}

// Eigenvectors for falling eigenvalues, a right-handed frame.
[[gnu::always_inline]] inline Frame eigenvectors(const Isolated& e) {
  const V3 column = range_of(e.adj);
  const V3 w = inverse_root(dot(column, column)) * column;
  const Symmetric& D = e.D;
  // D + (g/2)(trace-free of w) with g = trace · gap is g u uᵀ for the larger of the two others.
  const double square = 2 * norm_squared(D);
  const double half = 0.5 * std::sqrt(square), k = half * (1 / e.trace);
  const Symmetric P = {D.xx + half - k * e.adj.xx, D.yy + half - k * e.adj.yy,
                       D.zz + half - k * e.adj.zz, D.xy - k * e.adj.xy,
                       D.xz - k * e.adj.xz,        D.yz - k * e.adj.yz};
  V3 u = range_of(P);
  u = u - dot(w, u) * w;
  u = inverse_root(dot(u, u)) * u;
  if (!(square > 1e-8)) u = larger_of_close(e.B, w);
  const V3 v = cross(w, u);
  // (u, v, w) is right-handed. For s < 0 the order of the eigenvalues of A is that of −B.
  const bool up = e.s > 0;
  return {pick(up, w, v), pick(up, u, -1.0 * u), pick(up, v, w)};
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

// Completes the eigenvectors V of FᵀF to the decomposition of F.
inline void complete(const Mat3& F, const Frame& V, Svd3& f) {
  const V3 b0 = F * V.x, b1 = F * V.y, b2 = F * V.z;
  const double square0 = dot(b0, b0), square1 = dot(b1, b1);
  const double first = std::sqrt(square0), second = std::sqrt(square1);
  const double inverse0 = 1 / square0;
  const V3 u0 = (first * inverse0) * b0;
  // b0·b1 is of order ε ‖F‖², so that |b1| is also the length of b1 without its part along b0.
  const V3 u1 = (second * (1 / square1)) * (b1 - (dot(b0, b1) * inverse0) * b0);
  const V3 u2 = cross(u0, u1);
  const double third = dot(u2, b2);
  store({u0, u1, u2}, f.U);
  store(V, f.V);
  f.sigma = Vec3(first, second, third);
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  const bool regular = second > 1e-6 * first && std::abs(dot(u1, b2)) <= rounding * first &&
                       std::abs(third) <= second;
  if (!regular) complete_degenerate(F, f);
  f.sigma[1] = std::max(f.sigma[1], std::abs(f.sigma[2]));  // they may be apart by rounding
  f.sigma[0] = std::max(f.sigma[0], f.sigma[1]);
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

inline bool in_range(double trace) { return trace > smallest_trace && trace < largest_trace; }

}  // namespace

Svd3 svd(const Mat3& F) {
  const Symmetric A = gram(F);
  if (!in_range(A.xx + A.yy + A.zz)) return svd_rescaled(F);
  Svd3 f;
  complete(F, eigenvectors(isolate(A)), f);
  return f;
}

Vec3 singular_values(const Mat3& F) {
  const Symmetric A = gram(F);
  if (!in_range(A.xx + A.yy + A.zz)) return svd_rescaled(F).sigma;
  const Vec3 squares = eigenvalues(isolate(A));
  // Squaring has lost σ₁ and the determinant does not give σ₂ where σ₁ is far below σ₀.
  if (!(squares[1] > 1e-3 * squares[0])) return svd(F).sigma;
  const double first = std::sqrt(squares[0]);
  const double second = std::sqrt(squares[1]);
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
  const Isolated e =
      isolate({scaled(0, 0), scaled(1, 1), scaled(2, 2), scaled(1, 0), scaled(2, 0), scaled(2, 1)});
  SymmetricEigen3 result{m * eigenvalues(e), {}};
  store(eigenvectors(e), result.vectors);
  return result;
}

}  // namespace pliant
