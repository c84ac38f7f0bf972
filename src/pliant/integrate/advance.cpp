#include <pliant/integrate/advance.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

// A law that ends at det F = 0 has no finite energy beyond it, however finite the state is. Contact
// has looked after itself, and finding it once more would cost as much as a stage.
bool is_admissible(const System& system, const State& state) {
  const Configuration c{.t = state.t, .q = view(state.q), .v = view(state.v)};
  for (const auto& term : system.terms()) {
    const bool contact = term->kind() == TermKind::contact || term->kind() == TermKind::friction;
    if (!contact && !std::isfinite(term->potential(c))) return false;
  }
  return true;
}

// The mean force over a step that is made in parts, see State; null where one of them has none.
class PartsOfMean {
 public:
  void add(const State& state, double part) {
    if (!state.mean_force) known_ = false;
    if (!known_) return;
    if (sum_.size() == 0) sum_.setZero(state.q.size());
    sum_ += part * *state.mean_force;
  }
  std::shared_ptr<const Vector> mean() const {
    return known_ ? std::make_shared<const Vector>(sum_) : nullptr;
  }

 private:
  Vector sum_;
  bool known_ = true;
};

}  // namespace

StepReport advance(Stepper& stepper, const System& system, State& state, double h,
                   const RetryLimits& limits, const Log& log) {
  // The step in units of its finest part: halves are exact, so the end is reached exactly.
  const State start = state;
  const long whole = 1L << limits.max_halvings;
  State before = state;  // of the part at hand
  StepReport total;
  PartsOfMean force;
  long done = 0, part = whole;
  while (done < whole) {
    const double length = h * (static_cast<double>(part) / static_cast<double>(whole));
    StepReport report = stepper.step(system, state, length);
    total.count(report);
    for (const std::string& note : report.notes) log.info(note, state.t);
    if ((!report.ok || done + part < whole) && is_interrupted(limits.interrupted)) {
      state = start;
      return total.fail("interrupted");
    }
    if (report.ok && !is_admissible(system, state)) {
      report.fail(std::string(stepper.name()) +
                  " ends where no material can be: the energy is not finite");
      state = before;
    }
    if (report.ok) {
      if (part < whole) force.add(state, static_cast<double>(part) / static_cast<double>(whole));
      done += part;
      before = state;
      // Grow again only at a place where the larger part fits.
      while (part < whole && done % (2 * part) == 0 && done + 2 * part <= whole) part *= 2;
      continue;
    }
    ++total.retries;
    if (part == 1 || 0.5 * length < limits.min_dt) {
      total.ok = false;
      total.reason = fmt::format("{} (smallest part tried: {} s, after {} retries)", report.reason,
                                 length, total.retries);
      state = start;
      return total;
    }
    log.warn(fmt::format("a step of {} s failed: {}; trying halves", length, report.reason),
             state.t);
    part /= 2;
  }
  state.t = start.t + h;
  if (part < whole) state.mean_force = force.mean();
  return total;
}

}  // namespace pliant
