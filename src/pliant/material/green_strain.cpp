#include <pliant/material/green_strain.hpp>

namespace pliant {

Mat9 green_strain_tangent(const Mat3& F, const Mat3& S, const OrthotropicStiffness& stiffness) {
  Mat9 C = Mat9::Zero();
  for (int j = 0; j < 3; ++j)
    for (int l = 0; l < 3; ++l) C.block<3, 3>(3 * j, 3 * l).diagonal().setConstant(S(j, l));
  // ∂E_ab/∂F = M_ab = ½ (F a_a a_bᵀ + F a_b a_aᵀ) for strains in the material axes a.
  const Mat3& axes = stiffness.axes;
  const Mat3 FA = F * axes;
  const auto M = [&](int a, int b) -> Mat3 {
    return 0.5 * (FA.col(a) * axes.col(b).transpose() + FA.col(b) * axes.col(a).transpose());
  };
  for (int a = 0; a < 3; ++a) {
    Mat3 weighted = Mat3::Zero();
    for (int b = 0; b < 3; ++b) weighted += stiffness.normal(a, b) * M(b, b);
    const Mat3 Maa = M(a, a), Mab = M(a, (a + 1) % 3);
    C += vec(Maa) * vec(weighted).transpose();
    C += vec(Mab) * (4 * stiffness.shear[a] * vec(Mab)).transpose();
  }
  return C;
}

}  // namespace pliant
