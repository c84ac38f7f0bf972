// How exactly the stages of a step are worth solving, where a scene leaves that to the program:
// "tolerance": "auto". A stage solved to η misses velocities by up to η times the largest; the
// method itself misses them by about
//   e = h^(p+1) |v^(p+1)| / (p+1)!
// in a step, p its order. η is a part of that which nobody finds beside the rest, within bounds.
//
// Derivatives of v come from differences of accepted steps: Δv and Δ²v, and for orders above one
// the ratio of the two, |Δ²v|/|Δv|, once more for each order. Where motions of several rates add
// up, that is less than the true difference: η errs on the small side. So it does by measuring e in
// the mean over all masses, and η by the largest velocity.
//
// One violent step says nothing about the next: the calmest of the last few counts. And what holds
// by friction asks for more than its part of an error: a contact that is pushed about within the
// length that it holds within must not creep.
//
// Made of numbers of the states alone, so that runs repeat, whatever the threads and the clock.
#pragma once

#include <pliant/system/system.hpp>

#include <array>
#include <vector>

namespace pliant {

class StageTolerance {
 public:
  // The solver's usual tolerance, which is never gone below, and the one that is never gone above.
  static constexpr double tightest = 1e-8, loosest = 1e-4;

  // `order` of the method; η stays below `most` as well, where somebody else measures errors.
  explicit StageTolerance(int order, double most = loosest);

  // Before a step of about h from `state`, and after it was accepted: `state` learns what its
  // stages are to be solved to.
  void open(const System& system, State& state, double h);
  void close(const System& system, const State& state);

  // What later steps depend on, for checkpoints: an acceleration and a few numbers.
  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  double error_of_method(const NodeMatrix& M, double h);
  double most_beside_friction(const System& system, double h) const;

  static constexpr std::size_t kSteps = 4;  // the calmest of so many counts

  int order_;
  double most_;
  double t_ = 0;       // s, where the step at hand began
  Vector v_;           // m/s, there
  Vector a_, next_a_;  // m/s², on an average over the last step; empty before the first
  double h_ = 0;       // s, of that
  double speed_ = 0;   // m/s: the largest velocity, or change of one, in that
  // Of the last steps, m/s in the mean; 0 where there was none yet, so that stages begin exact.
  std::array<double, kSteps> errors_;
};

}  // namespace pliant
