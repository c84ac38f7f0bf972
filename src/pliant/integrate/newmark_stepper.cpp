#include <pliant/integrate/newmark_stepper.hpp>

#include <cmath>
#include <utility>

namespace pliant {

NewmarkCoefficients generalized_alpha(double rho_inf) {
  const double alpha_m = (2 * rho_inf - 1) / (rho_inf + 1), alpha_f = rho_inf / (rho_inf + 1);
  const double d = 1 - alpha_m + alpha_f;
  return {.beta = 0.25 * d * d, .gamma = d - 0.5, .alpha_m = alpha_m, .alpha_f = alpha_f};
}

NewmarkStepper::NewmarkStepper(std::string_view name, NewmarkCoefficients coefficients,
                               std::unique_ptr<StageSolver> solver)
    : name_(name), c_(coefficients), solver_(std::move(solver)) {}

// At the first step, and after pins or the state were changed from outside, a starts as φ.
void NewmarkStepper::find_start(const State& state, double h) {
  const bool continues = a_.size() == state.q.size() && mask_ == last_mask_ &&
                         std::abs(state.t - known_t_) <= 1e-9 * h;
  if (!averages() || !continues) {
    a_ = state.a;
    force_of_a_ = state.end_force ? *state.end_force : ActingForces();
  }
  last_mask_ = mask_;
}

void NewmarkStepper::set_stage(const State& state, double h) {
  const double m = 1 / (1 - c_.alpha_m);
  w_ = state.v + h * (1 - c_.gamma) * a_;
  stage_.t = state.t + h;
  stage_.gamma_q = h * c_.beta / c_.gamma;
  stage_.gamma_v = c_.gamma * h * (1 - c_.alpha_f) * m;
  stage_.q_p = state.q + h * state.v + h * h * (0.5 - c_.beta) * a_ - stage_.gamma_q * w_;
  stage_.v_p = w_;
  if (averages()) stage_.v_p += c_.gamma * h * m * (c_.alpha_f * state.a - c_.alpha_m * a_);
  stage_.q_base = &state.q;
  stage_.v_base = &state.v;
}

void NewmarkStepper::finish(const System& system, State& state, double h) {
  next_a_ = (v_ - w_) / (c_.gamma * h);
  state.a = (v_ - stage_.v_p) / stage_.gamma_v;  // φ₁
  for (Vector* a : {&next_a_, &state.a}) system.prescribe(state, stage_.t, {}, {}, view(*a));
  state.a_known = !system.lags();
  state.q.swap(q_);
  state.v.swap(v_);
  state.t = stage_.t;
}

// As velocities have accelerations: (1 − γ) F + γ F₁, with F₁ from f and f₁ as a₁ from φ and φ₁.
void NewmarkStepper::find_mean_force(const System& system, State& state) {
  auto end = forces_.take();
  solver_->find_forces(v_, *end);
  const auto start = std::exchange(state.end_force, end);
  const double m = 1 / (1 - c_.alpha_m);
  ActingForces& next = next_force_;
  next.set_zero(system);
  next.add((1 - c_.alpha_f) * m, *end);
  if (c_.alpha_f != 0) next.add(c_.alpha_f * m, *start);
  if (c_.alpha_m != 0) next.add(-c_.alpha_m * m, force_of_a_);
  auto mean = forces_.take();
  mean->set_zero(system);
  mean->add(1 - c_.gamma, force_of_a_);
  mean->add(c_.gamma, next);
  state.taken = energy_taken(system, *mean, state.q, q_);
  state.mean_force = std::move(mean);
  std::swap(force_of_a_, next);
}

StepReport NewmarkStepper::step(const System& system, State& state, double h) {
  trial_ = state;
  system.open_step(trial_, h, data_, mask_);
  const StepContext context{system, trial_, data_, mask_};
  StepReport report;
  const bool goes_on = std::abs(trial_.t - known_t_) <= 1e-9 * h;
  if (!force_.find_acceleration(context, trial_, goes_on && solver_->hides_forces()))
    return report.fail("the forces at the start of the step are not finite");
  find_start(trial_, h);
  set_stage(trial_, h);
  v_ = trial_.v;
  const StageReport stage = solver_->solve(context, stage_, v_, q_);
  report.add(stage);
  if (!stage.ok) return report.fail(std::string(name_) + ": " + stage.reason);
  if (!q_.allFinite() || !v_.allFinite()) return report.fail("the state is not finite");
  if (system.asks_for_forces()) find_mean_force(system, trial_);
  finish(system, trial_, h);
  a_.swap(next_a_);
  known_t_ = trial_.t;
  std::swap(state, trial_);
  return report;
}

// [t, n, a…, mask…, three forces of a, each with its length…, the stage solver's…]
std::vector<double> NewmarkStepper::memory() const {
  std::vector<double> out = {known_t_, static_cast<double>(a_.size())};
  out.insert(out.end(), a_.begin(), a_.end());
  out.insert(out.end(), last_mask_.begin(), last_mask_.end());
  for (const Vector* f : {&force_of_a_.all, &force_of_a_.damping, &force_of_a_.friction}) {
    out.push_back(static_cast<double>(f->size()));
    out.insert(out.end(), f->begin(), f->end());
  }
  const std::vector<double> own = solver_->memory();
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

void NewmarkStepper::restore(std::span<const double> memory) {
  if (memory.size() < 2) return;
  const auto n = static_cast<std::size_t>(memory[1]);
  if (memory.size() < 2 + 2 * n) return;
  std::span<const double> rest = memory.subspan(2 + 2 * n);
  ActingForces forces;
  for (Vector* f : {&forces.all, &forces.damping, &forces.friction}) {
    if (rest.empty() || (rest[0] != 0 && rest[0] != memory[1])) return;
    const auto m = static_cast<std::size_t>(rest[0]);
    if (rest.size() < 1 + m) return;
    *f = as_vector(rest.subspan(1, m));
    rest = rest.subspan(1 + m);
  }
  known_t_ = memory[0];
  a_ = as_vector(memory.subspan(2, n));
  last_mask_.resize(n);
  for (std::size_t i = 0; i < n; ++i) last_mask_[i] = static_cast<std::uint8_t>(memory[2 + n + i]);
  force_of_a_ = std::move(forces);
  solver_->restore(rest);
}

}  // namespace pliant
