#include <pliant/stage/constrained_stage.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kMark = -7;              // of memory: not that of a stage without constraints
constexpr double kShortest = 1.0 / 4096;  // step of a correction
// Of the diagonal of the scene: what a hard constraint may be missed by.
constexpr double kMissed = 1e-10;
constexpr double kSaid = 1e-8;  // rows that contradict each other by more are named
constexpr int kMostBlind = 5;
constexpr double kRounding = 1e-6;  // a change this short that cannot be lowered is rounding
constexpr double kOfGap = 0.1;      // a correction that changes a gap by less is small

}  // namespace

ConstrainedStage::ConstrainedStage(const SolverOptions& options)
    : options_(options), usual_tolerance_(options.tolerance) {}

void ConstrainedStage::find_values(const Vector& v, Vector& values) {
  const ConstraintSet& constraints = context_->system.constraints();
  problem_.position(view(v), q_);
  constraints.value(stage_->t, view(q_), values);
  constraints.jacobian(view(q_), J_);
  constraints.make_rates(J_, view(v), stage_->gamma_q, values);
}

// The residuals at a point, and J there.
void ConstrainedStage::evaluate(Point& point) {
  point.r.resize(point.v.size());
  problem_.evaluate(view(point.v), view(point.r));
  find_values(point.v, phi_);
  rows_.hold(stage_->gamma_v, point.mu);
  f_.setZero(point.v.size());
  add_constraint_force(J_, point.mu, view(f_));
  for (std::size_t i = 0; i < context_->mask.size(); ++i)
    if (!context_->mask[i]) point.r[i] -= f_[i];
  point.g = phi_ + C_.cwiseProduct(point.mu);
  rows_.leave_out(J_);
  rows_.leave_out(point.g);
}

// The matrix at the point that was evaluated last. Projected, every part of it is definite.
bool ConstrainedStage::factorize(const Point& now, bool project, StageReport& report) {
  if (const auto pattern = problem_.pattern(view(now.v)); pattern && pattern != A_.shared_pattern())
    A_ = BlockMatrix(pattern);
  problem_.tangent(view(now.v), project, A_);
  context_->system.constraints().geometric_stiffness(
      view(q_), now.mu / stage_->gamma_v, stage_->gamma_q * stage_->gamma_v,
      project && options_.geometric == GeometricStiffness::exact ? GeometricStiffness::positive
                                                                 : options_.geometric,
      geometric_);
  assembly_.fill(A_, geometric_, J_, context_->mask);
  assembly_.matrix().unit =
      std::max(now.v.lpNorm<Eigen::Infinity>(), 1e-4 * context_->system.size() / stage_->gamma_q);
  ++report.factorizations;
  report.projections += project;
  return solver_->factorize(assembly_.matrix()) == SolveStatus::ok;
}

bool ConstrainedStage::correct(const Point& point, Correction& out, StageReport& report) {
  assembly_.gather(point.r, f_);
  f_ = -f_;
  phi_ = -point.g;
  const KktReport solved = solver_->solve(f_, phi_, x_, y_);
  report.linear += solved.iterations;
  if (solved.status != SolveStatus::ok || !x_.allFinite()) return false;
  assembly_.scatter(x_, out.dv);
  context_->system.follow(view(out.dv));
  out.dmu = -y_;
  out.size = problem_.relative_size(view(point.v), view(out.dv));
  out.length = out.dv.lpNorm<Eigen::Infinity>();
  out.missed = solved.contradictory.empty() ? 0 : solved.contradiction * stage_->gamma_q;
  out.missed_row = solved.contradictory.empty() ? 0 : solved.contradictory.front();
  return true;
}

// Along `step` until the correction that follows is shorter; it is left in `next`.
bool ConstrainedStage::search(Point& now, Correction& step, Correction& next, StageReport& report) {
  double part = std::min(1.0, problem_.max_step(view(now.v), view(step.dv)));
  for (; part >= kShortest; part *= 0.5) {
    trial_.v = now.v + part * step.dv;
    problem_.bend(view(now.v), view(trial_.v));
    trial_.mu = now.mu + part * step.dmu;
    evaluate(trial_);
    if (!trial_.finite() || !correct(trial_, next, report)) continue;
    if (next.length <= (1 - 0.25 * part) * step.length || next.size <= tolerance_) {
      problem_.moved(view(now.v), view(trial_.v), part);
      std::swap(now, trial_);
      return true;
    }
  }
  return false;
}

// Where a barrier is nearly closed all corrections are small, but not beside its gap.
bool ConstrainedStage::opens_gap(const Point& now, const Correction& left) {
  return stage_->gamma_q * left.length > kOfGap * problem_.smallest_gap(view(now.v));
}

