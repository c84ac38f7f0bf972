#include <pliant/stage/linear_stage.hpp>

#include <pliant/solve/low_rank_columns.hpp>

#include <algorithm>

namespace pliant {

LinearStage::LinearStage(const SolverOptions& options)
    : tolerance_(0.1 * options.tolerance),
      geometric_(options.geometric),
      kkt_name_(options.minres > 0 ? "minres" : options.kkt),
      minres_(options.minres),
      solver_(options.linear, options.of_linear()) {}

// K_b and D_b, for their products with what is known of the motion, and A = M + γv D_b + γq γv K_b.
void LinearStage::assemble(const StepContext& context, const Stage& stage, Projection projection) {
  const System& system = context.system;
  const Configuration base{stage.t, view(*stage.q_base), view(*stage.v_base), &context.data};
  K_.set_zero();
  D_.set_zero();
  system.add_tangent(base, {.stiffness = 1, .projection = projection}, K_);
  system.add_tangent(base, {.damping = 1, .projection = projection}, D_);
  system.mass().write_to(A_);
  A_.add_scaled(stage.gamma_v, D_.values());
  A_.add_scaled(stage.gamma_q * stage.gamma_v, K_.values());
  if (!system.symmetric()) A_.symmetrize();
  dense_ = system.has_low_rank();
  if (!dense_) return;
  system.low_rank(base, {.stiffness = 1, .projection = projection}, dense_K_);
  system.low_rank(base, {.damping = 1, .projection = projection}, dense_D_);
  system.low_rank(base,
                  {.stiffness = stage.gamma_q * stage.gamma_v,
                   .damping = stage.gamma_v,
                   .projection = projection},
                  update_);
  if (!system.symmetric()) symmetrize(update_);
  update_.remove(context.mask);
}

// The equation at v = v_b on free coordinates, prescribed ones in place: w = v − v_p,
// d = q_p + γq v − q_b, u = v − v_b. What is held has its velocity from the guess.
void LinearStage::set_start(const StepContext& context, const Stage& stage, Vector& v) {
  const System& system = context.system;
  const Vector &q_b = *stage.q_base, &v_b = *stage.v_base;
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(system.dofs());
  system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
  system.force({stage.t, view(q_b), view(v_b), &context.data}, view(f_));
  if (stage.held) {
    u_ = v - v_b;
    v = v_b;
    v.noalias() += stage.held->X * (stage.held->Y.transpose() * u_);
  } else {
    v = v_b;
  }
  for (Eigen::Index i = 0; i < system.dofs(); ++i) {
    const bool fixed = context.mask[i];
    if (fixed) v[i] = v_fixed_[i];
    w_[i] = fixed ? stage.gamma_v * a_fixed_[i] : v[i] - stage.v_p[i];
    d_[i] = fixed ? q_fixed_[i] - q_b[i] : stage.q_p[i] + stage.gamma_q * v[i] - q_b[i];
  }
  u_ = v - v_b;
  system.mass().multiply(view(w_), view(Mw_));
}

void LinearStage::set_residual(const StepContext& context, const Stage& stage, const Vector& v) {
  K_.multiply(view(d_), view(Kd_));
  Du_.setZero(v.size());
  if (!u_.isZero(0)) D_.multiply(view(u_), view(Du_));
  if (dense_) {
    dense_K_.add_product(d_, Kd_);
    dense_D_.add_product(u_, Du_);
  }
  for (Eigen::Index i = 0; i < v.size(); ++i)
    r_[i] = context.mask[i] ? 0 : stage.gamma_v * (f_[i] - Kd_[i] - Du_[i]) - Mw_[i];
  A_.remove(context.mask);
}

// A δv − Jᵀ μ = r and J δv + C/(γq γv) μ = −(φ_b + J d)/γq, with d = q_p + γq v − q_b at the start;
// of rows about rates J δv + C/γv μ = −(φ + J v).
SolveStatus LinearStage::solve_with_constraints(const StepContext& context, const Stage& stage) {
  const ConstraintSet& constraints = context.system.constraints();
  const double gq = stage.gamma_q, gv = stage.gamma_v;
  if (!kkt_) kkt_ = make_kkt_solver(kkt_name_, minres_);
  if (lambda_.size() == 0) lambda_.setZero(constraints.rows());
  constraints.value(stage.t, view(*stage.q_base), g_);
  constraints.jacobian(view(*stage.q_base), J_);
  constraints.geometric_stiffness(view(*stage.q_base), lambda_, gq * gv, geometric_, blocks_);
  for (const NodeBlock& block : blocks_)
    node(view(r_), block.row) -= block.block * Vec3(node(view(d_), block.column)) / gq;
  for (const JacobianEntry& entry : J_)
    if (!constraints.is_about_rate(entry.row))
      g_[entry.row] += entry.gradient.dot(node(view(d_), entry.node));
  end_ = *stage.v_base + u_;
  constraints.make_rates(J_, view(end_), gq, g_);
  C_ = stage_compliance(constraints, stage);
  rows_.set(constraints, lambda_, g_);
  return solve_rows(context, stage);
}

// Multipliers that have bounds: again with other rows at theirs, until all are within them.
SolveStatus LinearStage::solve_rows(const StepContext& context, const Stage& stage) {
  constexpr int most_rounds = 60;
  const ConstraintSet& constraints = context.system.constraints();
  const double smallest = 1e-4 * context.system.size() / stage.gamma_q;
  for (int round = 0; round < most_rounds; ++round) {
    KktMatrix& matrix = assembly_.matrix();
    if (rows_.any()) {
      free_J_ = J_;
      rows_.leave_out(free_J_);
    }
    matrix.C = C_;
    rows_.stand_alone(matrix.C);
    mu_.setZero(constraints.rows());
    rows_.hold(stage.gamma_v, mu_);
    right_ = -g_;
    rows_.leave_out(right_);
    matrix.unit = std::max(right_.lpNorm<Eigen::Infinity>(), smallest);
    assembly_.fill(A_, blocks_, rows_.any() ? free_J_ : J_, context.mask);
    if (const SolveStatus status = kkt_->factorize(matrix); status != SolveStatus::ok)
      return status;
    end_ = r_;
    add_constraint_force(J_, mu_, view(end_));
    assembly_.gather(end_, b_);
    const KktReport solved = kkt_->solve(b_, right_, x_, y_);
    if (solved.status != SolveStatus::ok) return solved.status;
    assembly_.scatter(x_, dv_);
    mu_ -= y_;
    lambda_ = mu_ / stage.gamma_v;
    if (!rows_.any()) return SolveStatus::ok;
    end_ = g_ + C_.cwiseProduct(mu_);
    for (const JacobianEntry& entry : J_)
      end_[entry.row] += entry.gradient.dot(node(view(dv_), entry.node));
    if (rows_.settle(end_, lambda_, 1e-6 * smallest)) return SolveStatus::ok;
  }
  return SolveStatus::not_converged;
}

SolveStatus LinearStage::solve_for_change(const StepContext& context, const Stage& stage) {
  if (!context.system.constraints().empty()) return solve_with_constraints(context, stage);
  if (stage.held) {
    stage.held->remove_from_force(view(r_));
    stage.held->make_update(A_, dense_ ? update_.Y.cols() : 0, update_);
  }
  solver_->set_update(stage.held || (dense_ && !update_.empty()) ? &update_ : nullptr);
  SolveStatus status = solver_->factorize(A_);
  has_factors_ = status == SolveStatus::ok;
  if (status == SolveStatus::ok) status = solver_->solve(view(r_), view(dv_), {tolerance_});
  if (stage.held) stage.held->remove_from_motion(view(dv_));
  return status;
}

StageReport LinearStage::solve(const StepContext& context, const Stage& stage, Vector& v,
                               Vector& q) {
  const System& system = context.system;
  if (solver_.prepare(system.pattern())) {
    for (BlockMatrix* matrix : {&K_, &D_, &A_}) *matrix = BlockMatrix(system.pattern());
    for (Vector* x : {&f_, &w_, &Mw_, &d_, &u_, &Kd_, &Du_, &r_, &dv_}) x->setZero(system.dofs());
  }
  solver_->set_nodes(view(*stage.q_base));
  const long linear_before = solver_->iterations();
  set_start(context, stage, v);
  StageReport report;
  report.newton = 1;
  SolveStatus status = SolveStatus::ok;
  const auto attempt = [&](Projection projection) {
    assemble(context, stage, projection);
    report.projections += projection == Projection::psd;
    ++report.factorizations;
    set_residual(context, stage, v);
    return solve_for_change(context, stage);
  };
  // Before the first step no multipliers are known, and so not what their tension holds: they are
  // found by a solve of their own.
  if (!system.constraints().empty() && lambda_.size() == 0) {
    if (restored_.size() == static_cast<std::size_t>(system.constraints().rows()))
      lambda_ = as_vector(std::span<const double>(restored_));
    else
      status = attempt(Projection::none);
  }
  for (const Projection projection : {Projection::none, Projection::psd}) {
    status = attempt(projection);
    if (status == SolveStatus::ok) break;
  }
  q.resize(system.dofs());
  for (Eigen::Index i = 0; i < system.dofs(); ++i) {
    if (!context.mask[i]) v[i] += dv_[i];
    q[i] = context.mask[i] ? q_fixed_[i] : stage.q_p[i] + stage.gamma_q * v[i];
  }
  system.rigid_path().bend(view(context.start.q), view(q));
  system.follow(view(v));
  system.follow(view(q));
  context_ = &context;
  t_ = stage.t;
  q_ = q;
  report.linear = solver_->iterations() - linear_before;
  report.ok = status == SolveStatus::ok && v.allFinite();
  if (!report.ok) report.reason = "the linear solve ended with: " + std::string(name_of(status));
  return report;
}

// What is linearised about the base is taken where it led to.
void LinearStage::find_forces(const Vector& v, ActingForces& out) {
  const System& system = context_->system;
  find_taking_forces(system, {.t = t_, .q = view(q_), .v = view(v), .step = &context_->data}, out);
  const ConstraintSet& constraints = system.constraints();
  if (!constraints.take_energy()) return;
  constraints.value(t_, view(q_), g_);
  constraints.jacobian(view(q_), J_);
  add_constraint_force(J_, constraints.taking_part(g_, lambda_), view(out.damping));
}

std::vector<double> LinearStage::memory() const {
  if (lambda_.size() > 0) return {lambda_.begin(), lambda_.end()};
  return solver_.memory();
}

void LinearStage::restore(std::span<const double> memory) {
  restored_.assign(memory.begin(), memory.end());
  solver_.restore(memory);
}

bool LinearStage::solve_again(std::span<const double> b, std::span<double> x,
                              SolveAccuracy accuracy) {
  return has_factors_ && solver_->solve(b, x, accuracy) == SolveStatus::ok;
}

}  // namespace pliant
