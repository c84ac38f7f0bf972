// A trial made anew from a checkpoint of another, which goes on beside it for some steps: the same
// bits (I8), with any number of threads (I9).
#pragma once

#include <reliability/trial.hpp>
#include <reliability/watch.hpp>

#include <pliant/io/checkpoint.hpp>

namespace pliant::reliability {

class Twin {
 public:
  static constexpr int kSteps = 3;

  // With 0 threads: as many as the other has.
  Twin(const World& world, const Combination& combination, const SolverOptions& options,
       const Checkpoint& checkpoint, int threads);

  // Makes the step that has brought the other to `state`. Empty where both are at the same place.
  std::string follow(const State& state);
  int steps() const { return steps_; }

 private:
  const World& world_;
  double h_;
  SolverOptions options_;
  int threads_, steps_ = 0;
  Watch watch_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
};

}  // namespace pliant::reliability
