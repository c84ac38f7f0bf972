#include <pliant/solve/krylov_flow.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {

// The homogeneous form: z = (y, ν σ, ν), z' = [[B, b₁/ν, b₀/ν], [0, 0, 1], [0, 0, 0]] z, where ν
// makes the two columns no longer than one.
bool KrylovFlow::apply(const Operator& B, Eigen::Index column, Vector& out) const {
  const Eigen::Index n = b0_.size();
  const auto x = V_.col(column);
  out.resize(n + 2);
  if (!B({x.data(), static_cast<std::size_t>(n)}, {out.data(), static_cast<std::size_t>(n)}))
    return false;
  out.head(n) += x[n] * b1_ + x[n + 1] * b0_;
  out[n] = x[n + 1];
  out[n + 1] = 0;
  return true;
}

double KrylovFlow::dot(Eigen::Index column, const Vector& x) const {
  return (V_.col(column).array() * weights_.array() * x.array()).sum();
}

// Column m + 1 of the basis, twice orthogonalised.
bool KrylovFlow::expand(const Operator& B, Eigen::Index m) {
  if (!apply(B, m, w_)) return false;
  ++report_.products;
  H_.col(m).setZero();
  for (int pass = 0; pass < 2; ++pass)
    for (Eigen::Index k = 0; k <= m; ++k) {
      const double h = dot(k, w_);
      H_(k, m) += h;
      w_ -= h * V_.col(k);
    }
  const double length = std::sqrt((w_.array().square() * weights_.array()).sum());
  if (!std::isfinite(length)) return false;
  H_(m + 1, m) = length;
  if (length > 0)
    V_.col(m + 1) = w_ / length;
  else
    V_.col(m + 1).setZero();
  return true;
}

// With m vectors, exp(τ [[H, 0], [h e_mᵀ, 0]]) e₁ holds the coordinates of the result, corrected by
// one more vector, whose own coordinate estimates the error.
double KrylovFlow::try_length(Eigen::Index m, double tau) {
  small_.topLeftCorner(m + 1, m + 1) = tau * H_.topLeftCorner(m + 1, m + 1);
  step_.head(m + 1) = exponential_.compute(small_.topLeftCorner(m + 1, m + 1)).col(0);
  return beta_ * std::abs(step_[m]);
}

// From z_ over a part of what is left.
bool KrylovFlow::advance(const Operator& B, double left, const KrylovOptions& options,
                         double& taken) {
  beta_ = std::sqrt((z_.array().square() * weights_.array()).sum());
  V_.col(0) = z_ / beta_;
  taken = left;
  Eigen::Index m = 0;
  double error = 0;
  while (m < options.max_dimension) {
    if (is_interrupted(options.interrupted) || !expand(B, m)) return false;
    ++m;
    H_.col(m).setZero();
    const bool closed = H_(m, m - 1) <= 1e-14 * H_.topLeftCorner(m, m).norm();
    // The small exponential costs m³, so it is not tried at every m.
    if (!closed && m != options.max_dimension && m % (m < 20 ? 3 : 8) != 0) continue;
    error = try_length(m, taken);
    if (closed || error <= wanted_ * taken) break;
  }
  while (!(error <= wanted_ * taken)) {
    const double ratio = std::pow(wanted_ * taken / error, 1.0 / static_cast<double>(m));
    taken *= std::isfinite(ratio) ? std::clamp(0.9 * ratio, 0.1, 0.9) : 0.1;
    if (taken < 1e-12) return false;
    error = try_length(m, taken);
  }
  report_.error += error / scale_;
  z_.noalias() = V_.leftCols(m + 1) * step_.head(m + 1);
  z_ *= beta_;
  return z_.allFinite();
}

KrylovReport KrylovFlow::solve(const Operator& B, const Vector& b0, const Vector& b1,
                               const Vector& weights, const KrylovOptions& options) {
  const Eigen::Index n = b0.size();
  report_ = {};
  y_.setZero(n);
  const auto length = [&](const Vector& x) {
    return std::sqrt((x.array().square() * weights.array()).sum());
  };
  scale_ = std::max(length(b0), length(b1));
  report_.ok = std::isfinite(scale_);
  if (scale_ == 0 || !report_.ok) return report_;
  wanted_ = options.tolerance * scale_;
  b0_ = b0 / scale_;
  b1_ = b1 / scale_;
  weights_.resize(n + 2);
  weights_ << weights, 1, 1;
  V_.resize(n + 2, options.max_dimension + 1);
  H_.setZero(options.max_dimension + 2, options.max_dimension + 1);
  small_.resize(options.max_dimension + 1, options.max_dimension + 1);
  step_.resize(options.max_dimension + 1);
  z_.setZero(n + 2);
  z_[n + 1] = scale_;
  double done = 0, taken = 0;
  while (report_.ok && done < 1 && report_.parts < options.max_parts) {
    report_.ok = advance(B, 1 - done, options, taken);
    done = taken == 1 - done ? 1 : done + taken;
    z_[n] = scale_ * done;  // known exactly
    z_[n + 1] = scale_;
    ++report_.parts;
  }
  report_.ok = report_.ok && done == 1;
  if (report_.ok) y_ = z_.head(n);
  return report_;
}

}  // namespace pliant
