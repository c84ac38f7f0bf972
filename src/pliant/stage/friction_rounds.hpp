// How often a stage is solved with normal forces found anew, and how exactly each time. Forces and
// directions of friction are held while Newton's method goes on, and found anew where it has got
// to. As long as that changes them much a solution is not worth many digits: rough rounds end
// after a change of a hundredth, which is an iteration or two each. Once hardly anything changes
// the stage is solved to its tolerance, and once more, at most `lag` times in all, where the
// solution presses otherwise than was assumed.
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

  bool rough() const { return rough_; }
  double tolerance(double exact) const { return rough_ ? std::max(exact, kRough) : exact; }
  bool renews() const { return options_.lag > 1; }
  // A round has ended. True where the forces at its end, which differ by `change`, are worth
  // another one.
  bool again(double change) {
    ++rounds_;
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
  static constexpr int kMostRough = 12;
  FrictionOptions options_;
  bool rough_;
  int rounds_ = 0;
};

}  // namespace pliant
