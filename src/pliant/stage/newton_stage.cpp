#include <pliant/stage/newton_stage.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

// Collision detection cuts steps short: contact is given so many times the iterations.
constexpr int kMoreInContact = 4;
// Contacts are found and kept apart along every step, whatever its direction came from: iterations
// with old factors save less (NewtonOptions::cheap_iterations).
constexpr double kCheapInContact = 3;

}  // namespace

NewtonStage::NewtonStage(const SolverOptions& options)
    : usual_tolerance_(options.tolerance),
      options_{options.tolerance, options.max_iterations, options.reuse, options.interrupted},
      solver_(options.linear, options.of_linear()),
      constrained_(options) {
  if (options.reuse) solver_->expect_reuse();
}

void NewtonStage::prepare(const StepContext& context, const Stage& stage) {
  if (context.system.contact()) solver_->expect_patterns();
  solver_->set_nodes(view(context.start.q));
  if (solver_.prepare(context.system.pattern())) {
    workspace_.resize(context.system.pattern());
    restore_factors();
  }
  const bool same = stage.gamma_q == gamma_q_ && stage.gamma_v == gamma_v_ && context.mask == mask_;
  if (!same || stage.held) workspace_.has_factors = false;
  if (same) return;
  gamma_q_ = stage.gamma_q;
  gamma_v_ = stage.gamma_v;
  mask_ = context.mask;
}

NewtonReport NewtonStage::attempt(Vector& v) { return attempt(v, FrictionRounds(nullptr)); }

NewtonReport NewtonStage::attempt(Vector& v, const FrictionRounds& rounds) {
  problem_.prescribe_velocity(v);
  NewtonOptions options = options_;
  options.tolerance = rounds.tolerance(options_.tolerance);
  options.rough = rounds.rough();
  if (problem_.has_contact()) {
    options.max_iterations *= kMoreInContact;
    options.cheap_iterations = kCheapInContact;
  }
  return solve_newton(problem_, *solver_, options, workspace_, view(v));
}

// The fixed point of v̂ ↦ v; it contracts by about the strain that a stage adds.
NewtonReport NewtonStage::attempt_with_fixed_damping(Vector& v) {
  constexpr int most_rounds = 30;
  NewtonReport total;
  problem_.fix_damping_at(v);
  for (int round = 0; round < most_rounds; ++round) {
    workspace_.has_factors = false;
    total.add(attempt(v));
    if (!total.converged() || problem_.fix_damping_at(v) <= options_.tolerance) return total;
  }
  total.status = NewtonStatus::too_many_iterations;
  return total;
}

// Prescribed coordinates go on to where they must be, and what lies in their way gives way as the
// tangent says: A δv = −(r + δr), δr what their motion adds to the residual. True where they have
// arrived.
bool NewtonStage::push(Vector& v, NewtonReport& total) {
  NewtonWorkspace& w = workspace_;
  const Vector from = v;
  problem_.evaluate(view(v), view(w.r));
  problem_.change_by_way(view(v), view(w.r_trial));
  w.r_trial = -(w.r + w.r_trial);
  ++total.iterations, ++total.factorizations, ++total.projections;
  if (factorize_tangent(problem_, *solver_, true, view(v), w) &&
      solver_->solve(view(w.r_trial), view(w.dx), {}) == SolveStatus::ok) {
    problem_.restrict(view(w.dx));
    v += w.dx;
  }
  return problem_.approach(v, &from);
}

// Prescribed coordinates that something lies in the way of are brought to their place bit by bit,
// with a few iterations in between for what they push.
NewtonReport NewtonStage::attempt_with_contact(Vector& v) {
  constexpr int most_parts = 200, iterations_between = 4;
  workspace_.has_factors = false;
  NewtonReport total;
  NewtonOptions few = options_;
  few.max_iterations = iterations_between;
  bool arrived = problem_.approach(v, nullptr);
  for (int part = 0; part < most_parts; ++part) {
    total.add(arrived ? attempt_with_friction(v)
                      : solve_newton(problem_, *solver_, few, workspace_, view(v)));
    if (total.status == NewtonStatus::not_finite && problem_.retreat(v)) {
      arrived = problem_.has_arrived();
      continue;
    }
    if (arrived || total.status == NewtonStatus::interrupted || !v.allFinite()) return total;
    arrived = push(v, total);
    if (!arrived && problem_.is_stuck()) break;
  }
  total.status = NewtonStatus::too_many_iterations;
  return total;
}

// Newton's method with friction that goes along, and to the end with what that has come to where it
// stopped before. False where that leads nowhere; v is what it was then.
bool NewtonStage::find_friction(Vector& v, NewtonReport& total) {
  start_ = v;
  problem_.renewal().start(problem_.friction());
  total.add(attempt(v));
  const bool settled = problem_.is_settled();
  problem_.hold_friction();
  if (total.converged() && !settled) total.add(attempt(v));
  if (total.converged() || is_interrupted(options_.interrupted)) return true;
  v = start_;
  problem_.start_friction();
  return false;
}

// Normal forces and directions are those of the start at first (friction_rounds.hpp).
NewtonReport NewtonStage::attempt_with_friction(Vector& v) {
  FrictionRounds rounds(problem_.has_contact() ? problem_.friction() : nullptr);
  NewtonReport total;
  if (rounds.rough() && find_friction(v, total)) {
    rounds.begin_exact(problem_.renewal().least_change());
    if (!total.converged()) return total;
    if (!rounds.again(problem_.renew_friction(view(v))))
      return problem_.take_back_friction(), total;
  }
  for (;;) {
    total.add(attempt(v, rounds));
    const bool lost = total.status == NewtonStatus::not_finite || !v.allFinite();
    if (rounds.rough() && !total.converged() && !lost && !is_interrupted(options_.interrupted)) {
      rounds.give_up_roughness();
      continue;
    }
    if (!rounds.renews() || !total.converged()) return total;
    const double ch = problem_.renew_friction(view(v));
    if (!rounds.again(ch)) {
      problem_.take_back_friction();
      return total;
    }
  }
}

