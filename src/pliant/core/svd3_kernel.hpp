// The direct decomposition of 3×3 matrices for a scalar T, one matrix or several in lanes
// (lanes.hpp). Included by svd3.cpp, which adds what is rare.
//
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
#pragma once

#include <pliant/core/svd3.hpp>

#include <limits>

namespace pliant::svd3 {

// Products of six entries of F must neither overflow nor underflow, also after cancellation.
inline constexpr double smallest_trace = 1e-60;
inline constexpr double largest_trace = 1e60;

template <class T>
Symmetric3Of<T> gram(const Mat3Of<T>& F) {
  return {dot(F.x, F.x), dot(F.y, F.y), dot(F.z, F.z), dot(F.x, F.y), dot(F.x, F.z), dot(F.y, F.z)};
}
template <class T>
auto in_range(const Symmetric3Of<T>& A) {
  const T trace = A.xx + A.yy + A.zz;
  return both(trace > smallest_trace, trace < largest_trace);
}

// 2 cos(acos(h)/3), the largest root of β³ − 3β − 2h for 0 ≤ h ≤ 1: a polynomial (interpolation at
// Chebyshev points, error 4e-9) and one Newton step, whose 1/(3β² − 3) is a polynomial too, error
// 1e-8.
template <class T>
T largest_root(T h) {
  const T h2 = h * h, h4 = h2 * h2;
  const T low = (1.73205081 + 0.333332742 * h) + (-0.0962088829 + 0.0492085936 * h) * h2;
  const T high = (-0.0302145503 + 0.0187666611 * h) + (-0.00985938235 + 0.00352971375 * h) * h2;
  const T beta = low + (high - 0.000605708403 * h4) * h4;
  const T slope_low =
      (0.16666665539 - 0.096223207591 * h) + (0.074023641851 - 0.06182075434 * h) * h2;
  const T slope_high =
      (0.051785037885 - 0.039226688639 * h) + (0.023228797534 - 0.0089167464015 * h) * h2;
  const T slope = slope_low + (slope_high + 0.0015943812596 * h4) * h4;
  return beta - ((beta * beta - 3) * beta - 2 * h) * slope;
}

// A = q I + s p B with h = det B / 2 ≥ 0, and the isolated eigenvalue β of B, with
//   adj(B − βI) = trace · w wᵀ,                       trace = 3β² − 3,
//   D = trace (B + (β/2) I) − (3β/2) adj(B − βI),
// trace times the part of B that is traceless in the plane of the two other eigenvectors; √2 ‖D‖ is
// trace times the distance of their eigenvalues.
template <class T>
struct Isolated {
  T q, p, s, beta, trace;
  Symmetric3Of<T> B, adj, D;
};

template <class T>
[[gnu::always_inline]] inline Isolated<T> isolate(const Symmetric3Of<T>& A) {
  Isolated<T> e;
  e.q = (A.xx + A.yy + A.zz) * (1.0 / 3);
  Symmetric3Of<T> B = {A.xx - e.q, A.yy - e.q, A.zz - e.q, A.xy, A.xz, A.yz};  // p times B, first
  T p_squared = norm_squared(B) * (1.0 / 6);
  e.p = root(p_squared);
  constexpr double few_roundings = 8 * std::numeric_limits<double>::epsilon();
  const auto multiple = p_squared <= few_roundings * few_roundings * (e.q * e.q);
  if (any(multiple)) {  // a multiple of I: any B will do
    const T zero = all_lanes<T>(0), one = all_lanes<T>(1);
    B = {select(multiple, one + one, B.xx), select(multiple, -one, B.yy),
         select(multiple, -one, B.zz),      select(multiple, zero, B.xy),
         select(multiple, zero, B.xz),      select(multiple, zero, B.yz)};
    p_squared = select(multiple, one, p_squared);
  }
  const T det = determinant(B), inverse = inverse_root(p_squared);
  e.s = select(det < 0, all_lanes<T>(-1), all_lanes<T>(1));
  B = (e.s * inverse) * B;
  e.beta = largest_root<T>(size_of(det * inverse * (inverse * inverse)) * 0.5);
  const T b = e.beta;
  const Symmetric3Of<T> adj = adjugate<T>({B.xx - b, B.yy - b, B.zz - b, B.xy, B.xz, B.yz});
  e.trace = 3 * (b * b) - 3;
  const T half = 0.5 * b, t = 1.5 * b;
  e.D = {e.trace * (B.xx + half) - t * adj.xx, e.trace * (B.yy + half) - t * adj.yy,
         e.trace * (B.zz + half) - t * adj.zz, e.trace * B.xy - t * adj.xy,
         e.trace * B.xz - t * adj.xz,          e.trace * B.yz - t * adj.yz};
  e.B = B;
  e.adj = adj;
  return e;
}

// The eigenvalues of A, falling.
template <class T>
Vec3Of<T> eigenvalues(const Isolated<T>& e) {
  const T half = 0.5 * e.p;
  const T gap = half * root(2 * norm_squared(e.D)) * (1 / e.trace);
  const T single = e.q + e.s * (e.p * e.beta);
  const T middle = e.q - e.s * (half * e.beta);
  return select(e.s > 0, Vec3Of<T>{single, middle + gap, middle - gap},
                Vec3Of<T>{middle + gap, middle - gap, single});
}

// A column of a symmetric matrix of rank one, the longest.
template <class T>
Vec3Of<T> range_of(const Symmetric3Of<T>& A) {
  const Vec3Of<T> x = {A.xx, A.xy, A.xz}, y = {A.xy, A.yy, A.yz}, z = {A.xz, A.yz, A.zz};
  return select(A.zz > larger(A.xx, A.yy), z, select(A.yy > A.xx, y, x));
}

// The eigenvector of the larger eigenvalue of B in the complement of w, where the two are so close
// that their difference D says little about w: one plane rotation.
template <class T>
[[gnu::noinline]] Vec3Of<T> larger_of_close(const Symmetric3Of<T>& B, Vec3Of<T> w) {
  // The complement of w: Duff et al. 2017, "Building an orthonormal basis, revisited".
  const T one = all_lanes<T>(1);
  const T sign = select(w.z < 0, -one, one);
  const T a = -1 / (sign + w.z);
  const T b = w.x * w.y * a;
  const Vec3Of<T> u = {1 + sign * w.x * w.x * a, sign * b, -sign * w.x};
  const Vec3Of<T> v = {b, sign + w.y * w.y * a, -w.y};
  const Vec3Of<T> Bu = B * u, Bv = B * v;
  const T x = dot(u, Bu) - dot(v, Bv), y = 2 * dot(u, Bv);  // twice the angle from u
  const T r = root(x * x + y * y);
  const Vec3Of<T> sum = select(x >= 0, (r + x) * u + y * v, y * u + (r - x) * v);
  return select(r > 0, inverse_root(dot(sum, sum)) * sum, u);
}

// Eigenvectors for falling eigenvalues, a right-handed frame.
template <class T>
[[gnu::always_inline]] inline Mat3Of<T> eigenvectors(const Isolated<T>& e) {
  const Vec3Of<T> column = range_of(e.adj);
  const Vec3Of<T> w = inverse_root(dot(column, column)) * column;
  const Symmetric3Of<T>& D = e.D;
  // D + (g/2)(trace-free of w) with g = trace · gap is g u uᵀ for the larger of the two others.
  const T square = 2 * norm_squared(D);
  const T half = 0.5 * root(square), k = half * (1 / e.trace);
  const Symmetric3Of<T> P = {D.xx + half - k * e.adj.xx, D.yy + half - k * e.adj.yy,
                             D.zz + half - k * e.adj.zz, D.xy - k * e.adj.xy,
                             D.xz - k * e.adj.xz,        D.yz - k * e.adj.yz};
  Vec3Of<T> u = range_of(P);
  u = u - dot(w, u) * w;
  u = inverse_root(dot(u, u)) * u;
  const auto apart = square > 1e-8;
  if (any(!apart)) u = select(apart, u, larger_of_close(e.B, w));
  const Vec3Of<T> v = cross(w, u);
  // (u, v, w) is right-handed. For s < 0 the order of the eigenvalues of A is that of −B.
  const auto up = e.s > 0;
  return {select(up, w, v), select(up, u, -u), select(up, v, w)};
}

// Completes the eigenvectors V of FᵀF to the decomposition of F. What is rare is left to the caller
// and is false in the result: F of rank one as far as the arithmetic can tell, or σ₁ far below σ₀.
template <class T>
[[gnu::always_inline]] inline auto complete(const Mat3Of<T>& F, Svd3Of<T>& f) {
  const Vec3Of<T> b0 = F * f.V.x, b1 = F * f.V.y, b2 = F * f.V.z;
  const T square0 = dot(b0, b0), square1 = dot(b1, b1);
  const T first = root(square0), second = root(square1);
  const T inverse0 = 1 / square0;
  const Vec3Of<T> u0 = (first * inverse0) * b0;
  // b0·b1 is of order ε ‖F‖², so that |b1| is also the length of b1 without its part along b0.
  const Vec3Of<T> u1 = (second * (1 / square1)) * (b1 - (dot(b0, b1) * inverse0) * b0);
  const Vec3Of<T> u2 = cross(u0, u1);
  const T third = dot(u2, b2);
  f.U = {u0, u1, u2};
  f.sigma = {first, second, third};
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  return both(second > 1e-6 * first,
              both(size_of(dot(u1, b2)) <= rounding * first, size_of(third) <= second));
}

// Singular values that should be in order may be apart by rounding.
template <class T>
void order(T& first, T& second, T third) {
  second = larger(second, size_of(third));
  first = larger(first, second);
}

}  // namespace pliant::svd3
