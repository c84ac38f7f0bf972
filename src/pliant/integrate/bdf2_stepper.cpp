#include <pliant/integrate/bdf2_stepper.hpp>

#include <cmath>

namespace pliant {
namespace {

const DirkTable& sdirk2() {
  for (const DirkTable& table : dirk_tables())
    if (table.name == "sdirk2") return table;
  return dirk_tables().front();
}

}  // namespace

Bdf2Stepper::Bdf2Stepper(std::string_view name, const SolverOptions& options)
    : name_(name),
      solver_(make_stage_solver(options)),
      start_(name, sdirk2(), make_stage_solver(options)) {}

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
  if (report.ok) remember(trial_, h);
  return report;
}

StepReport Bdf2Stepper::step(const System& system, State& state, double h) {
  if (!history_fits(state)) return first_step(system, state, h);
  trial_ = state;
  system.open_step(trial_, h, data_, mask_);
  const double w = h / last_h_, scale = 1 / (1 + 2 * w);
  stage_.t = trial_.t + h;
  stage_.gamma_q = stage_.gamma_v = h * (1 + w) * scale;
  stage_.q_p = scale * ((1 + w) * (1 + w) * trial_.q - w * w * last_q_);
  stage_.v_p = scale * ((1 + w) * (1 + w) * trial_.v - w * w * last_v_);
  stage_.q_base = &trial_.q;
  stage_.v_base = &trial_.v;
  v_ = trial_.v;
  const StageReport stage = solver_->solve({system, trial_, data_, mask_}, stage_, v_, q_);
  StepReport report;
  report.add(stage);
  report.ok = stage.ok && q_.allFinite() && v_.allFinite();
  if (!report.ok) {
    report.reason = std::string(name_) + ": " + stage.reason;
    return report;
  }
  remember(state, h);
  trial_.a = (v_ - stage_.v_p) / stage_.gamma_v;
  system.prescribe(trial_, stage_.t, {}, {}, view(trial_.a));
  trial_.a_known = !system.lags();
  trial_.q = q_;
  trial_.v = v_;
  trial_.t = stage_.t;
  std::swap(state, trial_);
  return report;
}

// [t, h, n, q…, v…, number of the stage solver's, its numbers…, those of the start…]
std::vector<double> Bdf2Stepper::memory() const {
  std::vector<double> out = {known_t_, last_h_, static_cast<double>(last_q_.size())};
  out.insert(out.end(), last_q_.begin(), last_q_.end());
  out.insert(out.end(), last_v_.begin(), last_v_.end());
  const std::vector<double> own = solver_->memory(), start = start_.memory();
  out.push_back(static_cast<double>(own.size()));
  out.insert(out.end(), own.begin(), own.end());
  out.insert(out.end(), start.begin(), start.end());
  return out;
}

void Bdf2Stepper::restore(std::span<const double> memory) {
  if (memory.size() < 4) return;
  const auto n = static_cast<std::size_t>(memory[2]);
  if (memory.size() < 4 + 2 * n) return;
  known_t_ = memory[0];
  last_h_ = memory[1];
  last_q_ = as_vector(memory.subspan(3, n));
  last_v_ = as_vector(memory.subspan(3 + n, n));
  const auto own = static_cast<std::size_t>(memory[3 + 2 * n]);
  const std::span<const double> rest = memory.subspan(4 + 2 * n);
  if (rest.size() < own) return;
  solver_->restore(rest.first(own));
  start_.restore(rest.subspan(own));
}

}  // namespace pliant