StageReport NewtonStage::solve(const StepContext& context, const Stage& stage, Vector& v,
                               Vector& q) {
  if (!context.system.constraints().empty()) return constrained_.solve(context, stage, v, q);
  options_.tolerance = context.tolerance(usual_tolerance_);
  prepare(context, stage);
  problem_.set(context, stage);
  NewtonReport newton = problem_.has_contact() ? attempt_with_contact(v) : attempt(v);
  if (!newton.converged() && v.allFinite() && problem_.has_arrived() &&
      problem_.can_fix_damping()) {
    newton.add(attempt_with_fixed_damping(v));
    if (newton.converged() && problem_.friction()) newton.add(attempt_with_friction(v));
  }
  if (newton.status == NewtonStatus::not_finite && !stage.held && !problem_.has_contact()) {
    // The guess turned something inside out: start again from where the bodies are.
    v = (context.start.q - stage.q_p) / stage.gamma_q;
    newton = attempt(v);
  }
  problem_.position(view(v), q);
  StageReport report;
  report.ok = newton.converged() && v.allFinite();
  if (!report.ok) {
    workspace_.has_factors = false;
    report.reason = fmt::format("{} (last relative change {:.2g} after {} iterations)",
                                name_of(newton.status), newton.change, newton.iterations);
    if (!problem_.has_arrived() && newton.status == NewtonStatus::too_many_iterations)
      report.reason = problem_.what_is_in_the_way(view(v));
  }
  report.newton = newton.iterations;
  report.factorizations = newton.factorizations;
  report.projections = newton.projections;
  report.linear = newton.linear;
  if (report.ok) report.contacts = problem_.contacts(view(v));
  return report;
}

bool NewtonStage::solve_again(std::span<const double> b, std::span<double> x,
                              SolveAccuracy accuracy) {
  return workspace_.has_factors && solver_->solve(b, x, accuracy) == SolveStatus::ok;
}

void NewtonStage::find_forces(const Vector& v, ActingForces& out) {
  if (constrained_.was_used())
    constrained_.find_forces(v, out);
  else
    problem_.find_forces(view(v), out);
}

// [m, the linear solver's m…, γq, γv, n, mask…, c, couplings…, the kept A…, its Y…, Z…]. Kept
// factors come from a tangent that cannot be made again later, so a checkpoint carries its numbers:
// all of A, whose two halves may differ in the last bits, and its dense part. With contact no
// factors are kept.
std::vector<double> NewtonStage::memory() const {
  if (constrained_.was_used()) return constrained_.memory();
  const std::vector<double> own = solver_.memory();
  std::vector<double> out = {static_cast<double>(own.size())};
  out.insert(out.end(), own.begin(), own.end());
  out.insert(out.end(), {gamma_q_, gamma_v_, static_cast<double>(mask_.size())});
  out.insert(out.end(), mask_.begin(), mask_.end());
  append(problem_.couplings(), out);
  if (!kept_values_.empty()) {
    out.insert(out.end(), kept_values_.begin(), kept_values_.end());
  } else if (options_.reuse && workspace_.has_factors && !problem_.has_contact() &&
             solver_->keeps_factors()) {
    const auto values = std::as_const(workspace_.A).values();
    out.insert(out.end(), values.begin(), values.end());
    if (problem_.has_low_rank())
      for (const Matrix* part : {&problem_.kept_update().Y, &problem_.kept_update().Z})
        out.insert(out.end(), part->data(), part->data() + part->size());
  }
  return out;
}

void NewtonStage::restore(std::span<const double> memory) {
  if (memory.empty() || constrained_.restore(memory)) return;
  const auto own = static_cast<std::size_t>(memory[0]);
  if (memory.size() < own + 4) return;
  solver_.restore(memory.subspan(1, own));
  std::span<const double> rest = memory.subspan(1 + own);
  gamma_q_ = rest[0];
  gamma_v_ = rest[1];
  const auto n = static_cast<std::size_t>(rest[2]);
  if (rest.size() < 4 + n) return;
  mask_.resize(n);
  for (std::size_t i = 0; i < n; ++i) mask_[i] = static_cast<std::uint8_t>(rest[3 + i]);
  rest = rest.subspan(3 + n);
  problem_.set_couplings(take_couplings(rest));
  kept_values_.assign(rest.begin(), rest.end());
}

void NewtonStage::restore_factors() {
  const std::vector<double> values = std::exchange(kept_values_, {});
  const std::size_t own = workspace_.A.values().size();
  const auto rows = static_cast<std::size_t>(workspace_.r.size());
  if (values.size() < own || rows == 0 || (values.size() - own) % (2 * rows) != 0) return;
  std::copy_n(values.begin(), own, workspace_.A.values().begin());
  const auto n = static_cast<Eigen::Index>(rows);
  const auto columns = static_cast<Eigen::Index>((values.size() - own) / (2 * rows));
  LowRank& update = problem_.kept_update();
  update.Y = Eigen::Map<const Matrix>(values.data() + own, n, columns);
  update.Z = Eigen::Map<const Matrix>(values.data() + own + update.Y.size(), n, columns);
  solver_->set_update(update.empty() ? nullptr : &update);
  workspace_.has_factors = solver_->refactorize(workspace_.A) == SolveStatus::ok;
}

}  // namespace pliant
