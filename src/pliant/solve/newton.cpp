#include <pliant/solve/newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {

std::string_view name_of(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::converged:
      return "converged";
    case NewtonStatus::too_many_iterations:
      return "too many Newton iterations";
    case NewtonStatus::no_descent:
      return "no descent along the Newton direction";
    case NewtonStatus::linear_solve_failed:
      return "the linear solve failed";
    case NewtonStatus::not_finite:
      return "the start is not finite or inadmissible";
    case NewtonStatus::interrupted:
      return "interrupted";
  }
  return "";
}

void NewtonReport::add(const NewtonReport& later) {
  status = later.status;
  change = later.change;
  iterations += later.iterations;
  factorizations += later.factorizations;
  projections += later.projections;
  linear += later.linear;
}

void NewtonWorkspace::resize(const std::shared_ptr<const BlockPattern>& pattern) {
  if (!A.empty() && A.shared_pattern() == pattern) return;
  has_factors = false;
  A = BlockMatrix(pattern);
  for (Vector* x : {&r, &dx, &trial, &r_trial}) x->setZero(3 * pattern->rows);
}

namespace {

constexpr double kSufficientDecrease = 1e-4;  // Armijo
constexpr double kShortestStep = 1e-9;        // of the Newton direction, in the line search
constexpr double kMeritNoise = 1e-6;          // of the merit: what it may rise by in that case
constexpr double kNearChange = 1e-3;          // below this change the slope may stand for the merit
constexpr double kMostTaken = 0.1;            // of the residual: a full step that leaves no more is
                                              // good where the change is small
// Of the slope at the start: above this a step ends too far up, below that (and where a longer one
// was refused) too far from the bottom. So many more evaluations are spent on that.
constexpr double kSteepest = 0.9, kFlatEnough = 0.5;
constexpr int kRefinements = 4;
// Where neither merit nor residual can be lowered any more, a Newton direction this short is made
// of rounding: for a stage it moves no point by more than about 1e-10 of the scene.
constexpr double kRoundingChange = 1e-6;
// Newton's method, near enough, needs a few iterations to the end. One that has spent so many on
// changes as small as this goes round in circles.
constexpr double kStallChange = 1e-6;
constexpr int kStallIterations = 20;

class NewtonSolve {
 public:
  NewtonSolve(NewtonProblem& problem, LinearSolver& solver, const NewtonOptions& options,
              NewtonWorkspace& w, std::span<double> x)
      : problem_(problem), solver_(solver), options_(options), w_(w), x_(as_vector(x)) {}

  NewtonReport run() {
    const long linear_before = solver_.iterations();
    evaluate();
    if (!std::isfinite(norm_) || (problem_.has_merit() && !std::isfinite(merit_)))
      report_.status = NewtonStatus::not_finite;
    else
      report_.status = iterate();
    report_.linear = solver_.iterations() - linear_before;
    return report_;
  }

