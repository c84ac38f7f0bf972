// One step of exactly h, come what may: a step that fails is redone in halves, and halves of
// halves, down to a limit, and every retry is said.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/integrate/stepper.hpp>

namespace pliant {

struct RetryLimits {
  int max_halvings = 10;
  double min_dt = 0;  // s; no part of a step becomes shorter
  long max_work = 0;  // iterations of all parts and repetitions; 0: as many as it takes
  // Where it says so the step is dropped: after a part, which the stepper may have been told too.
  Interruption interrupted = {};
};

// On failure the report says what failed and after which retries, and the state is as it was.
[[nodiscard]] StepReport advance(Stepper& stepper, const System& system, State& state, double h,
                                 const RetryLimits& limits, const Log& log);

}  // namespace pliant
