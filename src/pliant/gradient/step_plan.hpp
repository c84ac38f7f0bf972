// A step of a stage-based method as data, for whoever has to go through it backwards: each stage
// starts from linear combinations of what was known before it,
//   q_p = α q_n + β q_{n−1} + h Σ_{j<i} a_ij v_j,    v_p = α v_n + β v_{n−1} + h Σ_{j<i} a_ij a_j,
// and has γq = γv = γ h (DESIGN §2).
#pragma once

#include <pliant/core/types.hpp>

#include <string>
#include <vector>

namespace pliant {

struct PlannedStage {
  double c = 0;      // its time, in steps from the step's start
  double gamma = 0;  // 0: explicit, the state and acceleration at the start
  double alpha = 1, beta = 0;
  std::vector<double> a;  // of the stages before it
};

struct StepPlan {
  std::vector<PlannedStage> stages;
  std::vector<double> b;  // weights of the result; empty: the last stage is the result
};

// Of the method's step number n, counted from 0, all of the same length. Throws InputError for
// methods that are no lists of such stages.
StepPlan plan_step(const std::string& integrator, std::size_t n);

}  // namespace pliant
