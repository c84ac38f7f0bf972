// Whether conjugate gradients use their coarse level, decided by counts: it is tried where plain
// iterations are many, stays while each iteration with it gains more than it costs, and is left
// where few are needed. Where it gains too little, solves that could use it do without for a while,
// twice as long each time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace pliant {

class LevelChoice {
 public:
  static constexpr long kPlainIterations = 40;  // before it is tried

  bool begins() const { return used_; }
  // After so many plain iterations that shrank the squared residual to a part: try it now?
  bool is_worth_trying(double part) {
    plain_gain_ = -std::log(part) / kPlainIterations;
    if (waits_ == 0) return true;
    --waits_;
    return false;
  }
  // The same of iterations with it, at the end of a solve.
  void judge(double part, long iterations) {
    if (-std::log(part) < kWorth * plain_gain_ * static_cast<double>(iterations)) {
      used_ = false;
      waits_ = patience_;
      patience_ = std::min(2 * patience_, 4096L);
    } else {
      used_ = iterations > kFewIterations;
      patience_ = kFirstPatience;
    }
  }

  static constexpr std::size_t kMemory = 4;
  std::array<double, kMemory> memory() const {
    return {used_ ? 1.0 : 0.0, plain_gain_, static_cast<double>(waits_),
            static_cast<double>(patience_)};
  }
  void restore(std::span<const double> memory) {
    used_ = memory[0] != 0;
    plain_gain_ = memory[1];
    waits_ = static_cast<long>(memory[2]);
    patience_ = static_cast<long>(memory[3]);
  }

 private:
  static constexpr long kFewIterations = 12, kFirstPatience = 8;
  static constexpr double kWorth = 1.4;  // an iteration with it costs about a quarter more

  bool used_ = false;
  double plain_gain_ = 0;
  long waits_ = 0, patience_ = kFirstPatience;
};

}  // namespace pliant
