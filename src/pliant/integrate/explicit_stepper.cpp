#include <pliant/integrate/explicit_stepper.hpp>

namespace pliant {

std::string_view ExplicitStepper::name() const {
  switch (method_) {
    case Method::symplectic_euler:
      return "symplectic-euler";
    case Method::verlet:
      return "verlet";
    case Method::rk4:
      return "rk4";
  }
  return "";
}

bool ExplicitStepper::acceleration(const StepContext& context, double t, const Vector& q,
                                   const Vector& v, Vector& a) {
  f_.resize(q.size());
  a.resize(q.size());
  context.system.force({t, view(q), view(v), &context.data}, view(f_));
  context.system.prescribe(context.start, t, {}, {}, view(a));
  const bool solved = mass_solve_.solve(context.system.mass(), context.mask, view(f_), view(a));
  context.system.follow(view(a));
  return solved;
}

// v₁ = v + h a(t, q, v),  q₁ = q + h v₁
bool ExplicitStepper::symplectic_euler(const StepContext& context, State& state, double h) {
  if (!acceleration(context, state.t, state.q, state.v, a_[0])) return false;
  state.v += h * a_[0];
  state.q += h * state.v;
  state.a_known = false;
  return true;
}

// v½ = v + h/2 a,  q₁ = q + h v½,  v₁ = v½ + h/2 a₁ with a₁ = a(t₁, q₁, v₁); where forces depend on
// velocity, v₁ enters its own equation and is found by fixed-point iteration, which keeps order
// two.
bool ExplicitStepper::verlet(const StepContext& context, State& state, double h) {
  if (!state.a_known && !acceleration(context, state.t, state.q, state.v, state.a)) return false;
  v_ = state.v + 0.5 * h * state.a;
  state.q += h * v_;
  state.v += h * state.a;
  context.system.prescribe(state, state.t + h, view(state.q), view(state.v), {});
  for (int k = 0; k < 3; ++k) {
    if (!acceleration(context, state.t + h, state.q, state.v, state.a)) return false;
    q_ = v_ + 0.5 * h * state.a;
    const double change = (q_ - state.v).norm();
    state.v.swap(q_);
    if (change <= 1e-14 * state.v.norm()) break;
  }
  state.a_known = !context.system.lags();
  return true;
}

bool ExplicitStepper::rk4(const StepContext& context, State& state, double h) {
  constexpr double c[4] = {0, 0.5, 0.5, 1};
  for (int i = 0; i < 4; ++i) {
    q_ = state.q;
    v_ = state.v;
    if (i > 0) {
      q_ += c[i] * h * v_stage_[i - 1];
      v_ += c[i] * h * a_[i - 1];
    }
    context.system.prescribe(state, state.t + c[i] * h, view(q_), view(v_), {});
    v_stage_[i] = v_;
    if (!acceleration(context, state.t + c[i] * h, q_, v_, a_[i])) return false;
  }
  state.q += h / 6 * (v_stage_[0] + 2 * v_stage_[1] + 2 * v_stage_[2] + v_stage_[3]);
  state.v += h / 6 * (a_[0] + 2 * a_[1] + 2 * a_[2] + a_[3]);
  state.a_known = false;
  return true;
}

StepReport ExplicitStepper::step(const System& system, State& state, double h) {
  State& trial = trial_;
  trial = state;
  system.open_step(trial, h, data_, mask_);
  start_ = trial;
  const StepContext context{system, start_, data_, mask_};
  bool ok = false;
  switch (method_) {
    case Method::symplectic_euler:
      ok = symplectic_euler(context, trial, h);
      break;
    case Method::verlet:
      ok = verlet(context, trial, h);
      break;
    case Method::rk4:
      ok = rk4(context, trial, h);
      break;
  }
  trial.t = state.t + h;
  system.prescribe(trial, trial.t, view(trial.q), view(trial.v), {});
  StepReport report;
  report.ok = ok && trial.q.allFinite() && trial.v.allFinite();
  if (report.ok)
    std::swap(state, trial);
  else
    report.reason = std::string(name()) + " is unstable at this step: the state is not finite";
  return report;
}

}  // namespace pliant
