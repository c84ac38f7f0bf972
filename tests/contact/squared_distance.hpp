// Squared distance of a pair with its first and second derivatives, a second way to what gap.hpp
// has. With D = ‖r‖² minimised over the free parameters β of the features that hold the nearest
// points (nearest.hpp), the envelope theorem gives
//   ∂D/∂x_i = 2 w_i r,
//   ∂²D/∂x_i∂x_j = 2 [ w_i w_j I − c_i G⁻¹ c_jᵀ ],   c_i = r ∂w_i/∂β + w_i E,
// with E_k = Σ_i ∂w_i/∂β_k x_i and G = EᵀE: the value of a minimum over β has the Hessian
// f_xx − f_xβ f_ββ⁻¹ f_βx. One formula serves all features of all pairs.
#pragma once

#include <pliant/contact/gap.hpp>

#include <Eigen/LU>

namespace pliant::fixtures {

struct PairDistance {
  double squared = 0;  // m²
  PairGradient gradient = PairGradient::Zero();
  PairHessian hessian = PairHessian::Zero();
};

inline double squared_distance(const Nearest& nearest, const PairPoints& x) {
  return nearest.connection(x).squaredNorm();
}

// c G⁻¹ cᵀ for the free parameters there are, with a reciprocal where there is one.
template <int K>
PairHessian eliminated(const Nearest& nearest, const PairPoints& x, const Vec3& r) {
  using Columns = Eigen::Matrix<double, 3, K>;
  const Columns E = x * nearest.dw.leftCols<K>();
  Eigen::Matrix<double, 12, K> c;
  for (int i = 0; i < 4; ++i)
    c.template middleRows<3>(3 * i) = r * nearest.dw.row(i).leftCols<K>() + nearest.w[i] * E;
  const Eigen::Matrix<double, K, K> G = E.transpose() * E;
  return c * G.inverse() * c.transpose();
}

inline PairGradient squared_distance_gradient(const Nearest& nearest, const PairPoints& x) {
  const Vec3 r = nearest.connection(x);
  PairGradient g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * nearest.w[i] * r;
  return g;
}

inline PairDistance squared_distance_derivatives(const Nearest& nearest, const PairPoints& x) {
  const Vec3 r = nearest.connection(x);
  PairDistance d;
  d.squared = r.squaredNorm();
  d.gradient = squared_distance_gradient(nearest, x);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      d.hessian.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(nearest.w[i] * nearest.w[j]);
  if (nearest.parameters == 1) d.hessian -= eliminated<1>(nearest, x, r);
  if (nearest.parameters == 2) d.hessian -= eliminated<2>(nearest, x, r);
  d.hessian *= 2;
  return d;
}

}  // namespace pliant::fixtures
