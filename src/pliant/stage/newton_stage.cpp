#include <pliant/stage/newton_stage.hpp>

#include <pliant/core/parallel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

void StageProblem::set(const StepContext& context, const Stage& stage) {
  context_ = &context;
  stage_ = &stage;
  has_merit_ = context.system.has_potential();
  const Eigen::Index n = context.system.dofs();
  for (Vector* x : {&q_, &f_, &w_, &Mw_}) x->resize(n);
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(n);
  context.system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
}

void StageProblem::position(std::span<const double> v, Vector& q) const {
  const DofMask& mask = context_->mask;
  q.resize(q_fixed_.size());
  parallel_for_each(mask.size(), 4096, [&](std::size_t i) {
    q[i] = mask[i] ? q_fixed_[i] : stage_->q_p[i] + stage_->gamma_q * v[i];
  });
}

void StageProblem::prescribe_velocity(Vector& v) const {
  for (std::size_t i = 0; i < context_->mask.size(); ++i)
    if (context_->mask[i]) v[i] = v_fixed_[i];
}

double StageProblem::evaluate(std::span<const double> v, std::span<double> r) {
  const System& system = context_->system;
  const DofMask& mask = context_->mask;
  const double gv = stage_->gamma_v;
  position(v, q_);
  const Configuration c{stage_->t, view(q_), v, &context_->data};
  const double U = system.force_and_potential(c, view(f_));
  // On prescribed coordinates the acceleration is known: it loads the free ones through M.
  for (std::size_t i = 0; i < mask.size(); ++i)
    w_[i] = mask[i] ? gv * a_fixed_[i] : v[i] - stage_->v_p[i];
  system.mass().multiply(view(w_), view(Mw_));
  for (std::size_t i = 0; i < mask.size(); ++i) r[i] = mask[i] ? 0 : Mw_[i] - gv * f_[i];
  if (!has_merit_) return 0;
  return 0.5 * w_.dot(Mw_) + gv / stage_->gamma_q * U + gv * system.dissipation(c);
}

// A = M + γv ∂²R/∂v² + γq γv K
void StageProblem::tangent(std::span<const double> v, bool project, BlockMatrix& A) {
  const System& system = context_->system;
  position(v, q_);
  const Configuration c{stage_->t, view(q_), v, &context_->data};
  system.mass().write_to(A);
  system.add_tangent(c,
                     {.stiffness = stage_->gamma_q * stage_->gamma_v,
                      .damping = stage_->gamma_v,
                      .projection = project ? Projection::psd : Projection::none},
                     A);
  if (!system.symmetric()) A.symmetrize();
  A.remove(context_->mask);
}

// ‖r‖ measured by the masses, a velocity, over the scale of velocities: no unit is left.
double StageProblem::residual_norm(std::span<const double> r) const {
  const NodeMatrix& M = context_->system.mass();
  double sum = 0;
  for (Index n = 0; n < context_->system.nodes(); ++n)
    sum += node(r, n).squaredNorm() / M.diagonal(n);
  return std::sqrt(sum);
}

// The largest change of a velocity over the largest velocity, or change of velocity in the stage,
// or the speed that would cross 1e-4 of the scene within the stage: what is slower counts as
// resting.
double StageProblem::relative_size(std::span<const double> v, std::span<const double> dv) const {
  double scale = 1e-4 * context_->system.size() / stage_->gamma_q, change = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    scale = std::max({scale, std::abs(v[i]), std::abs(v[i] - stage_->v_p[i])});
    change = std::max(change, std::abs(dv[i]));
  }
  return change / scale;
}

double StageProblem::max_step(std::span<const double> v, std::span<const double> dv) const {
  if (!context_->system.limits_steps()) return 1;
  Vector q;
  position(v, q);
  const Vector dq = stage_->gamma_q * as_vector(dv);
  return context_->system.max_step({stage_->t, view(q), v, &context_->data}, view(dq));
}

NewtonStage::NewtonStage(const SolverOptions& options)
    : options_{options.tolerance, options.max_iterations},
      solver_(make_linear_solver(options.linear, options.fast)) {}

NewtonReport NewtonStage::attempt(Vector& v) {
  problem_.prescribe_velocity(v);
  return solve_newton(problem_, *solver_, options_, workspace_, view(v));
}

StageReport NewtonStage::solve(const StepContext& context, const Stage& stage, Vector& v,
                               Vector& q) {
  if (workspace_.A.empty() || workspace_.A.shared_pattern() != context.system.pattern()) {
    workspace_.resize(context.system.pattern());
    solver_->analyze(context.system.pattern());
    solver_->restore(memory_);
    memory_.clear();
  }
  problem_.set(context, stage);
  NewtonReport newton = attempt(v);
  if (newton.status == NewtonStatus::not_finite) {
    // The guess turned something inside out: start again from where the bodies are.
    v = (context.start.q - stage.q_p) / stage.gamma_q;
    newton = attempt(v);
  }
  problem_.position(view(v), q);
  StageReport report;
  report.ok = newton.converged() && v.allFinite();
  if (!report.ok)
    report.reason = fmt::format("{} (last relative change {:.2g} after {} iterations)",
                                name_of(newton.status), newton.change, newton.iterations);
  report.newton = newton.iterations;
  report.factorizations = newton.factorizations;
  report.projections = newton.projections;
  report.linear = newton.linear;
  return report;
}

}  // namespace pliant
