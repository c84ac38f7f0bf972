#include <pliant/solve/low_rank.hpp>

namespace pliant {

void LowRank::remove(const DofMask& mask) {
  if (empty()) return;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (!mask[i]) continue;
    Y.row(static_cast<Eigen::Index>(i)).setZero();
    Z.row(static_cast<Eigen::Index>(i)).setZero();
  }
}

bool Woodbury::prepare(const LowRank& update, const std::function<bool(Matrix&)>& solve) {
  active_ = false;
  AY_ = update.Y;
  if (!solve(AY_)) return false;
  Matrix inner = Matrix::Identity(update.Y.cols(), update.Y.cols());
  inner.noalias() += update.Z.transpose() * AY_;
  if (!inner.allFinite()) return false;
  inner_.compute(inner);
  update_ = update;
  active_ = inner_.rcond() > 1e-14;
  return active_;
}

void Woodbury::correct(std::span<double> x) const {
  const Vector small = inner_.solve(update_.Z.transpose() * as_vector(x));
  as_vector(x).noalias() -= AY_ * small;
}

}  // namespace pliant
