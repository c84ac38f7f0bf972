// Squared distance of a pair with its first and second derivatives. With D = ‖r‖² minimised over
// the free parameters β of the features that hold the nearest points (nearest.hpp), the envelope
// theorem gives
//   ∂D/∂x_i = 2 w_i r,
//   ∂²D/∂x_i∂x_j = 2 [ w_i w_j I − c_i G⁻¹ c_jᵀ ],   c_i = r ∂w_i/∂β + w_i E,
// with E_k = Σ_i ∂w_i/∂β_k x_i and G = EᵀE: the value of a minimum over β has the Hessian
// f_xx − f_xβ f_ββ⁻¹ f_βx. One formula serves all features of all pairs.
#pragma once

#include <pliant/contact/nearest.hpp>

namespace pliant {

using PairGradient = Eigen::Matrix<double, 12, 1>;
using PairHessian = Eigen::Matrix<double, 12, 12>;

struct PairDistance {
  double squared = 0;  // m²
  PairGradient gradient = PairGradient::Zero();
  PairHessian hessian = PairHessian::Zero();
};

inline double squared_distance(const Nearest& nearest, const PairPoints& x) {
  return nearest.connection(x).squaredNorm();
}
PairGradient squared_distance_gradient(const Nearest& nearest, const PairPoints& x);
PairDistance squared_distance_derivatives(const Nearest& nearest, const PairPoints& x);

}  // namespace pliant
