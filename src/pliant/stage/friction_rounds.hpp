// How often a stage is solved with normal forces found anew, and how exactly each time. Newton's
// method finds them while it is on its way (friction_renewal.hpp), then solves the stage to its
// tolerance with what it has found, and once more, at most `lag` times in all, where the solution
// presses otherwise than was assumed, and each time does so less or more rounds than usual are
// asked for.
// Where it does not find them, and with constraints, forces and directions are held for rounds of
// iterations and found anew between them. As long as that changes them much a solution is not worth
// many digits: rough rounds end after a change of a hundredth, an iteration or two each.
#pragma once

#include <pliant/contact/friction_term.hpp>

#include <algorithm>

namespace pliant {

class FrictionRounds {
 public:
  // `friction` null: one exact round.
  explicit FrictionRounds(const FrictionTerm* friction)
      : options_(friction ? friction->options() : FrictionOptions{.lag = 1}),
        rough_(begins_rough()) {}

  // Exact ones, since forces were found on the way to the first; the last change there was `least`.
  void begin_exact(double least) {
    give_up_roughness();
    found_on_way_ = true;
    last_ = least;
  }
  bool rough() const { return rough_; }
  double tolerance(double exact) const { return rough_ ? std::max(exact, kRough) : exact; }
  bool renews() const { return options_.lag > 1; }
  // A round has ended. True where the forces at its end, which differ by `change`, are worth
  // another one.
  bool again(double change) {
    ++rounds_;
    if (found_on_way_) {
      const bool worth_it = change < kShrinks * last_ || options_.lag > FrictionOptions{}.lag;
      last_ = change;
      return change > kOfRough * options_.lag_change && worth_it && rounds_ < options_.lag;
    }
    if (!rough_) return change > bar() && rounds_ < options_.lag;
    if (change <= options_.lag_change || rounds_ >= kMostRough) give_up_roughness();
    return true;
  }
  // A rough round has found nothing: an exact one is to say why.
  void give_up_roughness() { rough_ = false, rounds_ = 0; }

 private:
  // Friction that follows the pressure late feeds vibrations, so at the first solution what its
  // forces miss must be small beside what counts as converged; those of the step's start never do.
  double bar() const {
    if (rounds_ > 1) return options_.lag_change;
    return begins_rough() ? kOfRough * options_.lag_change : -1;
  }
  // What restitution takes depends on the pressure far from the solution as well: it is found by
  // exact rounds alone.
  bool begins_rough() const { return options_.lag > 1 && !options_.has_loss(); }

  static constexpr double kRough = 1e-2, kOfRough = 0.03;
  static constexpr double kShrinks = 0.9;
  static constexpr int kMostRough = 12;
  FrictionOptions options_;
  bool rough_;
  int rounds_ = 0;
  bool found_on_way_ = false;
  double last_ = 0;
};

}  // namespace pliant
