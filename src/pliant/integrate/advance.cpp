#include <pliant/integrate/advance.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

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

// What acted over a step that is made in parts and what it took, see State; nothing where that is
// not known of one of them.
class PartsOfMean {
 public:
  explicit PartsOfMean(const System& system) : system_(system) {}
  void add(const State& state, double part) {
    if (std::exchange(first_, false)) sum_.set_zero(system_);
    if (state.mean_force)
      sum_.add(part, *state.mean_force);
    else
      known_ = false;
    if (!state.taken) taken_ = std::nullopt;
    if (taken_) taken_->damping += state.taken->damping, taken_->friction += state.taken->friction;
    rubbed_apart_ += state.rubbed_apart;
  }
  void give_to(State& state) const {
    state.mean_force = known_ ? std::make_shared<const ActingForces>(sum_) : nullptr;
    state.taken = taken_;
    state.rubbed_apart = rubbed_apart_;
  }

 private:
  const System& system_;
  ActingForces sum_;
  bool first_ = true;
  std::optional<EnergyTaken> taken_ = EnergyTaken{};
  double rubbed_apart_ = 0;
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
  PartsOfMean force(system);
  long done = 0, part = whole;
  while (done < whole) {
    const double length = h * (static_cast<double>(part) / static_cast<double>(whole));
    state.taken = std::nullopt;
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
    if (limits.max_work > 0 && total.work + total.retries > limits.max_work) {
      state = start;
      return total.fail(
          fmt::format("it gets nowhere: work of {:.0f} iterations in parts down to {:.3g} s, and "
                      "at {:.6g} s still {} "
                      "(\"solver.max_work\" and \"time.min_dt\" say when to give up)",
                      total.work, length, before.t, report.reason));
    }
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
  if (part < whole) force.give_to(state);
  return total;
}

}  // namespace pliant
