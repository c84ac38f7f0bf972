#include <pliant/integrate/bdf2_stepper.hpp>

#include <array>
#include <cmath>

namespace pliant {

Bdf2Stepper::Bdf2Stepper(std::string_view name, const SolverOptions& options,
                         std::shared_ptr<ModalFlow> modes, bool paper)
    : name_(name),
      solver_(make_stage_solver(options)),
      modes_(std::move(modes)),
      paper_(paper),
      start_(name, *find_dirk_table("sdirk2"),
             {.solver = make_stage_solver(options), .modes = modes_}) {}

// The history leads to this state: same size, and the time that the last step ended at.
bool Bdf2Stepper::history_fits(const State& state) const {
  return last_h_ > 0 && last_q_.size() == state.q.size() &&
         std::abs(state.t - known_t_) <= 1e-9 * last_h_;
}

void Bdf2Stepper::remember(const State& before, double h) {
  last_q_ = before.q;
  last_v_ = before.v;
  last_h_ = h;
  known_t_ = before.t + h;
}

StepReport Bdf2Stepper::first_step(const System& system, State& state, double h) {
  trial_ = state;
  StepReport report = start_.step(system, state, h);
  if (!report.ok) return report;
  remember(trial_, h);
  last_mean_ = state.mean_force ? *state.mean_force : ActingForces();
  return report;
}

// A step much longer than the last one, as after one that was made in small parts, is a step of
// backward Euler, w = 0: the formula is stable up to a ratio of 1 + √2 (Grigorieff 1983), and what
// is left of an impact would grow by the square of the ratio.
void Bdf2Stepper::set_stage(double h) {
  constexpr double longest = 2 + 1e-9;  // parts of a step double
  const double w = h <= longest * last_h_ ? h / last_h_ : 0, scale = 1 / (1 + 2 * w);
  stage_.t = trial_.t + h;
  stage_.gamma_q = stage_.gamma_v = h * (1 + w) * scale;
  stage_.q_p = scale * ((1 + w) * (1 + w) * trial_.q - w * w * last_q_);
  stage_.v_p = scale * ((1 + w) * (1 + w) * trial_.v - w * w * last_v_);
  stage_.q_base = &trial_.q;
  stage_.v_base = &trial_.v;
  stage_.held = nullptr;
  v_ = trial_.v;
}

// A part of the last change of velocity goes on: with ā = (v_n − v_n−1)/h₋₁ it is
//   (v₁ − v_n)/h = γ/h a₁ + (1 − γ/h) ā.
void Bdf2Stepper::find_mean_force(const System& system, State& state, double h) {
  state.mean_force = state.end_force = nullptr;
  state.taken = std::nullopt;
  if (!system.asks_for_forces() || stage_.held) return last_mean_.forget();
  const double now = stage_.gamma_v / h;
  auto end = forces_.take();
  solver_->find_forces(v_, *end);
  auto mean = forces_.take();
  mean->set_zero(system);
  mean->add(now, *end);
  if (now != 1) mean->add(1 - now, last_mean_);
  state.taken = energy_taken(system, *mean, state.q, q_);
  last_mean_ = *mean;
  state.mean_force = std::move(mean);
  state.end_force = std::move(end);
}

bool Bdf2Stepper::hold_modes(const StepContext& context, double h, std::string& reason) {
  if (!modes_->begin(context, {trial_.t, trial_.q, trial_.v}, h, reason)) return false;
  if (!modes_->active()) return true;
  ModalState end = modes_->at(h);
  if (paper_) {
    const Matrix& Y = modes_->subspace().Y;
    const double part = stage_.gamma_q / h;  // 2/3 for equal steps
    const Vector w = Y.transpose() * trial_.v;
    end.displacement = part * end.displacement + Y.transpose() * (stage_.q_p - trial_.q);
    end.velocity = part * (end.velocity - w) + Y.transpose() * stage_.v_p;
  }
  modes_->hold(end, stage_, v_);
  return true;
}

StepReport Bdf2Stepper::step(const System& system, State& state, double h) {
  by_start_ = !history_fits(state);
  if (by_start_) return first_step(system, state, h);
  trial_ = state;
  system.open_step(trial_, h, data_, mask_);
  const StepContext context{system, trial_, data_, mask_};
  StepReport report;
  std::string reason;
  set_stage(h);
  if (modes_ && !hold_modes(context, h, reason))
    return report.fail(std::string(name_) + ": " + reason);
  const StageReport stage = solver_->solve(context, stage_, v_, q_);
  report.add(stage);
  if (!stage.ok) return report.fail(std::string(name_) + ": " + stage.reason);
  if (!q_.allFinite() || !v_.allFinite()) return report.fail("the state is not finite");
  if (modes_) modes_->end_step(*solver_, stage_);
  remember(state, h);
  trial_.a = (v_ - stage_.v_p) / stage_.gamma_v;
  system.prescribe(trial_, stage_.t, {}, {}, view(trial_.a));
  trial_.a_known = !system.lags() && !stage_.held;
  find_mean_force(system, trial_, h);
  trial_.q = q_;
  trial_.v = v_;
  trial_.t = stage_.t;
  std::swap(state, trial_);
  return report;
}

// A list of lists: each is its length and its numbers.
std::vector<double> Bdf2Stepper::memory() const {
  std::vector<double> out;
  const auto add = [&out](std::span<const double> part) {
    out.push_back(static_cast<double>(part.size()));
    out.insert(out.end(), part.begin(), part.end());
  };
  add(std::array{known_t_, last_h_});
  add(view(last_q_));
  add(view(last_v_));
  for (const Vector* f : {&last_mean_.all, &last_mean_.damping, &last_mean_.friction})
    add(view(*f));
  add(solver_->memory());
  add(start_.solver_memory());
  add(modes_ ? modes_->memory() : std::vector<double>());
  return out;
}

void Bdf2Stepper::restore(std::span<const double> memory) {
  std::array<std::span<const double>, 9> parts;
  for (std::span<const double>& part : parts) {
    if (memory.empty() || memory.size() - 1 < static_cast<std::size_t>(memory[0])) return;
    part = memory.subspan(1, static_cast<std::size_t>(memory[0]));
    memory = memory.subspan(1 + part.size());
  }
  if (parts[0].size() != 2) return;
  known_t_ = parts[0][0];
  last_h_ = parts[0][1];
  last_q_ = as_vector(parts[1]);
  last_v_ = as_vector(parts[2]);
  last_mean_ = {as_vector(parts[3]), as_vector(parts[4]), as_vector(parts[5])};
  solver_->restore(parts[6]);
  start_.restore_solver(parts[7]);
  if (modes_) modes_->restore(parts[8]);
}

}  // namespace pliant
