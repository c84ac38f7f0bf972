// Linear tetrahedra under a law of the invariants, without F: with edges d_a = x_a − x₀ and the
// metric m_ab = g_a·g_b of the shape gradients (a, b = 1, 2, 3),
//   F g_a = Σ_b m_ab d_b,   I_C = Σ_a d_a·F g_a,   cof(F) g_a = c_a/6V,   F (g_a × g_b) = ± d_c/6V,
// where c_a = d_b × d_c runs cyclically and V is the rest volume. Node 0 gets minus the sum of the
// others. Half the work of the general contraction, which it must equal (tests/element).
#pragma once

#include <pliant/element/contraction.hpp>

namespace pliant {

class Tet4Geometry {
 public:
  using Columns = Eigen::Matrix<double, 3, 4>;

  template <class Gradients>
  Tet4Geometry(const Columns& x, const Gradients& dN, double volume)
      : volume_(volume), inverse_(1 / (6 * volume)) {
    for (int a = 0; a < 3; ++a) d_[a] = x.col(a + 1) - x.col(0);
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b) m_[a][b] = m_[b][a] = dN.col(a + 1).dot(dN.col(b + 1));
    for (int a = 0; a < 3; ++a) {
      Fg_[a] = m_[a][0] * d_[0] + m_[a][1] * d_[1] + m_[a][2] * d_[2];
      c_[a] = d_[(a + 1) % 3].cross(d_[(a + 2) % 3]);
    }
    invariants_.i = d_[0].dot(Fg_[0]) + d_[1].dot(Fg_[1]) + d_[2].dot(Fg_[2]) - 3;
    invariants_.j = d_[0].dot(c_[0]) * inverse_ - 1;
  }

  const StrainInvariants& invariants() const { return invariants_; }

  // −V P g_a with P = f F + g G
  Columns force(const InvariantStress& s) const {
    Columns force;
    const double f = -volume_ * s.f, g = -s.g / 6;
    for (int a = 0; a < 3; ++a) force.col(a + 1) = f * Fg_[a] + g * c_[a];
    force.col(0) = -(force.col(1) + force.col(2) + force.col(3));
    return force;
  }

  void set_tangent(const InvariantTangent& t, double scale, ElementMatrix<4>& K) const {
    set_inner(t, scale, K);
    close(K);
  }
  template <class Gradients>
  void set_tangent(const InvariantTangent& t, const PsdCorrection& correction, const Gradients& dN,
                   double scale, ElementMatrix<4>& K) const {
    set_inner(t, scale, K);
    for (int m = 0; m < correction.count; ++m) {
      const double amount = scale * volume_ * correction.amount[m];
      Vec3 u[3];
      for (int a = 0; a < 3; ++a) u[a] = correction.mode[m] * dN.col(a + 1);
      for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b)
          Block(K.block[pair(a + 1, b + 1)]) += u[a] * (amount * u[b]).transpose();
    }
    close(K);
  }

 private:
  using Block = Eigen::Map<Mat3>;
  static constexpr int pair(int a, int b) { return a * 4 - a * (a - 1) / 2 + (b - a); }

  // K_ab = scale V ( a m_ab I + Fg_a (b Fg_b + c Gg_b)ᵀ + Gg_a (c Fg_b + d Gg_b)ᵀ ∓ e [d_c/6V]ₓ )
  void set_inner(const InvariantTangent& t, double scale, ElementMatrix<4>& K) const {
    const double w = scale * volume_, e = w * t.e * inverse_;
    const double b = w * t.b, c = w * t.c * inverse_, d = w * t.d * inverse_ * inverse_;
    Vec3 X[3], Y[3];
    for (int n = 0; n < 3; ++n) {
      X[n] = b * Fg_[n] + c * c_[n];
      Y[n] = c * Fg_[n] + d * c_[n];
    }
    for (int n = 0; n < 3; ++n) {
      for (int k = n; k < 3; ++k) {
        double* block = K.block[pair(n + 1, k + 1)];
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i) block[i + 3 * j] = Fg_[n][i] * X[k][j] + c_[n][i] * Y[k][j];
        const double isotropic = w * t.a * m_[n][k];
        block[0] += isotropic;
        block[4] += isotropic;
        block[8] += isotropic;
      }
    }
    add_skew(e * d_[2], K.block[pair(1, 2)]);
    add_skew(-e * d_[1], K.block[pair(1, 3)]);
    add_skew(e * d_[0], K.block[pair(2, 3)]);
  }

  // block −= [s]ₓ
  static void add_skew(const Vec3& s, double* block) {
    block[1] -= s[2], block[2] += s[1], block[3] += s[2];
    block[5] -= s[0], block[6] -= s[1], block[7] += s[0];
  }

  // Rows and columns of an element sum to zero: K_0b = −Σ_a K_ab and K_00 = −Σ_b K_0b.
  static void close(ElementMatrix<4>& K) {
    const Block k11(K.block[pair(1, 1)]), k12(K.block[pair(1, 2)]), k13(K.block[pair(1, 3)]),
        k22(K.block[pair(2, 2)]), k23(K.block[pair(2, 3)]), k33(K.block[pair(3, 3)]);
    Block k01(K.block[pair(0, 1)]), k02(K.block[pair(0, 2)]), k03(K.block[pair(0, 3)]),
        k00(K.block[pair(0, 0)]);
    k01 = -(k11 + k12.transpose() + k13.transpose());
    k02 = -(k12 + k22 + k23.transpose());
    k03 = -(k13 + k23 + k33);
    k00 = -(k01 + k02 + k03);
  }

  double volume_, inverse_;  // m³, 1/6V
  Vec3 d_[3], Fg_[3], c_[3];
  double m_[3][3];
  StrainInvariants invariants_;
};

}  // namespace pliant
