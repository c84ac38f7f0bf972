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

bool Woodbury::prepare(const LowRank& update, Matrix P, Matrix Q) {
  active_ = false;
  P_ = std::move(P);
  Q_ = std::move(Q);
  Matrix inner = Matrix::Identity(P_.cols(), P_.cols());
  inner.noalias() += Q_.transpose() * P_;
  if (!inner.allFinite()) return false;
  inner_.compute(inner);
  update_ = update;
  active_ = inner_.rcond() > 1e-14;
  return active_;
}

void Woodbury::correct(std::span<double> x) const {
  const Vector small = inner_.solve(Q_.transpose() * as_vector(x));
  as_vector(x).noalias() -= P_ * small;
}

}  // namespace pliant
