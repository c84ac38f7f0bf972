#include <pliant/integrate/step_control.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/integrate/mean_size.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

constexpr double kSafety = 0.9;
constexpr double kSlowest = 0.2, kFastest = 4;  // a step over the one before
// A change of the step that is smaller than this is not worth a new factorisation.
constexpr double kWorthIt = 1.2;
constexpr int kMostJumps = 50;             // one after the other
constexpr double kMuchShorter = 1.0 / 16;  // an estimate that stays until then is of a jump

}  // namespace

StepControl::StepControl(Stepper& stepper, const StepControlOptions& options)
    : stepper_(stepper), options_(options), order_(stepper.error_order() + 1) {
  if (stepper.error_order() == 0) throw InputError(words_of(Refusal::dt_auto, stepper.name()));
  stepper_.estimate_into(&estimate_);
}

// Where the fastest body would have moved by a small part of the scene; the control does the rest.
double StepControl::first_step(const System& system, const State& state, double limit) const {
  Vector f(system.dofs());
  system.force({state.t, view(state.q), view(state.v), nullptr}, view(f));
  double speed = state.v.lpNorm<Eigen::Infinity>(), acceleration = 0;
  for (Index n = 0; n < system.body_nodes(); ++n)
    acceleration = std::max(acceleration, node(view(f), n).norm() / system.mass().diagonal(n));
  const double way = 1e-3 * system.size();
  double h = limit;
  if (speed > 0) h = std::min(h, way / speed);
  if (acceleration > 0) h = std::min(h, std::sqrt(way / acceleration));
  return std::isfinite(h) ? h : limit;
}

// Errors count in proportion to the largest displacement from rest (at most the scene's size) and
// the largest speed that there were.
double StepControl::error_over_tolerance(const System& system, const State& before,
                                         const State& after) {
  const NodeMatrix& M = system.mass();
  const double moved = std::min(mean_size(M, after.q - system.rest()), system.size());
  const double size_q =
      std::max({size_q_, moved, mean_size(M, after.q - before.q), 1e-6 * system.size()});
  const double size_v =
      std::max({size_v_, mean_size(M, after.v), mean_size(M, after.v - before.v)});
  const double error_q = mean_size(M, estimate_.q) / size_q;
  const double error_v = size_v > 0 ? mean_size(M, estimate_.v) / size_v : 0;
  const double error = std::max(error_q, error_v) / options_.tolerance;
  error_of_q_ = error_q / options_.tolerance;
  if (error <= 1) {
    size_q_ = size_q;
    size_v_ = size_v;
  }
  return error;
}

// h ← h · 0.9 e^(−0.7/k) e₋₁^(0.4/k), within bounds, never longer right after a rejection.
void StepControl::choose_next(double tried, double error, bool after_rejection) {
  const double e = std::max(error, 1e-10);
  double factor = kSafety * std::pow(e, -0.7 / order_) * std::pow(last_error_, 0.4 / order_);
  factor = std::clamp(factor, kSlowest, after_rejection ? 1.0 : kFastest);
  if (factor >= 1 && factor < kWorthIt) factor = 1;
  next_ = tried * factor;
  last_error_ = e;
}

// A shorter step for the next try, or false with the reason where it would be too short.
bool StepControl::shorten(double tried, double error, double shortest, StepReport& report) {
  next_ =
      report.ok ? tried * std::clamp(kSafety * std::pow(error, -1 / order_), 0.1, 0.9) : tried / 4;
  if (next_ >= shortest) return true;
  report.fail(report.ok ? fmt::format("the error stays above the tolerance down to {:.3g} s", tried)
                        : fmt::format("{} (smallest step tried: {:.3g} s)", report.reason, tried));
  return false;
}

// Does the estimate hardly shrink with the step? Then a velocity changes at once, by an impact or a
// joint that comes to its limit, and no step meets the tolerance. Positions must. Steps that end
// before the jump are accepted on the way to it; what was rejected first is still remembered. At
// the shortest step it is a jump in any case, but not for ever.
bool StepControl::is_jump(double h, double error, double shortest) {
  if (error_of_q_ > 1 || jumps_ >= kMostJumps) return false;
  if (rejected_.h == 0) rejected_ = {h, error};
  if (h > 10 * shortest &&
      (h > kMuchShorter * rejected_.h || error <= std::sqrt(h / rejected_.h) * rejected_.error))
    return false;
  ++jumps_;
  return true;
}

