#include <pliant/stage/row_states.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// After so many rounds only the worst row changes its state: no two of them can then change for
// ever in turns.
constexpr int kStatesTogether = 6;

}  // namespace

void RowStates::set(const ConstraintSet& constraints, const Vector& lambda, const Vector& values) {
  bounds_ = constraints.has_bounds() ? &constraints : nullptr;
  rounds_ = 0;
  if (!bounds_) return;
  at_.assign(static_cast<std::size_t>(constraints.rows()), At::neither);
  for (Index k = 0; k < constraints.rows(); ++k) {
    const auto n = static_cast<std::size_t>(k);
    if (lambda[k] <= constraints.low()[k] && values[k] > 0) at_[n] = At::low;
    if (lambda[k] >= constraints.high()[k] && values[k] < 0) at_[n] = At::high;
  }
}

int RowStates::pushing() const {
  int count = 0;
  if (!bounds_) return count;
  for (std::size_t n = 0; n < at_.size(); ++n) {
    const auto k = static_cast<Eigen::Index>(n);
    const bool limit = std::isfinite(bounds_->low()[k]) && !std::isfinite(bounds_->high()[k]);
    count += limit && at_[n] == At::neither;
  }
  return count;
}

bool RowStates::give_in(const Vector& lambda) {
  bool any = false;
  for (std::size_t n = 0; bounds_ && n < at_.size(); ++n) {
    const auto k = static_cast<Eigen::Index>(n);
    if (at_[n] != At::neither) continue;
    if (lambda[k] < bounds_->low()[k]) at_[n] = At::low, any = true;
    if (lambda[k] > bounds_->high()[k]) at_[n] = At::high, any = true;
  }
  return any;
}

void RowStates::hold(double gamma_v, Vector& mu) const {
  if (!bounds_) return;
  for (Index k = 0; k < mu.size(); ++k) {
    const At at = at_[static_cast<std::size_t>(k)];
    if (at == At::low) mu[k] = gamma_v * bounds_->low()[k];
    if (at == At::high) mu[k] = gamma_v * bounds_->high()[k];
  }
}

void RowStates::leave_out(std::vector<JacobianEntry>& J) const {
  if (!bounds_) return;
  for (JacobianEntry& entry : J)
    if (at_[static_cast<std::size_t>(entry.row)] != At::neither) entry.gradient.setZero();
}

void RowStates::set_all(Vector& x, double to) const {
  if (!bounds_) return;
  for (Index k = 0; k < x.size(); ++k)
    if (at_[static_cast<std::size_t>(k)] != At::neither) x[k] = to;
}

Vector stage_compliance(const ConstraintSet& constraints, const Stage& stage) {
  Vector C = constraints.compliance() / (stage.gamma_q * stage.gamma_v);
  for (Index k = 0; k < C.size(); ++k)
    C[k] *=
        constraints.is_about_rate(k) ? stage.gamma_q : 1 / constraints.stiffening(k, stage.gamma_q);
  return C;
}

bool RowStates::settle(const Vector& values, const Vector& lambda, double tolerance) {
  if (!bounds_) return true;
  const bool together = rounds_++ < kStatesTogether;
  bool right = true;
  double worst = 0;
  std::size_t worst_row = 0;
  At worst_state = At::neither;
  const auto change = [&](std::size_t row, At to, double by) {
    right = false;
    if (together) at_[row] = to;
    if (by > worst) worst = by, worst_row = row, worst_state = to;
  };
  const double force = 1e-9 * lambda.lpNorm<Eigen::Infinity>();
  for (std::size_t n = 0; n < at_.size(); ++n) {
    const auto k = static_cast<Eigen::Index>(n);
    const double low = bounds_->low()[k], high = bounds_->high()[k];
    if (at_[n] == At::low && values[k] < -tolerance)
      change(n, At::neither, -values[k]);
    else if (at_[n] == At::high && values[k] > tolerance)
      change(n, At::neither, values[k]);
    else if (at_[n] == At::neither && lambda[k] < low - force)
      change(n, At::low, low - lambda[k]);
    else if (at_[n] == At::neither && lambda[k] > high + force)
      change(n, At::high, lambda[k] - high);
  }
  if (!right && !together) at_[worst_row] = worst_state;
  return right;
}

}  // namespace pliant
