// How far a sequence is from where it goes, from how fast its steps shrink: after a change c with
// the rate ρ some c ρ/(1 − ρ) are left. Small steps alone say nothing: what creeps has them, too.
// Steps of alternating methods swing on their way, so that the largest of the last few is held
// against the largest of those before them, and no rate is believed before both are there.
#pragma once

#include <pliant/core/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace pliant {

class RoundErrors {
 public:
  void start() { seen_ = 0; }  // what comes is not a continuation of what was
  void note(double change) {
    std::rotate(last_.begin(), last_.begin() + 1, last_.end());
    last_.back() = change;
    ++seen_;
  }
  double left() const {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    if (last_.back() == 0 && seen_ > 0) return 0;
    if (seen_ < last_.size()) return unknown;
    const auto middle = last_.begin() + kFew;
    const double before = *std::max_element(last_.begin(), middle),
                 now = *std::max_element(middle, last_.end());
    const double rate = std::pow(now / before, 1.0 / kFew);
    return rate < 1 ? now * rate / (1 - rate) : unknown;
  }

 private:
  static constexpr std::ptrdiff_t kFew = 4;
  std::array<double, 2 * kFew> last_ = {};  // changes, the newest at the end
  std::size_t seen_ = 0;
};

// The same for what never comes to rest, as wrinkled cloth between two of its wrinkles: while
// something creeps it goes twice as far in twice as many rounds; what goes no farther than before
// stays within a few times that of where it is.
class Doublings {
 public:
  void start() { rounds_ = 0, last_ = 0, bound_ = kUnknown; }
  void note(const Vector& x, const Vector& weights) {
    ++rounds_;
    if (rounds_ < kFirst || (rounds_ & (rounds_ - 1)) != 0) return;
    const double way = rounds_ == kFirst ? 0 : std::sqrt((x - mark_).cwiseAbs2().dot(weights));
    bound_ = last_ > 0 && way < kNoFarther * last_ ? kTimes * way : kUnknown;
    last_ = way;
    mark_ = x;
  }
  bool is_due() const { return rounds_ + 1 >= kFirst && (rounds_ & (rounds_ + 1)) == 0; }
  double bound() const { return bound_; }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  static constexpr double kNoFarther = 1.5, kTimes = 4;
  static constexpr int kFirst = 8;
  int rounds_ = 0;
  double last_ = 0, bound_ = kUnknown;
  Vector mark_;
};

}  // namespace pliant