// Hard rows are met, and what the next correction would change is below the tolerance.
bool ConstrainedStage::is_converged(const Point& now, const Correction& left) {
  if (left.size > tolerance_ || opens_gap(now, left)) return false;
  if (rough_) return true;
  const double missed = now.g.lpNorm<Eigen::Infinity>() * stage_->gamma_q;
  return missed <= kMissed * std::max(context_->system.size(), q_.lpNorm<Eigen::Infinity>());
}

// A step that makes the next correction shorter: with the exact matrix, else with the projected
// one.
bool ConstrainedStage::improve(Point& now, Progress& progress, StageReport& report) {
  for (const bool project : {false, true}) {
    if (!progress.current) evaluate(now), progress.current = true;
    if (!factorize(now, project, report) || !correct(now, progress.step, report)) continue;
    progress.size = progress.step.size;
    progress.current = search(now, progress.step, progress.next, report);
    if (progress.current) return true;
    if (progress.size <= kRounding) break;
  }
  return false;
}

// The correction that is left is known, and costs nothing more, but it may touch something.
void ConstrainedStage::finish(Point& now, const Correction& left) {
  const double part = std::min(1.0, problem_.max_step(view(now.v), view(left.dv)));
  now.v += part * left.dv;
  now.mu += part * left.dmu;
}

StageReport ConstrainedStage::iterate(Point& now, int most) {
  StageReport report;
  const auto fail = [&report](std::string reason) {
    report.ok = false, report.reason = std::move(reason);
    return report;
  };
  Progress progress;
  evaluate(now);
  if (!now.finite()) return fail("the start is not finite or inadmissible");
  while (report.newton < most) {
    if (is_interrupted(options_.interrupted)) return fail("interrupted");
    ++report.newton;
    if (!improve(now, progress, report)) {
      const double size = progress.size;
      // Multipliers that are far off give a matrix without the stiffness of their tension. The
      // correction finds them nevertheless, and with them alone a better matrix.
      if (size > kRounding && progress.blind++ < kMostBlind) {
        now.mu += progress.step.dmu;
        progress.current = false;
        continue;
      }
      if (size <= kRounding && size > 0 && !opens_gap(now, progress.step)) return report;
      return fail(
          fmt::format("no shorter correction of velocities and multipliers (last relative change "
                      "{:.2g} after {} iterations)",
                      size, report.newton));
    }
    progress.blind = 0;
    const Correction& next = progress.next;
    const bool contradicted =
        !rough_ && next.size <= tolerance_ && next.missed > kSaid * context_->system.size();
    if (!is_converged(now, next) && !contradicted) continue;
    if (contradicted)
      report.warning = fmt::format(
          "constraints contradict each other and are met as well as they can be: {} is missed by "
          "{:.3g} m",
          context_->system.constraints().row_name(next.missed_row), next.missed);
    finish(now, next);
    return report;
  }
  return fail(
      fmt::format("too many Newton iterations (last relative change {:.2g} after {} iterations)",
                  progress.next.size, report.newton));
}

// With bounds on multipliers, until the solution is within them. A motor that is taken for one of
// any strength drives what it moves right up against what is in the way, or finds no solution
// there; once its strength is seen the iterations begin where they began, away from it.
StageReport ConstrainedStage::settle(Point& now) {
  constexpr int most_rounds = 60;
  const int most = options_.max_iterations * (problem_.has_contact() ? 4 : 1);
  const double tolerance = kMissed * context_->system.size() / stage_->gamma_q;
  const bool from_start = rows_.any() && problem_.has_contact();
  const Vector begin = from_start ? now.v : Vector();
  StageReport total;
  for (int round = 0; round < most_rounds; ++round) {
    assembly_.matrix().C = C_;
    rows_.stand_alone(assembly_.matrix().C);
    const StageReport solved = iterate(now, most);
    total.add(solved);
    total.ok = solved.ok, total.reason = solved.reason;
    if (!rows_.any() || is_interrupted(options_.interrupted)) return total;
    rows_.hold(stage_->gamma_v, now.mu);
    if (total.ok) {
      find_values(now.v, phi_);
      phi_ += C_.cwiseProduct(now.mu);
      if (rows_.settle(phi_, now.mu / stage_->gamma_v, tolerance)) return total;
    } else if (!now.mu.allFinite() || !rows_.give_in(now.mu / stage_->gamma_v)) {
      return total;
    }
    if (from_start) now.v = begin;
    rows_.hold(stage_->gamma_v, now.mu);
  }
  total.ok = false;
  total.reason = "limits and motors come to no agreement";
  return total;
}

void ConstrainedStage::set_rows(const Point& now, const Vector& lambda) {
  find_values(now.v, phi_);
  rows_.set(context_->system.constraints(), lambda, phi_);
}

