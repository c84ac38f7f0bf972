#include <pliant/integrate/dirk_stepper.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr double kFilterAccuracy = 1e-9;  // of the solve that filters an error estimate

// The error estimate of mode z = h λ over its amplitude, e(z) = z Σ (b − b̂)_i k_i with
// k = (I − z A)⁻¹ 1.
double error_of_mode(const DirkTable& t, double z) {
  std::vector<double> k(static_cast<std::size_t>(t.stages));
  double sum = 0;
  for (int i = 0; i < t.stages; ++i) {
    double right = 1;
    for (int j = 0; j < i; ++j) right += z * t.a(i, j) * k[static_cast<std::size_t>(j)];
    const auto n = static_cast<std::size_t>(i);
    k[n] = right / (1 - z * t.a(i, i));
    sum += (t.b[n] - t.b_hat[n]) * k[n];
  }
  return z * sum;
}

// Some estimates (of third order for TR-BDF2) grow without bound with stiffness.
bool error_is_unbounded(const DirkTable& t) {
  return !t.b_hat.empty() && std::abs(error_of_mode(t, -1e8)) > 10;
}

}  // namespace

DirkStepper::DirkStepper(std::string_view name, const DirkTable& table, DirkStages stages)
    : name_(name),
      table_(table),
      solver_(std::move(stages.solver)),
      base_(stages.base),
      modes_(std::move(stages.modes)),
      paper_(stages.paper),
      filter_error_(error_is_unbounded(table)) {
  v_.resize(static_cast<std::size_t>(table.stages));
  a_.resize(static_cast<std::size_t>(table.stages));
}

void DirkStepper::set_stage(const State& state, double h, int i) {
  stage_.t = state.t + table_.c(i) * h;
  stage_.gamma_q = stage_.gamma_v = table_.a(i, i) * h;
  stage_.q_p = state.q;
  stage_.v_p = state.v;
  stage_.held = nullptr;
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
}

// The modes follow their flow from the step's start. As printed, ASCHER (26) has a plain
// trapezoidal stage, then u₁ = u½ + ⅓ (u½ − u₀) + ⅓ h φ₁(h/2 J_G) G(u½) in the modes, which grows.
bool DirkStepper::hold_modes(const StepContext& context, double h, int i, std::string& reason) {
  const State& start = context.start;
  if (!paper_) {
    modes_->hold(modes_->at(table_.c(i) * h), stage_, v_[i]);
    return true;
  }
  if (i < table_.stages - 1) return true;
  if (!modes_->begin(context, {start.t + h / 2, last_q_, v_[i - 1]}, h / 2, reason)) return false;
  const Matrix& Y = modes_->subspace().Y;
  const ModalState flow = modes_->at(h / 2);
  const Vector w = Y.transpose() * v_[i - 1], w0 = Y.transpose() * start.v;
  const Vector moved = Y.transpose() * (last_q_ - start.q);
  modes_->hold(
      {moved / 3 + 2. / 3 * flow.displacement, w + (w - w0) / 3 + 2. / 3 * (flow.velocity - w)},
      stage_, v_[i]);
  return true;
}

StageReport DirkStepper::solve_stage(const StepContext& context, const State& state, double h,
                                     int i) {
  set_stage(state, h, i);
  StageReport report;
  if (modes_ && modes_->active() && !hold_modes(context, h, i, report.reason)) {
    report.ok = false;
    return report;
  }
  report = solver_->solve(context, stage_, v_[i], last_q_);
  a_[i] = (v_[i] - stage_.v_p) / stage_.gamma_v;
  context.system.prescribe(state, stage_.t, {}, {}, view(a_[i]));
  return report;
}

