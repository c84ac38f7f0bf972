// From the tangent of a law to the matrix of an element: K_ab = Σ_jl (∇N_a)_j C_(ij)(kl) (∇N_b)_l,
// the innermost loop of every assembly. Three forms of C: a 9×9 matrix, the five numbers of an
// invariant law, and the rank-one terms of a PSD correction. Only blocks a ≤ b are computed; the
// rest follow by symmetry when the element is scattered.
#pragma once

#include <pliant/core/lanes.hpp>
#include <pliant/material/law.hpp>
#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

// The nine numbers of a block on their way into the matrix, two at a time.
struct BlockInPairs {
  Lanes x01, x23, x45, x67;
  double x8;

  static BlockInPairs of(const double* k) {
    return {load_pair(k), load_pair(k + 2), load_pair(k + 4), load_pair(k + 6), k[8]};
  }
  template <int lane>
  static BlockInPairs of(const Lanes* k) {
    return {pair_of_lane<lane>(k[0], k[1]), pair_of_lane<lane>(k[2], k[3]),
            pair_of_lane<lane>(k[4], k[5]), pair_of_lane<lane>(k[6], k[7]), k[8][lane]};
  }
  BlockInPairs transposed() const {
    return {Lanes{x01[0], x23[1]}, Lanes{x67[0], x01[1]}, Lanes{x45[0], x67[1]},
            Lanes{x23[0], x45[1]}, x8};
  }
  void add_to(double* out) const {
    const BlockInPairs old = of(out);
    store_pair(old.x01 + x01, out);
    store_pair(old.x23 + x23, out + 2);
    store_pair(old.x45 + x45, out + 4);
    store_pair(old.x67 + x67, out + 6);
    out[8] = old.x8 + x8;
  }
};

// Of one element, or of several in lanes (core/lanes.hpp).
template <int N, class T = double>
struct ElementMatrix {
  static constexpr int pairs = N * (N + 1) / 2;
  T block[pairs][9];  // upper blocks, row by row, each stored column by column

  static constexpr int pair(int a, int b) { return a * N - a * (a - 1) / 2 + (b - a); }  // a ≤ b
  void set_zero() {
    for (auto& b : block)
      for (T& x : b) x = T{};
  }
};

// Adds an element to the matrix; blocks[N a + b] is the place of block (a, b).
template <int N>
void scatter(const ElementMatrix<N>& K, const Index* blocks, BlockMatrix& A) {
  for (int a = 0; a < N; ++a)
    for (int b = a; b < N; ++b) {
      const BlockInPairs k = BlockInPairs::of(K.block[K.pair(a, b)]);
      k.add_to(A.block(blocks[N * a + b]));
      if (b > a) k.transposed().add_to(A.block(blocks[N * b + a]));
    }
}

// Adds the elements of two lanes, block by block, or only the first where `second` is null.
template <int N>
[[gnu::always_inline]] inline void scatter(const ElementMatrix<N, Lanes>& K, const Index* first,
                                           const Index* second, BlockMatrix& A) {
  for (int a = 0; a < N; ++a)
    for (int b = a; b < N; ++b) {
      const Lanes* block = K.block[K.pair(a, b)];
      const BlockInPairs k = BlockInPairs::of<0>(block), l = BlockInPairs::of<1>(block);
      k.add_to(A.block(first[N * a + b]));
      if (b > a) k.transposed().add_to(A.block(first[N * b + a]));
      if (!second) continue;
      l.add_to(A.block(second[N * a + b]));
      if (b > a) l.transposed().add_to(A.block(second[N * b + a]));
    }
}

// K_ab += w ( a (g_a·g_b) I + b Fg_a Fg_bᵀ + c (Fg_a Gg_bᵀ + Gg_a Fg_bᵀ) + d Gg_a Gg_bᵀ
//             − e [F (g_a × g_b)]ₓ ),   since D²J[u⊗g_a, w⊗g_b] = (u × w)·F (g_a × g_b).
template <int N, class Gradients>
void add_contraction(const InvariantTangent& t, double w, const Mat3& F, const Gradients& dN,
                     ElementMatrix<N>& K) {
  const Mat3 cof = cofactor(F);
  Eigen::Matrix<double, 3, N> Fg = F * dN, Gg = cof * dN;
  const double ta = w * t.a, te = w * t.e;
  // The terms in b, c and d together: Fg_a X_bᵀ + Gg_a Y_bᵀ.
  const Eigen::Matrix<double, 3, N> X = (w * t.b) * Fg + (w * t.c) * Gg;
  const Eigen::Matrix<double, 3, N> Y = (w * t.c) * Fg + (w * t.d) * Gg;
  for (int a = 0; a < N; ++a) {
    const Vec3 ga = dN.col(a);
    for (int b = a; b < N; ++b) {
      double* k = K.block[K.pair(a, b)];
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) k[i + 3 * j] += Fg(i, a) * X(j, b) + Gg(i, a) * Y(j, b);
      const Vec3 gb = dN.col(b);
      const double isotropic = ta * ga.dot(gb);
      k[0] += isotropic;
      k[4] += isotropic;
      k[8] += isotropic;
      if (a == b) continue;
      const Vec3 s = te * (F * ga.cross(gb));
      k[1] -= s[2], k[2] += s[1], k[3] += s[2];
      k[5] -= s[0], k[6] -= s[1], k[7] += s[0];
    }
  }
}

template <int N, class Gradients>
void add_contraction(const Mat9& C, double w, const Gradients& dN, ElementMatrix<N>& K) {
  for (int b = 0; b < N; ++b) {
    // T(i + 3 j, k) = Σ_l C(i + 3 j, k + 3 l) (∇N_b)_l
    Eigen::Matrix<double, 9, 3> T;
    T = C.template leftCols<3>() * (w * dN(0, b)) + C.template middleCols<3>(3) * (w * dN(1, b)) +
        C.template rightCols<3>() * (w * dN(2, b));
    for (int a = 0; a <= b; ++a) {
      double* k = K.block[K.pair(a, b)];
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          k[i + 3 * j] += dN(0, a) * T(i, j) + dN(1, a) * T(i + 3, j) + dN(2, a) * T(i + 6, j);
    }
  }
}

template <int N, class Gradients>
void add_contraction(const PsdCorrection& correction, double w, const Gradients& dN,
                     ElementMatrix<N>& K) {
  for (int m = 0; m < correction.count; ++m) {
    const Eigen::Matrix<double, 3, N> u = correction.mode[m] * dN;
    const double amount = w * correction.amount[m];
    for (int a = 0; a < N; ++a)
      for (int b = a; b < N; ++b)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i)
            K.block[K.pair(a, b)][i + 3 * j] += u(i, a) * (amount * u(j, b));
  }
}

}  // namespace pliant
