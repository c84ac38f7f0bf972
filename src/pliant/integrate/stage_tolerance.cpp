#include <pliant/integrate/stage_tolerance.hpp>

#include <pliant/contact/friction_term.hpp>
#include <pliant/integrate/mean_size.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of the method's error: what a stage may be wrong by at its last change. With a tenth a damped
// cube lost 9 % of what the method loses, with this 0.6 % (bench/results/tolerance.json).
constexpr double kPart = 0.01;
// Of what friction holds within.
constexpr double kPartOfHold = 0.1;

}  // namespace

StageTolerance::StageTolerance(int order, double most)
    : order_(std::max(order, 1)), most_(std::clamp(most, tightest, loosest)) {
  errors_.fill(0);
}

// h^(p+1) |v^(p+1)| / (p+1)! with h² |v″| = |Δ²v|, and h |v‴|/|v″| = |Δ²v|/|Δv| and so on.
double StageTolerance::error_of_method(const NodeMatrix& M, double h) {
  const double first = h * mean_size(M, next_a_);
  a_ -= next_a_;
  const double second = h * mean_size(M, a_) * 2 * h / (h + h_);
  if (first == 0) return 0;
  const double ratio = std::min(second / first, 1.0);
  double error = second / 2;
  for (int k = 2; k <= order_; ++k) error *= ratio / (k + 1);
  return error;
}

// Where it sticks, ε is a length; what a stage is wrong by moves contacts by h times that.
double StageTolerance::most_beside_friction(const System& system, double h) const {
  const FrictionTerm* friction = system.friction();
  if (!friction || speed_ == 0) return loosest;
  const FrictionOptions& options = friction->options();
  return kPartOfHold * options.epsilon / (options.stick ? h * speed_ : speed_);
}

void StageTolerance::open(const System& system, State& state, double h) {
  t_ = state.t;
  v_ = state.v;
  state.tolerance = tightest;
  const double error = *std::min_element(errors_.begin(), errors_.end());
  if (error == 0) return;
  const double wanted = std::min(kPart * error / speed_, most_beside_friction(system, h));
  state.tolerance = std::clamp(wanted, tightest, most_);
}

void StageTolerance::close(const System& system, const State& state) {
  const double h = state.t - t_;
  next_a_ = (state.v - v_) / h;
  // Stages are shorter than steps, by a quarter or so: what counts as resting is faster in them.
  speed_ = std::max({v_.lpNorm<Eigen::Infinity>(), state.v.lpNorm<Eigen::Infinity>(),
                     h * next_a_.lpNorm<Eigen::Infinity>(), 4e-4 * system.size() / h});
  if (a_.size() == next_a_.size()) {
    std::rotate(errors_.begin(), errors_.begin() + 1, errors_.end());
    errors_.back() = error_of_method(system.mass(), h);
  }
  a_.swap(next_a_);
  h_ = h;
}

// [h, speed, errors…, a…]
std::vector<double> StageTolerance::memory() const {
  std::vector<double> out = {h_, speed_};
  out.insert(out.end(), errors_.begin(), errors_.end());
  out.insert(out.end(), a_.begin(), a_.end());
  return out;
}

void StageTolerance::restore(std::span<const double> memory) {
  if (memory.size() < 2 + kSteps) return;
  h_ = memory[0];
  speed_ = memory[1];
  for (std::size_t k = 0; k < kSteps; ++k) errors_[k] = memory[2 + k];
  a_ = as_vector(memory.subspan(2 + kSteps));
}

}  // namespace pliant