void DirkStepper::finish(const StepContext& context, State& state, double h) {
  const int last = table_.stages - 1;
  const double t = state.t + h;
  if (table_.stiffly_accurate()) {
    q_ = last_q_;
    state.v = v_[last];
    state.a = a_[last];
    // What was held did not follow its force.
    state.a_known = !context.system.lags() && !stage_.held;
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
  state.taken = mean_ ? energy_taken(context.system, *mean_, state.q, q_) : std::nullopt;
  state.q.swap(q_);
  state.t = t;
  state.mean_force = std::move(mean_);
  state.end_force = std::move(end_);
}

// Σ b_i f_i: what the method takes for the mean of the forces, as of the accelerations.
void DirkStepper::add_to_mean(const State& start, int i) {
  if (!mean_) return;
  if (table_.a(i, i) == 0) return mean_->add(table_.b[i], *start.end_force);
  solver_->find_forces(v_[i], *end_);
  mean_->add(table_.b[i], *end_);
}

// e = h Σ (b − b̂)_i (v_i, a_i), where it is unbounded for stiff modes filtered by (I − γ h J)⁻¹
// with the matrix of the last stage: δq = A⁻¹ M (e_q + γh e_v), δv = (δq − e_q)/γh.
void DirkStepper::estimate_error(const System& system, double h) {
  error_->q.setZero(system.dofs());
  error_->v.setZero(system.dofs());
  for (std::size_t i = 0; i < v_.size(); ++i) {
    error_->q += h * (table_.b[i] - table_.b_hat[i]) * v_[i];
    error_->v += h * (table_.b[i] - table_.b_hat[i]) * a_[i];
  }
  clear_prescribed(mask_, error_->q);
  clear_prescribed(mask_, error_->v);
  if (!filter_error_) return;
  const double gamma = stage_.gamma_q;
  e_ = error_->q + gamma * error_->v;
  Me_.resize(e_.size());
  system.mass().multiply(view(e_), view(Me_));
  clear_prescribed(mask_, Me_);
  if (!solver_->solve_again(view(Me_), view(e_), {kFilterAccuracy})) return;
  error_->v = (e_ - error_->q) / gamma;
  error_->q = e_;
}

StepReport DirkStepper::step(const System& system, State& state, double h) {
  State& trial = trial_;
  trial = state;
  system.open_step(trial, h, data_, mask_);
  const StepContext context{system, trial, data_, mask_};
  StepReport report;
  std::string reason;
  if (modes_ && !modes_->begin(context, {trial.t, trial.q, trial.v}, h, reason))
    return report.fail(std::string(name_) + ": " + reason);
  mean_ = end_ = nullptr;
  if (system.asks_for_forces() && !modes_) {
    mean_ = forces_.take();
    mean_->set_zero(system);
    end_ = forces_.take();
  }
  for (int i = 0; i < table_.stages; ++i) {
    if (table_.a(i, i) == 0) {
      const bool goes_on = std::abs(trial.t - known_t_) <= 1e-9 * h;
      if (!force_.find_acceleration(context, trial, goes_on && solver_->hides_forces()))
        return report.fail("the forces at the start of the step are not finite");
      v_[i] = trial.v;
      a_[i] = trial.a;
      add_to_mean(trial, i);
      continue;
    }
    const StageReport stage = solve_stage(context, trial, h, i);
    report.add(stage);
    if (!stage.ok)
      return report.fail("stage " + std::to_string(i + 1) + " of " + std::string(name_) + ": " +
                         stage.reason);
    add_to_mean(trial, i);
  }
  if (error_ && error_order() > 0) estimate_error(system, h);
  finish(context, trial, h);
  if (!trial.q.allFinite() || !trial.v.allFinite()) return report.fail("the state is not finite");
  if (modes_) modes_->end_step(*solver_, stage_);
  known_t_ = trial.t;
  std::swap(state, trial);
  return report;
}

// [m, the stage solver's m…, the modes'…], without modes the stage solver's alone, after the time
// where that hides forces.
std::vector<double> DirkStepper::memory() const {
  std::vector<double> own = solver_->memory();
  if (solver_->hides_forces()) own.insert(own.begin(), known_t_);
  if (!modes_) return own;
  std::vector<double> out = {static_cast<double>(own.size())};
  out.insert(out.end(), own.begin(), own.end());
  const std::vector<double> modes = modes_->memory();
  out.insert(out.end(), modes.begin(), modes.end());
  return out;
}

void DirkStepper::restore(std::span<const double> memory) {
  if (!memory.empty() && solver_->hides_forces()) {
    known_t_ = memory[0];
    memory = memory.subspan(1);
  }
  if (!modes_) return solver_->restore(memory);
  if (memory.empty() || memory.size() < 1 + static_cast<std::size_t>(memory[0])) return;
  const auto own = static_cast<std::size_t>(memory[0]);
  solver_->restore(memory.subspan(1, own));
  modes_->restore(memory.subspan(1 + own));
}

}  // namespace pliant
