#include <pliant/integrate/free_force.hpp>

namespace pliant {

void clear_prescribed(const DofMask& mask, Vector& x) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) x[static_cast<Eigen::Index>(i)] = 0;
}

void FreeForce::evaluate(const StepContext& context, double t, Vector& q, Vector& v, Vector& F) {
  const System& system = context.system;
  F.resize(system.dofs());
  Ma_.resize(system.dofs());
  a_.setZero(system.dofs());
  system.prescribe(context.start, t, view(q), view(v), view(a_));
  system.force({t, view(q), view(v), &context.data}, view(F));
  if (!a_.isZero(0)) {
    system.mass().multiply(view(a_), view(Ma_));
    F -= Ma_;
  }
  clear_prescribed(context.mask, F);
}

// F_t = (4 F(t + δ) − F(t + 2δ) − 3 F(t))/2δ + O(δ²), inside the step, since a load or a motion may
// have a kink where the step begins. With δ = h/1000 the error is far below the method's own, and
// rounding in F is amplified to no more than what a step of h/1000 would make of it.
void FreeForce::time_derivative(const StepContext& context, const MotionPoint& point, double h,
                                const Vector& F0, Vector& F_t) {
  F_t.setZero(context.system.dofs());
  if (!context.system.depends_on_time(context.start)) return;
  const double delta = 1e-3 * h;
  q_ = point.q;
  v_ = point.v;
  evaluate(context, point.t + delta, q_, v_, F1_);
  evaluate(context, point.t + 2 * delta, q_, v_, F2_);
  F_t = (4 * F1_ - F2_ - 3 * F0) / (2 * delta);
}

bool FreeForce::divide_by_mass(const StepContext& context, const Vector& b, Vector& x) {
  x.setZero(context.system.dofs());
  const bool solved = mass_solve_.solve(context.system.mass(), context.mask, view(b), view(x));
  context.system.follow(view(x));
  return solved;
}

// `all` is null where the acceleration was known, but not what it was from.
void FreeForce::find_start_forces(const StepContext& context, State& state, const Vector* all) {
  const System& system = context.system;
  if (!system.asks_for_forces()) return;
  auto forces = forces_.take();
  find_taking_forces(system, {state.t, view(state.q), view(state.v), &context.data}, *forces);
  if (all && system.pins_work()) forces->all = *all;
  state.end_force = std::move(forces);
}

bool FreeForce::find_acceleration(const StepContext& context, State& state, bool keep) {
  if (state.a_known || keep) {
    if (keep) context.system.prescribe(state, state.t, {}, {}, view(state.a));
    if (!state.end_force) find_start_forces(context, state, nullptr);
    return true;
  }
  F1_.resize(context.system.dofs());
  context.system.force({state.t, view(state.q), view(state.v), &context.data}, view(F1_));
  context.system.prescribe(state, state.t, {}, {}, view(state.a));
  if (context.system.constraints().empty())
    state.a_known =
        mass_solve_.solve(context.system.mass(), context.mask, view(F1_), view(state.a));
  else
    state.a_known = constrained_.find(context.system, context.mask,
                                      {state.t, view(state.q), view(state.v), &context.data},
                                      view(F1_), view(state.a));
  context.system.follow(view(state.a));
  find_start_forces(context, state,
                    context.system.constraints().empty() ? &F1_ : &constrained_.force());
  return state.a_known;
}

}  // namespace pliant