 private:
  static std::span<const double> view(const Eigen::Map<Vector>& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
  static std::span<double> view(Vector& x) { return pliant::view(x); }
  static std::span<const double> view(const Vector& x) { return pliant::view(x); }

  void evaluate() {
    merit_ = problem_.evaluate(view(x_), view(w_.r));
    norm_ = problem_.residual_norm(view(w_.r));
  }

  NewtonStatus iterate() {
    double last_change = std::numeric_limits<double>::infinity();
    if (norm_ == 0) return NewtonStatus::converged;
    while (report_.iterations < options_.max_iterations) {
      if (is_interrupted(options_.interrupted)) return NewtonStatus::interrupted;
      if (report_.iterations > 0 && problem_.renew(view(x_), report_.change, last_step_)) {
        evaluate();
        w_.has_factors = false;
        last_change = std::numeric_limits<double>::infinity();
      }
      bool projected = cautious_;
      if (!find_direction(last_change, projected)) return NewtonStatus::linear_solve_failed;
      double left = error_left(last_change);
      const double enough = (old_factors_ ? 0.1 : 1) * options_.tolerance;
      if (report_.change <= enough && problem_.is_settled()) {
        if (options_.rough) return line_search(), NewtonStatus::converged;
        accept_unchecked();
        return NewtonStatus::converged;
      }
      if (is_stalled()) return NewtonStatus::converged;
      double step = line_search();
      if (step == 0 && old_factors_) {  // once more with a tangent of this place
        w_.has_factors = false;
        if (!find_direction(last_change, projected)) return NewtonStatus::linear_solve_failed;
        step = line_search();
        left = error_left(last_change);
      }
      if (step == 0 && !projected) {
        projected = true;
        if (!direction(projected)) return NewtonStatus::linear_solve_failed;
        left = error_left(last_change);
        step = line_search();
      }
      if (step == 0)
        return report_.change <= kRoundingChange ? NewtonStatus::converged
                                                 : NewtonStatus::no_descent;
      if (step == 1 && left <= options_.tolerance && problem_.is_settled())
        return NewtonStatus::converged;
      if (step < 1) w_.has_factors = false;
      if (step < kShortStep) cautious_ = true;
      if (step == 1 && report_.change <= kTrustedChange) cautious_ = false;
      last_step_ = step;
      previous_change_ = report_.change;
      last_change = step == 1 ? report_.change : std::numeric_limits<double>::infinity();
    }
    return NewtonStatus::too_many_iterations;
  }

  // Changes that stay small and do not vanish come from rounding: gaps far smaller than coordinates
  // have few digits left, and the forces across them no more.
  bool is_stalled() {
    if (report_.change <= kStallChange) ++small_changes_;
    return small_changes_ > kStallIterations && report_.change <= kStallChange;
  }

  // The error that is left after this change, from the rate at which full steps shrink; the first
  // one says nothing about a rate. With old factors all of it is left, and it has the same sign
  // step after step, so it is held to a tenth.
  double error_left(double last_change) const {
    const double rate = report_.change / last_change;
    if (!std::isfinite(last_change) || !(rate < 0.5)) return report_.change;
    return report_.change * rate / (1 - rate) * (old_factors_ ? 10 : 1);
  }

  bool find_direction(double last_change, bool& projected) {
    ++report_.iterations;
    old_factors_ = options_.reuse && w_.has_factors && solver_.keeps_factors();
    if (old_factors_ && solve_for_direction() && converges_fast(last_change)) return true;
    old_factors_ = false;
    if (direction(projected)) return true;
    projected = true;
    return direction(projected);
  }

  // Will old factors reach the tolerance soon? After the first change nothing is known of a rate,
  // but one so much larger than x is none of theirs: a rigid body that has turned since is stiff
  // where they are soft.
  bool converges_fast(double last_change) const {
    if (!std::isfinite(last_change) || report_.change <= options_.tolerance)
      return report_.change <= kOldReach;
    const double rate = report_.change / last_change;
    return rate < 0.5 && std::log(options_.tolerance / report_.change) >
                             options_.cheap_iterations * std::log(rate);
  }

  // A and its factors at x, and the direction; false where A is not positive definite or there is
  // no descent.
  bool direction(bool project) {
    report_.projections += project;
    ++report_.factorizations;
    if (!factorize_tangent(problem_, solver_, project, view(x_), w_)) return false;
    return solve_for_direction();
  }

  // dx = −A⁻¹ r
  bool solve_for_direction() {
    w_.r_trial = -w_.r;
    const SolveAccuracy accuracy{forcing()};
    if (solver_.solve(view(w_.r_trial), view(w_.dx), accuracy) != SolveStatus::ok) return false;
    problem_.restrict(view(w_.dx));
    slope_ = w_.r.dot(w_.dx);
    report_.change = problem_.relative_size(view(x_), view(std::as_const(w_.dx)));
    // A change below the tolerance need not descend: it may be made of rounding.
    return std::isfinite(slope_) &&
           (slope_ < 0 || !problem_.has_merit() || report_.change <= options_.tolerance);
  }

  // How exactly the linear system is worth solving: an error of η in the direction leaves a change
  // of η times this one, so tighten as the changes shrink, and never beyond what the tolerance asks
  // for. While what is held is found anew, changes shrink by a half at best.
  double forcing() const {
    if (!problem_.is_settled()) return kUnsettled;
    const double wanted = std::min(1e-2, 0.1 * std::sqrt(previous_change_));
    const double enough = previous_change_ > 0 ? 0.1 * options_.tolerance / previous_change_ : 1.0;
    return std::max(1e-12, std::min(enough, wanted));
  }

  void accept_unchecked() {
    const double step = std::min(1.0, problem_.max_step(view(x_), view(w_.dx)));
    x_ += step * w_.dx;
  }

  struct Trial {
    double merit = 0, norm = 0, slope = 0;
  };

  // The accepted step length, 0 where none was found. On success x, r and the merit are the new
  // ones. A merit that has fallen is not enough: where a barrier rises steeply at the end of the
  // step the next one would begin at its wall, and where all of the step still goes down steeply
  // though a longer one was refused there is more to gain. Both are narrowed down by the slope (the
  // strong Wolfe conditions), since an evaluation costs far less than a direction.
  double line_search() {
    double step = std::min(1.0, problem_.max_step(view(x_), view(w_.dx)));
    const double longest = step;
    double best = 0, least = merit_;  // of the acceptable ones
    double low = 0, high = 0;         // a step that is too short, and one that is too long
    for (int refined = 0; step > kShortestStep;) {
      const Trial trial = try_step(step);
      const bool good = acceptable(step, trial.merit, trial.norm, trial.slope);
      const Length length = good ? judge(trial, high > 0) : Length::too_long;
      if (good && length == Length::right) return accept(step, trial);
      if (good && trial.merit <= least) best = step, least = trial.merit;
      if (!good && step == longest && problem_.has_merit())
        if (const double kink = search_kinks(longest); kink > 0) return kink;
      if (best > 0 && ++refined > kRefinements) break;
      (length == Length::too_long ? high : low) = step;
      if (low > 0)
        step = 0.5 * (low + high);
      else
        step *= good ? 0.5 : shrink(step, trial.merit);
    }
    return best > 0 ? accept(best, try_step(best)) : 0;
  }

  // Of an acceptable step. `refused`: a longer one was too long.
  enum class Length { right, too_short, too_long };
  Length judge(const Trial& trial, bool refused) const {
    const bool noise = report_.change <= kRoundingChange || trial.merit >= merit_;
    if (!problem_.has_merit() || noise) return Length::right;
    if (trial.slope > kSteepest * std::abs(slope_)) return Length::too_long;
    return refused && trial.slope < kFlatEnough * slope_ ? Length::too_short : Length::right;
  }

  Trial try_step(double step) {
    w_.trial = x_ + step * w_.dx;
    problem_.bend(view(x_), view(w_.trial));
    Trial trial;
    trial.merit = problem_.evaluate(pliant::view(std::as_const(w_.trial)), view(w_.r_trial));
    trial.norm = problem_.residual_norm(view(w_.r_trial));
    trial.slope = w_.r_trial.dot(w_.dx);
    return trial;
  }
  double accept(double step, const Trial& trial) {
    problem_.moved(view(x_), pliant::view(std::as_const(w_.trial)), step);
    x_ = w_.trial;
    w_.r.swap(w_.r_trial);
    merit_ = trial.merit;
    norm_ = trial.norm;
    return step;
  }

  // The kink at which the slope along dx turns from down to up, found by halving the list.
  double search_kinks(double longest) {
    w_.kinks.clear();
    problem_.kinks(view(x_), view(w_.dx), w_.kinks);
    std::erase_if(w_.kinks, [&](double t) { return !(t > kShortestStep && t < longest); });
    if (w_.kinks.empty()) return 0;
    std::sort(w_.kinks.begin(), w_.kinks.end());
    std::size_t down = 0, up = w_.kinks.size();  // slopes below `down` point down, from `up` on up
    double best = 0, least = merit_;
    while (down < up) {
      const std::size_t middle = (down + up) / 2;
      const double step = w_.kinks[middle];
      const Trial trial = try_step(step);
      if (acceptable(step, trial.merit, trial.norm, trial.slope) && trial.merit < least) {
        best = step;
        least = trial.merit;
      }
      if (std::isfinite(trial.merit) && trial.slope < 0)
        down = middle + 1;
      else
        up = middle;
    }
    if (best == 0) return 0;
    return accept(best, try_step(best));
  }

  bool acceptable(double step, double merit, double norm, double end_slope) const {
    if (!std::isfinite(norm)) return false;
    if (!problem_.has_merit()) return norm <= (1 - kSufficientDecrease * step) * norm_;
    if (merit <= merit_ + kSufficientDecrease * step * slope_) return true;
    // The merit may be the small difference of large numbers. A small change that takes most of the
    // residual away is Newton's method about to converge, whatever rounding makes of the merit.
    if (report_.change <= kNearChange && step == 1 && norm <= kMostTaken * norm_ &&
        std::abs(end_slope) <= kMostTaken * std::abs(slope_))
      return true;
    // Near the solution the decrease of the merit drowns in rounding; there its slope at the end of
    // the step decides (the approximate Wolfe condition of Hager and Zhang 2005).
    return report_.change <= kNearChange && merit <= merit_ + kMeritNoise * std::abs(merit_) &&
           std::abs(end_slope) <= (1 - 2 * kSufficientDecrease) * std::abs(slope_);
  }

  // The minimum of the parabola through merit, slope and trial, within [0.1, 0.5].
  double shrink(double step, double merit) const {
    if (!problem_.has_merit() || !std::isfinite(merit)) return 0.5;
    const double curvature = merit - merit_ - step * slope_;
    return curvature > 0 ? std::clamp(-step * slope_ / (2 * curvature), 0.1, 0.5) : 0.5;
  }

  static constexpr double kUnsettled = 0.03;
  static constexpr double kShortStep = 0.5, kTrustedChange = 0.05, kOldReach = 1e3;

  NewtonProblem& problem_;
  LinearSolver& solver_;
  const NewtonOptions& options_;
  NewtonWorkspace& w_;
  Eigen::Map<Vector> x_;
  NewtonReport report_;
  double merit_ = 0, norm_ = 0, slope_ = 0;
  double previous_change_ = 1;  // that was accepted
  double last_step_ = 0;
  // After a short step directions come from the projected tangent, which promises less than the
  // exact one, until changes are small.
  bool cautious_ = false;
  int small_changes_ = 0;
  bool old_factors_ = false;  // the direction comes from an earlier tangent
};

}  // namespace

bool factorize_tangent(NewtonProblem& problem, LinearSolver& solver, bool project,
                       std::span<const double> x, NewtonWorkspace& workspace) {
  if (const auto pattern = problem.pattern(x); pattern && pattern != workspace.A.shared_pattern()) {
    workspace.A = BlockMatrix(pattern);
    solver.analyze(pattern);
  }
  problem.tangent(x, project, workspace.A);
  solver.set_update(problem.update(workspace.A));
  workspace.has_factors = solver.factorize(workspace.A) == SolveStatus::ok;
  return workspace.has_factors;
}

NewtonReport solve_newton(NewtonProblem& problem, LinearSolver& solver,
                          const NewtonOptions& options, NewtonWorkspace& workspace,
                          std::span<double> x) {
  return NewtonSolve(problem, solver, options, workspace, x).run();
}

}  // namespace pliant
