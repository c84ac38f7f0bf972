#include <pliant/system/work_of_constraints.hpp>

#include <pliant/system/step_end.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {

std::vector<char> WorkOfConstraints::driven_rows(const System& system, const State& before,
                                                 const State& after) {
  const ConstraintSet& constraints = system.constraints();
  constraints.value(before.t, view(before.q), phi00_);
  constraints.value(before.t, view(after.q), phi01_);
  constraints.value(after.t, view(before.q), phi10_);
  constraints.value(after.t, view(after.q), phi11_);
  std::vector<char> driven(static_cast<std::size_t>(constraints.rows()), 0);
  for (Index k = 0; k < constraints.rows(); ++k)
    driven[static_cast<std::size_t>(k)] =
        constraints.is_about_rate(k) ? phi00_[k] != 0 || phi11_[k] != 0  // else it is a brake
                                     : phi10_[k] != phi00_[k] || phi11_[k] != phi01_[k];
  return driven;
}

double WorkOfConstraints::of_compliant(const System& system,
                                       const std::vector<char>& driven) const {
  const ConstraintSet& constraints = system.constraints();
  double work = 0;
  for (Index k = 0; k < constraints.rows(); ++k) {
    const double C = constraints.compliance()[k];
    if (!driven[static_cast<std::size_t>(k)] || C == 0 || constraints.is_about_rate(k)) continue;
    const auto lambda = [&](double phi) {
      return std::clamp(-phi / C, constraints.low()[k], constraints.high()[k]);
    };
    const double before = lambda(phi00_[k]), after = lambda(phi11_[k]);
    const double moved = 0.5 * (phi01_[k] - phi00_[k] + phi11_[k] - phi10_[k]);
    work += 0.5 * C * (after * after - before * before) + 0.5 * (before + after) * moved;
  }
  return work;
}

double WorkOfConstraints::over_step(const System& system, const State& before, const State& after) {
  doubt_ = 0;
  const ConstraintSet& constraints = system.constraints();
  if (constraints.empty()) return 0;
  const std::vector<char> driven = driven_rows(system, before, after);
  if (std::none_of(driven.begin(), driven.end(), [](char row) { return row != 0; })) return 0;
  const double h = after.t - before.t, work = of_compliant(system, driven);
  std::vector<char> hard(driven.size());
  for (std::size_t k = 0; k < hard.size(); ++k) {
    const auto row = static_cast<Index>(k);
    hard[k] = driven[k] && (constraints.compliance()[row] == 0 || constraints.is_about_rate(row));
  }
  if (std::none_of(hard.begin(), hard.end(), [](char row) { return row != 0; })) return work;

  constraints.jacobian(view(before.q), J_);
  Multipliers::known_ones(system, before, J_, lambda0_);
  constraints.jacobian(view(after.q), J_);
  const std::vector<char> free = Multipliers::known_ones(system, after, J_, lambda1_);
  const Vector halfway = 0.5 * (before.q + after.q), mean = 0.5 * (before.v + after.v);
  constraints.jacobian(view(halfway), J_);
  f0_.resize(system.dofs());
  f1_.resize(system.dofs());
  system.force(StepEnd(system, before).configuration(), view(f0_));
  system.force(StepEnd(system, after).configuration(), view(f1_));
  const Vector change = after.v - before.v;
  r_.resize(system.dofs());
  system.mass().multiply(view(change), view(r_));
  r_ -= 0.5 * h * (f0_ + f1_);
  Vector impulse = 0.5 * h * (lambda0_ + lambda1_);
  for (Index k = 0; k < constraints.rows(); ++k)
    if (constraints.compliance()[k] == 0) impulse[k] = h * lambda1_[k];  // at its bound, or free
  for (const JacobianEntry& entry : J_)
    if (!free[static_cast<std::size_t>(entry.row)])
      node(view(r_), entry.node) -= impulse[entry.row] * entry.gradient;
  const auto done_by = [&](const Vector& by) {
    double sum = 0;
    for (const JacobianEntry& entry : J_)
      if (hard[static_cast<std::size_t>(entry.row)])
        sum += by[entry.row] * entry.gradient.dot(node(view(mean), entry.node));
    return sum;
  };
  const DofMask mask = mask_of(system, after);
  if (!multipliers_.fit(system, mask, J_, free, {r_, {}}, impulse)) return work;
  r_ = 0.5 * h * (f1_ - f0_);
  Vector otherwise = Vector::Zero(impulse.size());
  if (multipliers_.fit(system, mask, J_, free, {r_, {}}, otherwise))
    doubt_ = std::abs(done_by(otherwise));
  return work + done_by(impulse);
}

}  // namespace pliant
