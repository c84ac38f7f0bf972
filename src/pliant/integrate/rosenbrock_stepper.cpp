#include <pliant/integrate/rosenbrock_stepper.hpp>

#include <pliant/solve/low_rank_columns.hpp>

namespace pliant {

RosenbrockStepper::RosenbrockStepper(const RosenbrockTable& table, const SolverOptions& options)
    : table_(table),
      tolerance_(0.1 * options.tolerance),
      solver_(options.linear, options.of_linear()) {
  p_.resize(static_cast<std::size_t>(table.stages));
  r_.resize(static_cast<std::size_t>(table.stages));
}

// K and D at the step's start, and A = M + a D + a² K.
bool RosenbrockStepper::factorize(const StepContext& context, double a, Projection projection) {
  const System& system = context.system;
  const State& start = context.start;
  if (solver_.prepare(system.pattern()))
    for (BlockMatrix* matrix : {&K_, &D_, &A_}) *matrix = BlockMatrix(system.pattern());
  const Configuration c{start.t, view(start.q), view(start.v), &context.data};
  K_.set_zero();
  D_.set_zero();
  system.add_tangent(c, {.stiffness = 1, .projection = projection}, K_);
  system.add_tangent(c, {.damping = 1, .projection = projection}, D_);
  system.mass().write_to(A_);
  A_.add_scaled(a, D_.values());
  A_.add_scaled(a * a, K_.values());
  // The solvers want it so. Products are with K and D as they are, so the error is of third order.
  if (!system.symmetric()) A_.symmetrize();
  A_.remove(context.mask);
  const bool dense = system.has_low_rank();
  if (dense) {
    system.low_rank(c, {.stiffness = 1, .projection = projection}, dense_K_);
    system.low_rank(c, {.damping = 1, .projection = projection}, dense_D_);
    system.low_rank(c, {.stiffness = a * a, .damping = a, .projection = projection}, update_);
    if (!system.symmetric()) symmetrize(update_);
    update_.remove(context.mask);
  }
  solver_->set_update(dense && !update_.empty() ? &update_ : nullptr);
  return solver_->factorize(A_) == SolveStatus::ok;
}

// All stages with one matrix.
bool RosenbrockStepper::solve_stages(const StepContext& context, double h, Projection projection,
                                     StepReport& report) {
  ++report.factorizations;
  report.projections += projection == Projection::psd;
  if (!factorize(context, table_.gamma() * h, projection)) return false;
  F_ = F0_;
  for (int i = 0; i < table_.stages; ++i) {
    ++report.newton, ++report.work;
    if (!solve_stage(context, h, i)) return false;
  }
  return true;
}

void RosenbrockStepper::find_arguments(const State& start, int i) {
  X_ = start.q;
  V_ = start.v;
  P_.setZero(start.q.size());
  Q_.setZero(start.q.size());
  for (int j = 0; j < i; ++j) {
    const auto k = static_cast<std::size_t>(j);
    X_ += table_.a(i, j) * p_[k];
    V_ += table_.a(i, j) * r_[k];
    P_ += table_.g(i, j) * p_[k];
    Q_ += table_.g(i, j) * r_[k];
  }
}

bool RosenbrockStepper::solve_stage(const StepContext& context, double h, int i) {
  const State& start = context.start;
  const double a = table_.gamma() * h;
  find_arguments(start, i);
  if (i > 0 && !table_.repeats_force(i))
    force_.evaluate(context, start.t + table_.alpha_sum(i) * h, X_, V_, F_);
  V_ += Q_;
  clear_prescribed(context.mask, V_);
  w_ = P_ + a * V_;
  K_.multiply(view(w_), view(Kw_));
  D_.multiply(view(Q_), view(DQ_));
  dense_K_.add_product(w_, Kw_);
  dense_D_.add_product(Q_, DQ_);
  rhs_ = h * (F_ - Kw_ - DQ_) + (table_.gamma_sum(i) * h * h) * F_t_;
  clear_prescribed(context.mask, rhs_);
  Vector& r = r_[static_cast<std::size_t>(i)];
  r.resize(rhs_.size());
  if (solver_->solve(view(rhs_), view(r), {tolerance_}) != SolveStatus::ok) return false;
  p_[static_cast<std::size_t>(i)] = h * V_ + a * r;
  return r.allFinite();
}

// y₁ = y + Σ b_i k_i, and the estimate Σ (b_i − b̂_i) k_i.
void RosenbrockStepper::finish(const StepContext& context, State& state, double h) {
  if (error_) {
    error_->q.setZero(state.q.size());
    error_->v.setZero(state.q.size());
  }
  for (std::size_t i = 0; i < p_.size(); ++i) {
    state.q += table_.b[i] * p_[i];
    state.v += table_.b[i] * r_[i];
    if (!error_) continue;
    error_->q += (table_.b[i] - table_.b_hat[i]) * p_[i];
    error_->v += (table_.b[i] - table_.b_hat[i]) * r_[i];
  }
  state.t += h;
  context.system.prescribe(state, state.t, view(state.q), view(state.v), {});
  state.a_known = false;
}

StepReport RosenbrockStepper::step(const System& system, State& state, double h) {
  trial_ = state;
  system.open_step(trial_, h, data_, mask_);
  const StepContext context{system, trial_, data_, mask_};
  StepReport report;
  const long before = solver_->iterations();
  for (Vector* x : {&Kw_, &DQ_}) x->resize(system.dofs());
  X_ = trial_.q;
  V_ = trial_.v;
  force_.evaluate(context, trial_.t, X_, V_, F0_);
  force_.time_derivative(context, {trial_.t, trial_.q, trial_.v}, h, F0_, F_t_);
  const bool good = solve_stages(context, h, Projection::none, report) ||
                    solve_stages(context, h, Projection::psd, report);
  report.linear = solver_->iterations() - before;
  if (!good) return report.fail(std::string(table_.name) + ": the linear solve failed");
  finish(context, trial_, h);
  if (!trial_.q.allFinite() || !trial_.v.allFinite()) return report.fail("the state is not finite");
  std::swap(state, trial_);
  return report;
}

}  // namespace pliant
