// Where an equation of a step is looked at, and what it is multiplied by.
#pragma once

#include <pliant/core/types.hpp>

#include <span>

namespace pliant {

struct StagePoint {
  double t = 0, gamma_q = 0, gamma_v = 0;  // s; both 0: the acceleration at the start of the step
  const Vector &q_p, &v_p;                 // at the start: q_n, v_n
  const Vector& lambda;             // N, multipliers of the solution; empty without constraints
  std::span<const char> held = {};  // rows whose multiplier is at a bound; empty: none
  bool at_start() const { return gamma_v == 0; }
};
// What the equations of a stage are multiplied by: w, zero outside of free coordinates, and y of
// the constraints.
struct EquationWeights {
  Vector w, y;
};

}  // namespace pliant
