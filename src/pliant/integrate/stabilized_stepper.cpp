#include <pliant/integrate/stabilized_stepper.hpp>

#include <pliant/stage/contact_forces.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr int kMostRounds = 20;
constexpr double kMissed = 1e-12;  // of the size of the scene
// Of a step: how far before and after its end targets are looked at for their rate.
constexpr double kAround = 1e-3;

}  // namespace

StabilizedStepper::StabilizedStepper(std::unique_ptr<Stepper> stepper, Stabilized what)
    : stepper_(std::move(stepper)), what_(what), solver_(make_kkt_solver("auto")) {}

// phi_ holds the values there.
void StabilizedStepper::choose_rows(const ConstraintSet& constraints, bool places) {
  chosen_.assign(static_cast<std::size_t>(constraints.rows()), 0);
  for (Index k = 0; k < constraints.rows(); ++k) {
    if (constraints.compliance()[k] > 0 || (places && constraints.is_about_rate(k))) continue;
    const bool below = std::isfinite(constraints.low()[k]),
               above = std::isfinite(constraints.high()[k]);
    // A motor that is only so strong may miss its target, a limit that is not reached is none.
    const bool passed = below && !above && phi_[k] < 0;
    chosen_[static_cast<std::size_t>(k)] = passed || (!below && !above);
  }
}

// The shortest change with J change = g_ on the chosen rows.
bool StabilizedStepper::move_along(const System& system, std::span<const double> q,
                                   Vector& change) {
  const ConstraintSet& constraints = system.constraints();
  constraints.jacobian(q, J_);
  for (JacobianEntry& entry : J_)
    if (!chosen_[static_cast<std::size_t>(entry.row)]) entry.gradient.setZero();
  KktMatrix& matrix = assembly_.matrix();
  matrix.C.setZero(constraints.rows());
  for (Index k = 0; k < constraints.rows(); ++k)
    if (!chosen_[static_cast<std::size_t>(k)]) matrix.C[k] = 1, g_[k] = 0;
  assembly_.fill(A_, {}, J_, mask_);
  matrix.unit = 1e-4 * system.size();
  if (solver_->factorize(matrix) != SolveStatus::ok) return false;
  f_.setZero(matrix.unknowns());
  if (solver_->solve(f_, g_, x_, y_).status != SolveStatus::ok || !x_.allFinite()) return false;
  assembly_.scatter(x_, change);
  system.follow(view(change));
  return true;
}

bool StabilizedStepper::project_positions(const System& system, State& state) {
  const ConstraintSet& constraints = system.constraints();
  for (int round = 0; round < kMostRounds; ++round) {
    constraints.value(state.t, view(state.q), phi_);
    choose_rows(constraints, true);
    double missed = 0;
    for (Index k = 0; k < constraints.rows(); ++k)
      if (chosen_[static_cast<std::size_t>(k)]) missed = std::max(missed, std::abs(phi_[k]));
    if (missed <= kMissed * system.size()) return true;
    g_ = -phi_;
    if (!move_along(system, view(state.q), change_)) return false;
    change_ += state.q;
    system.rigid_path().bend(view(state.q), view(change_));
    system.follow(view(change_));
    state.q.swap(change_);
    state.a_known = false;
  }
  return true;  // redundant rows that contradict each other a little: as near as they come
}

bool StabilizedStepper::project_velocities(const System& system, double h, State& state) {
  const ConstraintSet& constraints = system.constraints();
  constraints.value(state.t, view(state.q), phi_);
  choose_rows(constraints, false);
  constraints.value(state.t + kAround * h, view(state.q), ahead_);
  constraints.value(state.t - kAround * h, view(state.q), behind_);
  constraints.jacobian(view(state.q), J_);
  g_.setZero(constraints.rows());
  for (const JacobianEntry& entry : J_)
    g_[entry.row] -= entry.gradient.dot(node(view(state.v), entry.node));
  for (Index k = 0; k < constraints.rows(); ++k) {
    g_[k] -= constraints.is_about_rate(k) ? phi_[k] : (ahead_[k] - behind_[k]) / (2 * kAround * h);
    // A limit lets go of what leaves it.
    if (std::isfinite(constraints.low()[k]) && g_[k] < 0) chosen_[static_cast<std::size_t>(k)] = 0;
  }
  if (!move_along(system, view(state.q), change_)) return false;
  state.v += change_;
  return true;
}

StepReport StabilizedStepper::step(const System& system, State& state, double h) {
  const bool moves = system.constraints().has_hard();
  if (moves) before_ = state;
  stepper_->estimate_into(error_);
  StepReport report = stepper_->step(system, state, h);
  if (!report.ok || !moves) return report;
  start_ = before_;  // as the method saw it: pins that begin now have begun
  system.open_step(start_, h, data_, mask_);
  assemble_step_matrix({system, start_, data_, mask_}, h, {state.q, state.v, {}}, A_);
  state.mean_force = state.end_force = nullptr;  // those of before
  const bool there = what_ == Stabilized::velocities || project_positions(system, state);
  if (there && project_velocities(system, h, state)) return report;
  state = before_;
  return report.fail("constraints could not be stabilised: the matrix of the step has no factors");
}

}  // namespace pliant