// As NewtonStage::push: what is free gives way as the tangent says. What the way changes in the
// constraints is left to the iterations after it.
bool ConstrainedStage::push(Point& now, StageReport& report) {
  const Vector from = now.v;
  evaluate(now);
  change_.resize(now.v.size());
  problem_.change_by_way(view(now.v), view(change_));
  Correction step;
  ++report.newton;
  now.r += change_;
  if (factorize(now, true, report) && correct(now, step, report)) {
    now.v += step.dv;
    now.mu += step.dmu;
  }
  return problem_.approach(now.v, &from);
}

// What is prescribed, to its place. Where the guess of something free is in the way, that stays
// where it was until the rest has arrived; where it lies there itself, it is pushed bit by bit.
bool ConstrainedStage::get_there(Point& now, StageReport& report) {
  constexpr int most_parts = 200, iterations_between = 4;
  const Vector guess = now.v;
  if (problem_.approach(now.v, nullptr)) return true;
  Vector still = (context_->start.q - stage_->q_p) / stage_->gamma_q;
  if (problem_.approach(still, nullptr)) {
    now.v = guess;
    return problem_.approach(now.v, &still);
  }
  now.v = still;
  problem_.prescribe_velocity(now.v);
  set_rows(now, lambda_);
  for (int part = 0;
       part < most_parts && !problem_.is_stuck() && !is_interrupted(options_.interrupted); ++part) {
    assembly_.matrix().C = C_;
    rows_.stand_alone(assembly_.matrix().C);
    report.add(iterate(now, iterations_between));
    if (now.v.allFinite() && push(now, report)) return true;
  }
  return false;
}

// As NewtonStage::attempt_with_friction.
void ConstrainedStage::settle_with_friction(Point& now, StageReport& report) {
  FrictionRounds rounds(problem_.friction());
  for (;;) {
    tolerance_ = rounds.tolerance(options_.tolerance);
    rough_ = rounds.rough();
    const Point before = rough_ ? now : Point();
    StageReport settled = settle(now);
    report.add(settled);
    report.ok = settled.ok, report.reason = std::move(settled.reason);
    if (rough_ && !report.ok && !is_interrupted(options_.interrupted)) {
      now = before;
      rounds.give_up_roughness();
      continue;
    }
    if (!rounds.renews() || !report.ok) return;
    if (!rounds.again(problem_.renew_friction(view(now.v)))) return problem_.take_back_friction();
  }
}

StageReport ConstrainedStage::solve(const StepContext& context, const Stage& stage, Vector& v,
                                    Vector& q) {
  context_ = &context;
  stage_ = &stage;
  options_.tolerance = context.tolerance(usual_tolerance_);
  const ConstraintSet& constraints = context.system.constraints();
  if (!solver_) solver_ = make_kkt_solver(options_.kkt);
  if (A_.empty()) A_ = BlockMatrix(context.system.pattern());
  if (lambda_.size() != constraints.rows()) lambda_.setZero(constraints.rows());
  C_ = stage_compliance(constraints, stage);
  problem_.set(context, stage);
  tolerance_ = options_.tolerance, rough_ = false;
  StageReport report;
  Point now;
  now.v = v;
  now.mu = stage.gamma_v * lambda_;
  if (problem_.has_contact() && !get_there(now, report)) {
    report.ok = false;
    report.reason = problem_.what_is_in_the_way(view(now.v));
    return report;
  }
  problem_.prescribe_velocity(now.v);
  set_rows(now, lambda_);
  settle_with_friction(now, report);
  report.ok = report.ok && now.v.allFinite();
  if (!report.ok) return report;
  v = now.v;
  lambda_ = now.mu / stage.gamma_v;
  problem_.position(view(v), q);
  report.contacts = problem_.contacts(view(v)) + rows_.pushing();
  return report;
}

void ConstrainedStage::find_forces(const Vector& v, ActingForces& out) {
  problem_.find_forces(view(v), out);
  const ConstraintSet& constraints = context_->system.constraints();
  problem_.position(view(v), q_);
  constraints.jacobian(view(q_), J_);
  if (out.all.size() > 0) add_constraint_force(J_, lambda_, view(out.all));
  if (!constraints.take_energy()) return;
  constraints.value(stage_->t, view(q_), phi_);
  add_constraint_force(J_, constraints.taking_part(phi_, lambda_), view(out.damping));
}

// [mark, n, λ…, couplings…]
std::vector<double> ConstrainedStage::memory() const {
  std::vector<double> out = {kMark, static_cast<double>(lambda_.size())};
  out.insert(out.end(), lambda_.begin(), lambda_.end());
  append(problem_.couplings(), out);
  return out;
}

bool ConstrainedStage::restore(std::span<const double> memory) {
  if (memory.size() < 2 || memory[0] != kMark) return false;
  const auto rows = static_cast<std::size_t>(memory[1]);
  if (memory.size() < 2 + rows) return false;
  lambda_ = as_vector(memory.subspan(2, rows));
  std::span<const double> rest = memory.subspan(2 + rows);
  problem_.set_couplings(take_couplings(rest));
  return true;
}

}  // namespace pliant