// Over many steps, whatever each of them says for itself.
bool StepControl::gets_nowhere(double t) {
  if (options_.slowest <= 0 || ++counted_ < kMeanOf) {
    if (counted_ <= 1) counted_from_ = t;
    return false;
  }
  const bool slow = t - counted_from_ < options_.slowest * kMeanOf;
  counted_ = 0;
  return slow;
}

StepReport StepControl::advance(const System& system, State& state, double limit, const Log& log) {
  if (gets_nowhere(state.t))
    return StepReport().fail(fmt::format(
        "it gets nowhere: the last {} steps made {:.3g} s; a larger \"time.tolerance\", a "
        "fixed \"time.dt\", or more \"solver.max_work\" to let it",
        kMeanOf, state.t - counted_from_));
  if (next_ == 0) next_ = first_step(system, state, limit);
  StepReport total;
  bool rejected = false;
  const double shortest = std::max(options_.min_dt, 1e-12 * std::max(limit, std::abs(state.t)));
  while (true) {
    // Two equal parts rather than a long and a tiny one; and where it differs by rounding only, the
    // length of the last step to the bit, so that its factors serve.
    const double wanted = next_;
    double h = wanted >= limit ? limit : (2 * wanted > limit ? limit / 2 : wanted);
    if (std::abs(h - last_dt_) <= 1e-12 * (h + std::abs(state.t))) h = last_dt_;
    before_ = state;
    state.taken = std::nullopt;
    StepReport report = stepper_.step(system, state, h);
    total.count(report);
    for (const std::string& note : report.notes) log.info(note, state.t);
    if (!report.ok && is_interrupted(options_.interrupted)) {
      state = before_;
      return total.fail("interrupted");
    }
    double error = 0;
    if (report.ok) {
      error = error_over_tolerance(system, before_, state);
      const double U = system.potential({state.t, view(state.q), view(state.v), nullptr});
      if (!std::isfinite(error) || !std::isfinite(U)) report.fail("the energy is not finite");
    }
    if (report.ok && error <= 1) {
      last_dt_ = h;
      if (!rejected) rejected_ = {}, jumps_ = 0;
      // A step cut short to meet the limit says little of what could have been.
      if (h == wanted || error > 0.5) choose_next(h, error, rejected);
      return total;
    }
    if (report.ok && is_jump(h, error, shortest)) {
      if (!std::exchange(said_jump_, true))
        log.info(fmt::format("velocities change at once, faster than any step: made with {:.3g} s "
                             "whatever the estimate says; later ones are not told of",
                             h),
                 state.t);
      last_dt_ = next_ = h;
      last_error_ = 1;
      rejected_ = {};
      return total;
    }
    state = before_;
    ++total.retries;
    rejected = true;
    if (!report.ok)
      log.warn(fmt::format("a step of {:.3g} s failed: {}; trying a quarter", h, report.reason),
               state.t);
    if (options_.max_work > 0 && total.work + total.retries > options_.max_work)
      return total.fail(fmt::format(
          "it gets nowhere: work of {:.0f} iterations in tries down to {:.3g} s, and still {} "
          "(\"solver.max_work\" and \"time.min_dt\" say when to give up)",
          total.work, h, report.ok ? "the error is above the tolerance" : report.reason));
    if (!shorten(h, error, shortest, report)) return total.fail(report.reason);
  }
}

std::vector<double> StepControl::memory() const {
  return {next_,
          last_dt_,
          last_error_,
          size_q_,
          size_v_,
          rejected_.h,
          rejected_.error,
          static_cast<double>(jumps_),
          static_cast<double>(counted_),
          counted_from_};
}

void StepControl::restore(std::span<const double> memory) {
  if (memory.size() < 5) return;
  next_ = memory[0];
  last_dt_ = memory[1];
  last_error_ = memory[2];
  size_q_ = memory[3];
  size_v_ = memory[4];
  if (memory.size() < 8) return;
  rejected_ = {memory[5], memory[6]};
  jumps_ = static_cast<int>(memory[7]);
  if (memory.size() < 10) return;
  counted_ = static_cast<int>(memory[8]);
  counted_from_ = memory[9];
}

}  // namespace pliant
