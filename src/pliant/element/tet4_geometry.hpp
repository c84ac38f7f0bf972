// Linear tetrahedra under a law of the invariants, without F: with edges d_a = x_a − x₀ and the
// metric m_ab = g_a·g_b of the shape gradients (a, b = 1, 2, 3),
//   F g_a = Σ_b m_ab d_b,   I_C = Σ_a d_a·F g_a,   cof(F) g_a = c_a/6V,   F (g_a × g_b) = ± d_c/6V,
// where c_a = d_b × d_c runs cyclically and V is the rest volume. Node 0 gets minus the sum of the
// others. Half the work of the general contraction, which it must equal (tests/element). T is a
// number, or lanes that hold several elements (core/lanes.hpp).
#pragma once

#include <pliant/core/plain3.hpp>
#include <pliant/element/contraction.hpp>

namespace pliant {

// m_ab at rest, 1/m².
template <class T>
struct Tet4Metric {
  T m00, m01, m02, m11, m12, m22;
};
inline Tet4Metric<double> metric_of(const Mat3& g) {  // columns: the gradients
  const Mat3 m = g.transpose() * g;
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
}

template <class T>
class Tet4Geometry {
 public:
  using Vec = Vec3Of<T>;
  using Matrix = ElementMatrix<4, T>;
  using Metric = Tet4Metric<T>;

  [[gnu::always_inline]] Tet4Geometry(const Vec (&x)[4], const Metric& m, T volume)
      : m_{{m.m00, m.m01, m.m02}, {m.m01, m.m11, m.m12}, {m.m02, m.m12, m.m22}},
        volume_(volume),
        inverse_(1 / (6 * volume)) {
    for (int a = 0; a < 3; ++a) d_[a] = x[a + 1] - x[0];
    for (int a = 0; a < 3; ++a) {
      Fg_[a] = m_[a][0] * d_[0] + m_[a][1] * d_[1] + m_[a][2] * d_[2];
      c_[a] = cross(d_[(a + 1) % 3], d_[(a + 2) % 3]);
    }
    invariants_.i = dot(d_[0], Fg_[0]) + dot(d_[1], Fg_[1]) + dot(d_[2], Fg_[2]) - 3;
    invariants_.j = dot(d_[0], c_[0]) * inverse_ - 1;
  }

  const StrainInvariantsOf<T>& invariants() const { return invariants_; }
  // F = Σ_a d_a ⊗ g_a
  Mat3Of<T> deformation(const Vec (&g)[3]) const {
    return {g[0].x * d_[0] + g[1].x * d_[1] + g[2].x * d_[2],
            g[0].y * d_[0] + g[1].y * d_[1] + g[2].y * d_[2],
            g[0].z * d_[0] + g[1].z * d_[1] + g[2].z * d_[2]};
  }

  // −V P g_a with P = f F + g G
  [[gnu::always_inline]] void set_force(const InvariantStressOf<T>& s, Vec (&force)[4]) const {
    const T f = -volume_ * s.f, g = -s.g / 6;
    for (int a = 0; a < 3; ++a) force[a + 1] = f * Fg_[a] + g * c_[a];
    force[0] = -(force[1] + force[2] + force[3]);
  }

  // The blocks of nodes 1, 2, 3; `close` completes the matrix.
  // K_ab = scale V ( a m_ab I + Fg_a (b Fg_b + c Gg_b)ᵀ + Gg_a (c Fg_b + d Gg_b)ᵀ ∓ e [d_c/6V]ₓ )
  [[gnu::always_inline]] void set_inner(const InvariantTangentOf<T>& t, double scale,
                                        Matrix& K) const {
    const T w = scale * volume_, e = w * t.e * inverse_;
    const T b = w * t.b, c = w * t.c * inverse_, d = w * t.d * inverse_ * inverse_;
    for (int k = 0; k < 3; ++k) {
      const Vec X = b * Fg_[k] + c * c_[k];
      const Vec Y = c * Fg_[k] + d * c_[k];
      for (int n = 0; n <= k; ++n) {
        T* block = K.block[K.pair(n + 1, k + 1)];
        const Vec x = X.x * Fg_[n] + Y.x * c_[n], y = X.y * Fg_[n] + Y.y * c_[n],
                  z = X.z * Fg_[n] + Y.z * c_[n];
        const T isotropic = w * t.a * m_[n][k];
        block[0] = x.x + isotropic, block[1] = x.y, block[2] = x.z;
        block[3] = y.x, block[4] = y.y + isotropic, block[5] = y.z;
        block[6] = z.x, block[7] = z.y, block[8] = z.z + isotropic;
      }
    }
    subtract_cross(e * d_[2], K.block[K.pair(1, 2)]);
    subtract_cross(-e * d_[1], K.block[K.pair(1, 3)]);
    subtract_cross(e * d_[0], K.block[K.pair(2, 3)]);
  }

  // K_ab += amount u_a u_bᵀ between nodes 1, 2, 3, for `close` to complete.
  static void add_rank_one(T amount, const Vec (&u)[3], Matrix& K) {
    for (int b = 0; b < 3; ++b) {
      const Vec v = amount * u[b];
      for (int a = 0; a <= b; ++a) {
        T* block = K.block[K.pair(a + 1, b + 1)];
        block[0] += u[a].x * v.x, block[1] += u[a].y * v.x, block[2] += u[a].z * v.x;
        block[3] += u[a].x * v.y, block[4] += u[a].y * v.y, block[5] += u[a].z * v.y;
        block[6] += u[a].x * v.z, block[7] += u[a].y * v.z, block[8] += u[a].z * v.z;
      }
    }
  }

  // Rows and columns of an element sum to zero: K_0b = −Σ_a K_ab and K_00 = −Σ_b K_0b.
  [[gnu::always_inline]] static void close(Matrix& K) {
    const T *k11 = K.block[K.pair(1, 1)], *k12 = K.block[K.pair(1, 2)],
            *k13 = K.block[K.pair(1, 3)], *k22 = K.block[K.pair(2, 2)],
            *k23 = K.block[K.pair(2, 3)], *k33 = K.block[K.pair(3, 3)];
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const int ij = i + 3 * j, ji = j + 3 * i;
        const T k01 = -(k11[ij] + k12[ji] + k13[ji]);
        const T k02 = -(k12[ij] + k22[ij] + k23[ji]);
        const T k03 = -(k13[ij] + k23[ij] + k33[ij]);
        K.block[K.pair(0, 1)][ij] = k01;
        K.block[K.pair(0, 2)][ij] = k02;
        K.block[K.pair(0, 3)][ij] = k03;
        K.block[K.pair(0, 0)][ij] = -(k01 + k02 + k03);
      }
  }

 private:
  // block −= [s]ₓ
  static void subtract_cross(Vec s, T* block) {
    block[1] -= s.z, block[2] += s.y, block[3] += s.z;
    block[5] -= s.x, block[6] -= s.y, block[7] += s.x;
  }

  T m_[3][3];
  T volume_, inverse_;  // m³, 1/6V
  Vec d_[3], Fg_[3], c_[3];
  StrainInvariantsOf<T> invariants_;
};

}  // namespace pliant
