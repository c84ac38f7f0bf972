// From the tangent of a law to the matrix of an element: K_ab = Σ_jl (∇N_a)_j C_(ij)(kl) (∇N_b)_l,
// the innermost loop of every assembly. Three forms of C: a 9×9 matrix, the five numbers of an
// invariant law, and the rank-one terms of a PSD correction. Only blocks a ≤ b are computed; the
// rest follow by symmetry when the element is scattered.
#pragma once

#include <pliant/material/law.hpp>
#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

template <int N>
struct ElementMatrix {
  static constexpr int pairs = N * (N + 1) / 2;
  double block[pairs][9];  // upper blocks, row by row, each stored column by column

  void set_zero() {
    for (auto& b : block)
      for (double& x : b) x = 0;
  }
  // Adds to the matrix; blocks[N a + b] is the place of block (a, b).
  void scatter(const Index* blocks, BlockMatrix& A) const {
    int pair = 0;
    for (int a = 0; a < N; ++a) {
      add(block[pair++], A.block(blocks[N * a + a]));
      for (int b = a + 1; b < N; ++b, ++pair) {
        add(block[pair], A.block(blocks[N * a + b]));
        add_transposed(block[pair], A.block(blocks[N * b + a]));
      }
    }
  }

 private:
  // Without the promise that they do not overlap, every number would be stored before the next is
  // read.
  static void add(const double* __restrict k, double* __restrict out) {
    for (int i = 0; i < 9; ++i) out[i] += k[i];
  }
  static void add_transposed(const double* __restrict k, double* __restrict out) {
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) out[i + 3 * j] += k[j + 3 * i];
  }
};

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
  int pair = 0;
  for (int a = 0; a < N; ++a) {
    const Vec3 ga = dN.col(a);
    for (int b = a; b < N; ++b, ++pair) {
      double* k = K.block[pair];
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
      double* k = K.block[a * N - a * (a - 1) / 2 + (b - a)];
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
    int pair = 0;
    for (int a = 0; a < N; ++a)
      for (int b = a; b < N; ++b, ++pair)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i) K.block[pair][i + 3 * j] += u(i, a) * (amount * u(j, b));
  }
}

}  // namespace pliant
