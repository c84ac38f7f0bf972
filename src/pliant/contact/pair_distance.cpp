#include <pliant/contact/pair_distance.hpp>

#include <Eigen/LU>

namespace pliant {
namespace {

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

}  // namespace

PairGradient squared_distance_gradient(const Nearest& nearest, const PairPoints& x) {
  const Vec3 r = nearest.connection(x);
  PairGradient g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * nearest.w[i] * r;
  return g;
}

PairDistance squared_distance_derivatives(const Nearest& nearest, const PairPoints& x) {
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

}  // namespace pliant
