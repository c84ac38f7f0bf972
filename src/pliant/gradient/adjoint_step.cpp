#include <pliant/gradient/adjoint_step.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

using Kind = PlannedStage::Kind;

// Friction that found its normal forces leaves a stage solved about as well as Newton's method
// does.
constexpr double kSolved = 1e-6;
constexpr int kMostRounds = 5;

}  // namespace

AdjointStep::AdjointStep(const System& system, const SolverOptions& options)
    : system_(system), equations_(system), lag_(system), solver_(make_stage_solver(options)) {}

void AdjointStep::find_start(StageValues& stage) {
  State trial = equations_.start();
  const StepContext context{system_, trial, equations_.data(), equations_.mask()};
  if (!force_.find_acceleration(context, trial))
    throw CannotContinue("the masses and constraints do not determine the acceleration");
  stage.v = trial.v;
  stage.a = trial.a;
}

// The shape of rigid bodies is kept by a potential so stiff that the strain which bears their
// forces is found to a few digits only where all else is found to nine; matrices depend on it.
void AdjointStep::polish(StageValues& stage) {
  if (system_.rigid_path().empty() || !system_.constraints().empty()) return;
  double last = 1;
  for (int round = 0; round < kMostRounds; ++round) {
    Vector better = stage.v;
    const auto change = equations_.correct(stage.point(), better);
    if (!change || !(*change < last)) return;
    stage.v = better;
    last = *change;
  }
}

// Stages between the ends of a step are not recorded, nor are multipliers.
void AdjointStep::solve_again(const StepPlan& plan, const Recorded& step, std::size_t i) {
  StageValues& stage = stages_[i];
  const bool is_end = plan.weights.empty() && i + 1 == plan.stages.size();
  const bool first = i == 0 || plan.stages[i - 1].kind != Kind::solved;
  stage.v = is_end ? step.end.v : first ? step.start.v : stages_[i - 1].v;
  stage.lambda.resize(0);
  stage.held.clear();
  if (is_end && system_.constraints().empty()) return polish(stage);
  Stage wanted{.t = stage.t,
               .gamma_q = stage.gamma_q,
               .gamma_v = stage.gamma_v,
               .q_p = stage.q_p,
               .v_p = stage.v_p};
  wanted.q_base = &step.start.q;
  wanted.v_base = &step.start.v;
  Vector q;
  const StepContext context{system_, equations_.start(), equations_.data(), equations_.mask()};
  const StageReport report = solver_->solve(context, wanted, stage.v, q);
  if (!report.ok)
    throw CannotContinue(
        fmt::format("stage {} of the step at {:.6g} s could not be found again: {}", i + 1,
                    step.start.t, report.reason));
  stage.lambda = as_vector(solver_->multipliers());
  equations_.find_held(stage.lambda, stage.held);
  polish(stage);
}

void AdjointStep::find_stage(const StepPlan& plan, const Recorded& step, std::size_t i) {
  const PlannedStage& planned = plan.stages[i];
  StageValues& stage = stages_[i];
  stage.t = step.start.t + planned.c * step.h;
  stage.gamma_q = planned.gamma_q * step.h;
  stage.gamma_v = planned.gamma_v * step.h;
  stage.q_p = planned.alpha * step.start.q;
  stage.v_p = planned.alpha * step.start.v;
  if (planned.kind == Kind::start) return find_start(stage);
  if (planned.kind == Kind::carried) {
    stage.a = step.carried ? *step.carried : stages_[0].a;
    stage.v.setZero(system_.dofs());
    return;
  }
  if (planned.beta != 0) {
    stage.q_p += planned.beta * step.before->q;
    stage.v_p += planned.beta * step.before->v;
  }
  for (std::size_t j = 0; j < i; ++j) {
    stage.q_p += step.h * planned.a[j] * stages_[j].v;
    stage.v_p += step.h * planned.b[j] * stages_[j].a;
    if (!planned.d.empty()) stage.q_p += step.h * step.h * planned.d[j] * stages_[j].a;
  }
  solve_again(plan, step, i);
  stage.a = (stage.v - stage.v_p) / stage.gamma_v;
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

Vector AdjointStep::carry(const StepPlan& plan, const Recorded& step) {
  equations_.begin(step.start, step.h);
  stages_.resize(plan.stages.size());
  for (const std::size_t i : {0, 1}) find_stage(plan, step, i);
  const double gamma = plan.carry_gamma;
  return (step.end.v - step.start.v) / (gamma * step.h) - (1 - gamma) / gamma * stages_[1].a;
}

// What the state at the end is made of.
void AdjointStep::leave_end(const StepPlan& plan, const Recorded& step, Gradients& gradients) {
  StateGradient& end = gradients.end;
  for (Vector* x : {&end.q, &end.v, &end.a, &end.carried})
    if (x->size() > 0) equations_.clear_fixed(*x);
  q_bar_.setZero(end.q.size());  // of the last stage's place
  if (plan.weights.empty()) {
    stages_.back().v_bar += end.v;
    if (end.a.size() > 0) stages_.back().a_bar += end.a;
    q_bar_ = end.q;
    if (end.carried.size() == 0) return;
    const double gamma = plan.carry_gamma;
    stages_.back().v_bar += end.carried / (gamma * step.h);
    gradients.start.v -= end.carried / (gamma * step.h);
    stages_[1].a_bar -= (1 - gamma) / gamma * end.carried;
    return;
  }
  gradients.start.q += end.q;
  gradients.start.v += end.v;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    stages_[i].v_bar += step.h * plan.weights[i] * end.q;
    stages_[i].a_bar += step.h * plan.weights[i] * end.v;
  }
}

