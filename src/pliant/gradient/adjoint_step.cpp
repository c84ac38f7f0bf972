#include <pliant/gradient/adjoint_step.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

namespace pliant {

AdjointStep::AdjointStep(const System& system, const SolverOptions& options)
    : system_(system), equations_(system), lag_(system), solver_(make_stage_solver(options)) {}

void AdjointStep::find_stage(const StepPlan& plan, const Recorded& step, std::size_t i) {
  const PlannedStage& planned = plan.stages[i];
  StageValues& stage = stages_[i];
  stage.t = step.start.t + planned.c * step.h;
  stage.gamma = planned.gamma * step.h;
  stage.q_p = planned.alpha * step.start.q;
  stage.v_p = planned.alpha * step.start.v;
  if (planned.beta != 0) {
    stage.q_p += planned.beta * step.before->q;
    stage.v_p += planned.beta * step.before->v;
  }
  for (std::size_t j = 0; j < i; ++j) {
    const bool explicit_first = plan.stages[j].gamma == 0;
    stage.q_p += step.h * planned.a[j] * (explicit_first ? step.start.v : stages_[j].x);
    stage.v_p += step.h * planned.a[j] * stages_[j].a;
  }
  const bool is_end = plan.b.empty() && i + 1 == plan.stages.size();
  if (is_end) {
    stage.x = step.end.v;
  } else if (stage.gamma == 0) {
    equations_.place(stage.point(), Vector());
    equations_.linearize(stage.point());
    // M a = f: the equation at a = 0 has −f for its residual.
    stage.x.setZero(system_.dofs());
    Vector f(system_.dofs()), a_fixed = Vector::Zero(system_.dofs());
    system_.force(equations_.configuration(stage.t), view(f));
    system_.prescribe(equations_.start(), stage.t, {}, {}, view(a_fixed));
    Mw_.resize(system_.dofs());
    for (std::size_t k = 0; k < equations_.mask().size(); ++k)
      if (equations_.mask()[k] != kPrescribed) a_fixed[static_cast<Eigen::Index>(k)] = 0;
    system_.mass().multiply(view(a_fixed), view(Mw_));
    f -= Mw_;
    equations_.clear_fixed(f);
    if (!equations_.solve_transposed(stage.point(), f, stage.x))
      throw CannotContinue("the masses do not determine the acceleration");
    stage.x += a_fixed;
    system_.follow(view(stage.x));
    stage.a = stage.x;
    return;
  } else {
    Stage wanted{.t = stage.t,
                 .gamma_q = stage.gamma,
                 .gamma_v = stage.gamma,
                 .q_p = stage.q_p,
                 .v_p = stage.v_p};
    wanted.q_base = &step.start.q;
    wanted.v_base = &step.start.v;
    const bool first = i == 0 || plan.stages[i - 1].gamma == 0;
    stage.x = first ? step.start.v : stages_[i - 1].x;
    Vector q;
    const StepContext context{system_, equations_.start(), equations_.data(), equations_.mask()};
    const StageReport report = solver_->solve(context, wanted, stage.x, q);
    if (!report.ok)
      throw CannotContinue(
          fmt::format("stage {} of the step at {:.6g} s could not be found again: {}", i + 1,
                      step.start.t, report.reason));
  }
  stage.a = (stage.x - stage.v_p) / stage.gamma;
  system_.prescribe(equations_.start(), stage.t, {}, {}, view(stage.a));
}

void AdjointStep::find_stages(const StepPlan& plan, const Recorded& step) {
  equations_.begin(step.start, step.h);
  stages_.resize(plan.stages.size());
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    find_stage(plan, step, i);
    stages_[i].v_bar.setZero(system_.dofs());
    stages_[i].a_bar.setZero(system_.dofs());
  }
}

// What the state at the end is made of.
void AdjointStep::leave_end(const StepPlan& plan, const Recorded& step, Gradients& gradients) {
  StateGradient& end = gradients.end;
  equations_.clear_fixed(end.q);
  equations_.clear_fixed(end.v);
  q_bar_.setZero(end.q.size());  // of the last stage's place
  if (plan.b.empty()) {
    stages_.back().v_bar += end.v;
    q_bar_ = end.q;
    return;
  }
  gradients.start.q += end.q;
  gradients.start.v += end.v;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    stages_[i].v_bar += step.h * plan.b[i] * end.q;
    stages_[i].a_bar += step.h * plan.b[i] * end.v;
  }
}

void AdjointStep::leave_stage(const StepPlan& plan, const Recorded& step, std::size_t i,
                              Gradients& gradients, const OnEquation& on_equation) {
  const PlannedStage& planned = plan.stages[i];
  StageValues& stage = stages_[i];
  const bool at_start = stage.gamma == 0;
  equations_.place(stage.point(), stage.x);
  equations_.linearize(stage.point());
  v_bar_.setZero(system_.dofs());  // of v_p
  if (at_start) {                  // x = a, M a − f(q_n, v_n) = 0
    gradients.start.v += stage.v_bar;
    stage.v_bar = stage.a_bar;
  } else {  // a = (v − v_p)/γ, q = q_p + γ v
    stage.v_bar += stage.a_bar / stage.gamma + stage.gamma * q_bar_;
    v_bar_ -= stage.a_bar / stage.gamma;
  }
  equations_.clear_fixed(stage.v_bar);
  if (!equations_.solve_transposed(stage.point(), stage.v_bar, w_))
    throw CannotContinue(
        fmt::format("the matrix of a stage at {:.6g} s is singular: the motion branches there, and "
                    "has no gradient",
                    stage.t));
  const double scale = at_start ? 1 : stage.gamma;
  equations_.add_stiffness_transposed(-scale, w_, q_bar_);
  Mw_.resize(w_.size());
  if (at_start) {
    equations_.add_damping_transposed(-1, w_, v_bar_);
  } else {
    system_.mass().multiply(view(w_), view(Mw_));
    v_bar_ += Mw_;
  }
  lagged_.setZero(w_.size());
  lag_.add(equations_, stage.t, scale, w_, lagged_);
  equations_.clear_fixed(lagged_);
  gradients.start.q += lagged_;
  on_equation(stage.point(), stage.x, w_);
  equations_.clear_fixed(q_bar_);
  equations_.clear_fixed(v_bar_);
  gradients.start.q += planned.alpha * q_bar_;
  gradients.start.v += planned.alpha * v_bar_;
  if (planned.beta != 0) {
    gradients.before->q += planned.beta * q_bar_;
    gradients.before->v += planned.beta * v_bar_;
  }
  for (std::size_t j = 0; j < i; ++j) {
    stages_[j].v_bar += step.h * planned.a[j] * q_bar_;
    stages_[j].a_bar += step.h * planned.a[j] * v_bar_;
  }
  q_bar_.setZero();
}

void AdjointStep::go_back(const StepPlan& plan, const Recorded& step, Gradients gradients,
                          const OnEquation& on_equation) {
  find_stages(plan, step);
  leave_end(plan, step, gradients);
  for (std::size_t i = plan.stages.size(); i-- > 0;)
    leave_stage(plan, step, i, gradients, on_equation);
}

}  // namespace pliant
