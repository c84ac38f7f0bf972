#include <pliant/system/multipliers.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Off by more than this a row that may be off is at its bound: of the system's size, and of rates.
constexpr double kOff = 1e-7;

}  // namespace

DofMask mask_of(const System& system, const State& state) {
  DofMask mask(static_cast<std::size_t>(system.dofs()), 0);
  for (std::size_t p = 0; p < state.pins.size(); ++p)
    if (state.pins[p].active)
      for (const Index n : system.pins()[p].nodes)
        for (std::size_t i = 0; i < 3; ++i)
          if (system.pins()[p].axes[i]) mask[3 * static_cast<std::size_t>(n) + i] = kPrescribed;
  for (const Index n : system.followers().nodes())
    for (std::size_t i = 0; i < 3; ++i) mask[3 * static_cast<std::size_t>(n) + i] = kFollows;
  return mask;
}

std::vector<char> Multipliers::known_ones(const System& system, const State& state,
                                          const std::vector<JacobianEntry>& J, Vector& lambda) {
  const ConstraintSet& constraints = system.constraints();
  Vector phi;
  constraints.value(state.t, view(state.q), phi);
  for (const JacobianEntry& entry : J) {
    const double share =
        constraints.is_about_rate(entry.row) ? 1 : constraints.relaxation()[entry.row];
    if (share > 0) phi[entry.row] += share * entry.gradient.dot(node(view(state.v), entry.node));
  }
  lambda.setZero(constraints.rows());
  std::vector<char> free(static_cast<std::size_t>(constraints.rows()), 1);
  for (Index k = 0; k < constraints.rows(); ++k) {
    const double C = constraints.compliance()[k];
    const double low = constraints.low()[k], high = constraints.high()[k];
    const double off = kOff * (constraints.is_about_rate(k) ? 1 : system.size());
    if (C > 0)
      lambda[k] = std::clamp(-phi[k] / C, low, high);
    else if (phi[k] > off && std::isfinite(low))
      lambda[k] = low;
    else if (phi[k] < -off && std::isfinite(high))
      lambda[k] = high;
    else
      continue;
    free[static_cast<std::size_t>(k)] = 0;
  }
  return free;
}

bool Multipliers::find(const System& system, const State& state, bool at_rest, Vector& lambda) {
  const ConstraintSet& constraints = system.constraints();
  const DofMask mask = mask_of(system, state);
  constraints.jacobian(view(state.q), J_);
  const std::vector<char> free = known_ones(system, state, J_, lambda);
  Vector r(system.dofs()), a = Vector::Zero(system.dofs()), g;
  system.force(at(state), view(r));
  if (state.contact_force) {
    Vector contact = *state.contact_force;
    system.pull_back(view(contact));
    r += contact;
  }
  if (at_rest) {
    g.setZero(constraints.rows());
  } else {
    constraints.curvature(state.t, view(state.q), view(state.v), g);
    system.prescribe(state, state.t, {}, {}, view(a));
  }
  Vector Ma(system.dofs());
  system.mass().multiply(view(a), view(Ma));
  r = Ma - r;
  for (const JacobianEntry& entry : J_) {
    node(view(r), entry.node) -= lambda[entry.row] * entry.gradient;
    g[entry.row] += entry.gradient.dot(node(view(a), entry.node));
  }
  return fit(system, mask, J_, free, {r, g}, lambda);
}

bool Multipliers::fit(const System& system, const DofMask& mask,
                      const std::vector<JacobianEntry>& J, const std::vector<char>& hard,
                      const Sides& sides, Vector& lambda) {
  number_.assign(hard.size(), -1);
  Index rows = 0;
  for (std::size_t k = 0; k < hard.size(); ++k)
    if (hard[k]) number_[k] = rows++;
  if (rows == 0) return true;
  rows_.clear();
  for (const JacobianEntry& entry : J)
    if (const Index row = number_[static_cast<std::size_t>(entry.row)]; row >= 0)
      rows_.push_back({row, entry.node, entry.gradient});
  if (M_.shared_pattern() != system.pattern()) M_ = BlockMatrix(system.pattern());
  system.mass().write_to(M_);
  assembly_.matrix().C.setZero(rows);
  assembly_.matrix().unit = 0;
  assembly_.fill(M_, {}, rows_, mask);
  if (!solver_) solver_ = make_kkt_solver("schur");
  if (solver_->factorize(assembly_.matrix()) != SolveStatus::ok) return false;
  assembly_.gather(sides.r, r_);
  Vector g = Vector::Zero(rows);
  for (std::size_t k = 0; k < hard.size(); ++k)
    if (number_[k] >= 0 && sides.g.size() > 0)
      g[number_[k]] = sides.g[static_cast<Eigen::Index>(k)];
  if (solver_->solve(r_, g, x_, y_).status != SolveStatus::ok || !y_.allFinite()) return false;
  for (std::size_t k = 0; k < hard.size(); ++k)
    if (number_[k] >= 0) lambda[static_cast<Eigen::Index>(k)] = y_[number_[k]];
  return true;
}

}  // namespace pliant