// From what is felt of the solution, v̄ or at the start ā, to q̄_p and v̄_p.
void AdjointStep::leave_equation(StageValues& stage, Gradients& gradients,
                                 const OnEquation& on_equation) {
  const bool at_start = stage.gamma_v == 0;
  equations_.place(stage.point(), stage.solution());
  Vector& felt = at_start ? stage.a_bar : stage.v_bar;
  equations_.clear_fixed(felt);
  const bool good = equations_.linearize(stage.point(), stage.solution());
  if (at_start) {
    stage.lambda = equations_.start_multipliers();
    equations_.find_held(stage.lambda, stage.held);
  }
  if (!good || !equations_.solve_transposed(stage.point(), felt, weights_))
    throw CannotContinue(
        fmt::format("the matrix of a stage at {:.6g} s is singular: the motion branches there, and "
                    "has no gradient",
                    stage.t));
  if (equations_.renews_friction() && system_.constraints().empty())
    if (const double missed = equations_.relative_residual(stage.point(), stage.solution());
        missed > kSolved)
      throw CannotContinue(fmt::format(
          "at {:.6g} s a stage is solved to {:.2g} only, for its friction found no normal forces; "
          "take a smaller \"time.dt\" or \"solver.tolerance\", or a larger \"contact.slip_speed\"",
          stage.t, missed));
  const Vector& w = weights_.w;
  equations_.leave(stage.point(), weights_, felt, q_bar_, v_bar_);
  if (!at_start) {
    Mw_.resize(w.size());
    system_.mass().multiply(view(w), view(Mw_));
    v_bar_ += Mw_;
  }
  lagged_.setZero(w.size());
  lag_.add(equations_, stage.t, at_start ? 1 : stage.gamma_v, w, lagged_);
  equations_.clear_fixed(lagged_);
  gradients.start.q += lagged_;
  on_equation(stage.point(), stage.solution(), weights_);
  equations_.clear_fixed(q_bar_);
  equations_.clear_fixed(v_bar_);
}

void AdjointStep::leave_stage(const StepPlan& plan, const Recorded& step, std::size_t i,
                              Gradients& gradients, const OnEquation& on_equation) {
  const PlannedStage& planned = plan.stages[i];
  StageValues& stage = stages_[i];
  if (planned.kind == Kind::carried) {
    (step.carried ? gradients.start.carried : stages_[0].a_bar) += stage.a_bar;
    return;
  }
  v_bar_.setZero(system_.dofs());
  if (planned.kind == Kind::start) {
    gradients.start.v += stage.v_bar;
    if (equations_.start().a_known) {
      gradients.start.a = stage.a_bar;
      return equations_.clear_fixed(gradients.start.a);
    }
  } else {  // a = (v − v_p)/γv, q = q_p + γq v
    stage.v_bar += stage.a_bar / stage.gamma_v + stage.gamma_q * q_bar_;
    v_bar_ -= stage.a_bar / stage.gamma_v;
  }
  leave_equation(stage, gradients, on_equation);
  gradients.start.q += planned.alpha * q_bar_;
  gradients.start.v += planned.alpha * v_bar_;
  if (planned.beta != 0) {
    gradients.before->q += planned.beta * q_bar_;
    gradients.before->v += planned.beta * v_bar_;
  }
  for (std::size_t j = 0; j < i; ++j) {
    stages_[j].v_bar += step.h * planned.a[j] * q_bar_;
    stages_[j].a_bar += step.h * planned.b[j] * v_bar_;
    if (!planned.d.empty()) stages_[j].a_bar += step.h * step.h * planned.d[j] * q_bar_;
  }
  q_bar_.setZero();
}

void AdjointStep::go_back(const StepPlan& plan, const Recorded& step, Gradients gradients,
                          const OnEquation& on_equation) {
  find_stages(plan, step);
  leave_end(plan, step, gradients);
  if (step.carried) gradients.start.carried.setZero(system_.dofs());
  for (std::size_t i = plan.stages.size(); i-- > 0;)
    leave_stage(plan, step, i, gradients, on_equation);
}

}  // namespace pliant
