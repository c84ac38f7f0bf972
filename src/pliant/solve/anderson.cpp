#include <pliant/solve/anderson.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Differences that are all but dependent are told apart by no more than this of their squares.
constexpr double kRegular = 1e-13;

}  // namespace

void Anderson::start(const Vector& s, const Vector& weights) {
  s_ = s;
  weights_ = weights;
  f_steps_.resize(s.size(), depth_);
  g_steps_.resize(s.size(), depth_);
  products_.resize(depth_, depth_);
  begun_ = false, plain_ = true;
  forget();
}

void Anderson::keep(const Vector& g) {
  f_steps_.col(next_) = now_ - f_;
  g_steps_.col(next_) = g - g_;
  kept_ = std::min<Eigen::Index>(kept_ + 1, depth_);
  weighted_ = weights_.cwiseProduct(f_steps_.col(next_));
  for (Eigen::Index k = 0; k < kept_; ++k)
    products_(k, next_) = products_(next_, k) = f_steps_.col(k).dot(weighted_);
  next_ = (next_ + 1) % depth_;
}

// x = g − ΔG θ with θ = argmin ‖f − ΔF θ‖ in the weighted norm. Differences get smaller on the way:
// each is measured by its own size.
bool Anderson::extrapolate(Vector& x) {
  Eigen::MatrixXd A = products_.topLeftCorner(kept_, kept_);
  const Vector scale = A.diagonal().cwiseSqrt().cwiseInverse();
  A = scale.asDiagonal() * A * scale.asDiagonal();
  A.diagonal().array() += kRegular;
  weighted_ = weights_.cwiseProduct(now_);
  const Vector b = f_steps_.leftCols(kept_).transpose() * weighted_;
  const Vector theta = scale.cwiseProduct(A.ldlt().solve(scale.cwiseProduct(b)));
  if (!theta.allFinite()) return false;
  x -= g_steps_.leftCols(kept_) * theta;
  return true;
}

void Anderson::advance(Vector& x) {
  if (depth_ == 0) return;
  now_ = x - s_;
  const double size = std::sqrt(now_.cwiseAbs2().dot(weights_));
  if (!plain_ && !(size <= size_)) {
    ++refused_;
    x = s_ = g_;
    plain_ = true, begun_ = false;
    forget();
    return;
  }
  if (begun_) keep(x);
  f_ = now_, g_ = x, size_ = size;
  begun_ = true;
  plain_ = kept_ == 0 || !extrapolate(x);
  s_ = x;
}

}  // namespace pliant
