// Friction while Newton's method is on its way. Normal forces are those of where it has got to,
// found anew before every iteration, and what smooths the step from holding to sliding is no finer
// than a part of how far the last iteration went: what it will still move cannot be told to hold
// within less. Both come to rest together with Newton's method, so that a stage costs hardly more
// iterations than one whose forces are known.
// Some forces never come to rest: a point that presses next to a corner does so on one side of it
// and, once friction has followed, on the other. Those that swing are taken in part
// (relax in friction_set.hpp), and where all of them together no longer shrink they are kept.
#pragma once

#include <pliant/contact/friction_term.hpp>

#include <algorithm>
#include <limits>

namespace pliant {

class FrictionRenewal {
 public:
  // Renews from here on, or (null) holds what there is.
  void start(const FrictionTerm* friction) {
    usual_ = friction ? friction->options().epsilon : 0;
    holds_ = !friction;
    nothing_ = false;
    gave_up_ = false;
    renewals_ = idle_ = 0;
    least_ = std::numeric_limits<double>::infinity();
  }
  void hold() { holds_ = true; }
  bool holds() const { return holds_; }
  // Nothing is left to be found: all that is missing is Newton's.
  bool is_settled() const { return holds_ || nothing_; }
  // Forces were held though they still changed.
  bool gave_up() const { return gave_up_; }
  double least_change() const { return least_; }

  void nothing_rubs() { nothing_ = true; }
  // An iteration went the part `step` of a change of this relative size and moved what rubs by no
  // more than `moved`, m (or m/s); forces found anew differ by `force_change`. The ε to go on with.
  double next(double change, double step, double moved, double force_change) {
    nothing_ = false;
    const double epsilon = std::clamp(kFiner * moved, usual_, kCoarsest * usual_);
    if (epsilon == usual_ && force_change <= kSettled) holds_ = true;
    if (force_change < kShrinks * least_)
      least_ = force_change, idle_ = 0;
    else if (change < kNear && step > kMost)
      ++idle_;
    if (++renewals_ < kMostRenewals && idle_ <= kPatience) return epsilon;
    gave_up_ = !holds_;
    holds_ = true;
    return usual_;
  }

 private:
  static constexpr double kFiner = 0.1;               // ε over the last way
  static constexpr double kCoarsest = 1e3;            // of the usual ε
  static constexpr double kSettled = 3e-5;            // of the forces: what changes less is kept
  static constexpr double kShrinks = 0.7;             // in a renewal; what does so less is idle
  static constexpr double kNear = 0.05, kMost = 0.5;  // iterations that count
  static constexpr int kPatience = 4, kMostRenewals = 40;

  double usual_ = 0, least_ = 0;
  bool holds_ = true, nothing_ = false, gave_up_ = false;
  int renewals_ = 0, idle_ = 0;
};

}  // namespace pliant
