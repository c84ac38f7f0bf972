#include <pliant/stage/linear_stage.hpp>

namespace pliant {

LinearStage::LinearStage(const SolverOptions& options)
    : tolerance_(0.1 * options.tolerance),
      solver_(make_linear_solver(options.linear, options.fast)) {}

// K_b alone, for its product with the displacement, and A = M + γv D_b + γq γv K_b.
void LinearStage::assemble(const StepContext& context, const Stage& stage, Projection projection) {
  const System& system = context.system;
  const Configuration base{stage.t, view(*stage.q_base), view(*stage.v_base), &context.data};
  K_.set_zero();
  system.add_tangent(base, {.stiffness = 1, .projection = projection}, K_);
  system.mass().write_to(A_);
  A_.add_scaled(stage.gamma_q * stage.gamma_v, K_.values());
  system.add_tangent(base, {.damping = stage.gamma_v, .projection = projection}, A_);
  if (!system.symmetric()) A_.symmetrize();
}

// Kd += D_b u with u = v − v_b, which on free coordinates is zero and on pins that change their
// speed is not. D_b is what A holds beside M and K_b.
void LinearStage::add_damping_of_pins(const StepContext& context, const Stage& stage,
                                      const Vector& v) {
  dv_ = v - *stage.v_base;
  if (dv_.isZero(0)) return;
  A_.multiply(view(dv_), view(r_));
  Kd_ += r_ / stage.gamma_v;
  K_.multiply(view(dv_), view(r_));
  Kd_ -= stage.gamma_q * r_;
  context.system.mass().multiply(view(dv_), view(r_));
  Kd_ -= r_ / stage.gamma_v;
}

bool LinearStage::solve_for_change(SolveStatus& status) {
  status = solver_->factorize(A_);
  if (status == SolveStatus::ok) status = solver_->solve(view(r_), view(dv_), {tolerance_});
  return status == SolveStatus::ok;
}

StageReport LinearStage::solve(const StepContext& context, const Stage& stage, Vector& v,
                               Vector& q) {
  const System& system = context.system;
  const DofMask& mask = context.mask;
  if (K_.empty() || K_.shared_pattern() != system.pattern()) {
    K_ = BlockMatrix(system.pattern());
    A_ = BlockMatrix(system.pattern());
    for (Vector* x : {&f_, &w_, &Mw_, &d_, &Kd_, &r_, &dv_}) x->setZero(system.dofs());
    solver_->analyze(system.pattern());
    solver_->restore(memory_);
    memory_.clear();
  }
  const long linear_before = solver_->iterations();
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(system.dofs());
  system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
  const Vector &q_b = *stage.q_base, &v_b = *stage.v_base;
  const Configuration base{stage.t, view(q_b), view(v_b), &context.data};
  system.force(base, view(f_));

  // The equation at v = v_b on free coordinates (there D_b (v − v_b) = 0), prescribed ones in
  // place.
  for (Eigen::Index i = 0; i < system.dofs(); ++i) {
    const bool fixed = mask[i];
    w_[i] = fixed ? stage.gamma_v * a_fixed_[i] : v_b[i] - stage.v_p[i];
    d_[i] = fixed ? q_fixed_[i] - q_b[i] : stage.q_p[i] + stage.gamma_q * v_b[i] - q_b[i];
    v[i] = fixed ? v_fixed_[i] : v_b[i];
  }
  system.mass().multiply(view(w_), view(Mw_));

  StageReport report;
  report.newton = 1;
  SolveStatus status = SolveStatus::ok;
  for (const Projection projection : {Projection::none, Projection::psd}) {
    assemble(context, stage, projection);
    report.projections += projection == Projection::psd;
    ++report.factorizations;
    K_.multiply(view(d_), view(Kd_));
    add_damping_of_pins(context, stage, v);
    for (Eigen::Index i = 0; i < system.dofs(); ++i)
      r_[i] = mask[i] ? 0 : -(Mw_[i] - stage.gamma_v * (f_[i] - Kd_[i]));
    A_.remove(mask);
    if (solve_for_change(status)) break;
  }
  for (Eigen::Index i = 0; i < system.dofs(); ++i)
    if (!mask[i]) v[i] += dv_[i];
  q.resize(system.dofs());
  for (Eigen::Index i = 0; i < system.dofs(); ++i)
    q[i] = mask[i] ? q_fixed_[i] : stage.q_p[i] + stage.gamma_q * v[i];
  report.linear = solver_->iterations() - linear_before;
  report.ok = status == SolveStatus::ok && v.allFinite();
  if (!report.ok) report.reason = "the linear solve ended with: " + std::string(name_of(status));
  return report;
}

}  // namespace pliant
