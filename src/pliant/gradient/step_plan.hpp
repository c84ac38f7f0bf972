// A step of a stage-based method as data, for whoever has to go through it backwards: each stage
// starts from linear combinations of what was known before it,
//   q_p = α q_n + β q_{n−1} + h Σ_{j<i} (a_j v_j + h d_j a_j),
//   v_p = α v_n + β v_{n−1} + h Σ_{j<i} b_j a_j,
// with the velocities v_j and accelerations a_j of the stages before.
#pragma once

#include <pliant/integrate/stepper.hpp>

#include <string>
#include <vector>

namespace pliant {

struct PlannedStage {
  enum class Kind {
    solved,
    start,   // the state and the acceleration at the start of the step
    carried  // an acceleration that the method carries from step to step beside the state; no v
  };
  Kind kind = Kind::solved;
  double c = 0;                     // its time, in steps from the step's start
  double gamma_q = 0, gamma_v = 0;  // in steps
  double alpha = 1, beta = 0;
  // Of the stages before it, for v_j in q_p, a_j in v_p and h a_j in q_p; empty: none.
  std::vector<double> a = {}, b = {}, d = {};
};

struct StepPlan {
  std::vector<PlannedStage> stages;
  std::vector<double> weights = {};  // of the result; empty: the last stage is the result
  // Where an acceleration A is carried, stage 1 of the plan, with v₁ = v + h ((1 − γ) A + γ A₁); 0:
  // none is. A begins as the acceleration at the start.
  double carry_gamma = 0;
};

// Of the method's step number n, counted from 0, all of the same length. Throws InputError for
// methods that are no lists of such stages.
StepPlan plan_step(const IntegratorOptions& integrator, std::size_t n);

}  // namespace pliant
