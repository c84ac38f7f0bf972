#include <pliant/dissipation/lagged_damping.hpp>

#include <pliant/core/parallel.hpp>

#include <Eigen/Cholesky>

namespace pliant {

void LaggedDamping::freeze(std::span<const double> z) {
  if (D_.empty()) D_.resize(elastic_->local_maps().size());
  const std::size_t n = z.size() / D_.size();
  parallel_for_each(D_.size(), 64, [&](std::size_t k) {
    D_[k] = beta_ * elastic_->local_tangent(k, z.data() + n * k);
  });
}

void LaggedDamping::local_gradient(const Configuration&, LocalRange range,
                                   std::span<const double> z, std::span<double> gradient) const {
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Eigen::Index n = D_[k].rows();
    const PartVector moved = part_of(z, k, n) - part_of(range.stage.before, k, n);
    Eigen::Map<Vector>(gradient.data() + k * static_cast<std::size_t>(n), n) =
        D_[k] * moved / range.stage.gamma;
  }
}

// (D/γ + w)(z − z_p) = w (target − z_p)
bool LaggedDamping::local_minimise(const Configuration&, LocalRange range,
                                   std::span<const double> weights, std::span<const double> target,
                                   std::span<double> z) const {
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Eigen::Index n = D_[k].rows();
    LocalMatrix A = D_[k] / range.stage.gamma;
    A.diagonal().array() += weights[k];
    const PartVector before = part_of(range.stage.before, k, n);
    const PartVector wanted = weights[k] * (part_of(target, k, n) - before);
    Eigen::Map<Vector>(z.data() + k * static_cast<std::size_t>(n), n) =
        before + PartVector(A.llt().solve(wanted));
  }
  return true;
}

}  // namespace pliant
