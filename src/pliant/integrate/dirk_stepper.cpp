#include <pliant/integrate/dirk_stepper.hpp>

namespace pliant {

void StepReport::add(const StageReport& stage) {
  newton += stage.newton;
  factorizations += stage.factorizations;
  projections += stage.projections;
  linear += stage.linear;
}

DirkStepper::DirkStepper(std::string_view name, const DirkTable& table,
                         std::unique_ptr<StageSolver> solver, LinearizeAbout base)
    : name_(name), table_(table), solver_(std::move(solver)), base_(base) {
  v_.resize(table.stages);
  a_.resize(table.stages);
}

StageReport DirkStepper::solve_stage(const StepContext& context, const State& state, double h,
                                     int i) {
  const System& system = context.system;
  stage_.t = state.t + table_.c(i) * h;
  stage_.gamma_q = stage_.gamma_v = table_.a(i, i) * h;
  stage_.q_p = state.q;
  stage_.v_p = state.v;
  for (int j = 0; j < i; ++j) {
    if (table_.a(i, j) == 0) continue;
    stage_.q_p += h * table_.a(i, j) * v_[j];
    stage_.v_p += h * table_.a(i, j) * a_[j];
  }
  const bool first = i == 0 || (i == 1 && table_.explicit_first_stage());
  stage_.q_base = &state.q;
  stage_.v_base = &state.v;
  if (base_ == LinearizeAbout::previous_stage && !first) {
    base_q_ = last_q_;
    base_v_ = v_[i - 1];
    stage_.q_base = &base_q_;
    stage_.v_base = &base_v_;
  }
  v_[i] = first ? state.v : v_[i - 1];
  StageReport report = solver_->solve(context, stage_, v_[i], last_q_);
  a_[i] = (v_[i] - stage_.v_p) / stage_.gamma_v;
  system.prescribe(state, stage_.t, {}, {}, view(a_[i]));
  return report;
}

void DirkStepper::finish(const StepContext& context, State& state, double h) {
  const int last = table_.stages - 1;
  const double t = state.t + h;
  if (table_.stiffly_accurate()) {
    q_ = last_q_;
    state.v = v_[last];
    state.a = a_[last];
    state.a_known = !context.system.lags();
  } else {
    q_ = state.q;
    for (int i = 0; i < table_.stages; ++i) {
      if (table_.b[i] == 0) continue;
      q_ += h * table_.b[i] * v_[i];
      state.v += h * table_.b[i] * a_[i];
    }
    state.a_known = false;
  }
  context.system.prescribe(state, t, view(q_), view(state.v), {});
  state.q.swap(q_);
  state.t = t;
}

StepReport DirkStepper::step(const System& system, State& state, double h) {
  State& trial = trial_;
  trial = state;
  system.open_step(trial, h, data_, mask_);
  const StepContext context{system, trial, data_, mask_};
  StepReport report;
  for (int i = 0; i < table_.stages; ++i) {
    if (table_.a(i, i) == 0) {
      if (!force_.find_acceleration(context, trial))
        return report.fail("the forces at the start of the step are not finite");
      v_[i] = trial.v;
      a_[i] = trial.a;
      continue;
    }
    const StageReport stage = solve_stage(context, trial, h, i);
    report.add(stage);
    if (!stage.ok)
      return report.fail("stage " + std::to_string(i + 1) + " of " + std::string(name_) + ": " +
                         stage.reason);
  }
  finish(context, trial, h);
  if (!trial.q.allFinite() || !trial.v.allFinite()) return report.fail("the state is not finite");
  std::swap(state, trial);
  return report;
}

}  // namespace pliant
