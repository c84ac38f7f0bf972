#include <pliant/integrate/advance.hpp>

#include <fmt/format.h>

#include <optional>

namespace pliant {
namespace {

void count(StepReport& total, const StepReport& part) {
  total.newton += part.newton;
  total.factorizations += part.factorizations;
  total.projections += part.projections;
  total.linear += part.linear;
}

}  // namespace

StepReport advance(Stepper& stepper, const System& system, State& state, double h,
                   const RetryLimits& limits, const Log& log) {
  // The step in units of its finest part: halves are exact, so the end is reached exactly.
  const double end = state.t + h;
  std::optional<State> start;  // kept from the first failure on, when nothing has moved yet
  const long whole = 1L << limits.max_halvings;
  StepReport total;
  long done = 0, part = whole;
  while (done < whole) {
    const double length = h * (static_cast<double>(part) / static_cast<double>(whole));
    const StepReport report = stepper.step(system, state, length);
    count(total, report);
    if (report.ok) {
      done += part;
      // Grow again only at a place where the larger part fits.
      while (part < whole && done % (2 * part) == 0 && done + 2 * part <= whole) part *= 2;
      continue;
    }
    if (!start) start = state;
    ++total.retries;
    if (part == 1 || 0.5 * length < limits.min_dt) {
      total.ok = false;
      total.reason = fmt::format("{} (smallest part tried: {} s, after {} retries)", report.reason,
                                 length, total.retries);
      state = *start;
      return total;
    }
    log.warn(fmt::format("a step of {} s failed: {}; trying halves", length, report.reason),
             state.t);
    part /= 2;
  }
  state.t = end;
  return total;
}

}  // namespace pliant
