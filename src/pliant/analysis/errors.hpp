// How far two states are apart, and at which order that falls with the step.
#pragma once

#include <pliant/system/system.hpp>

namespace pliant {

struct StateError {
  double q = 0;  // ‖q − q*‖_M / ‖q* − q₀‖_M: relative to how far the reference moved
  double v = 0;  // ‖v − v*‖_M / ‖v*‖_M
};

double mass_norm(const NodeMatrix& M, const Vector& x);  // √(xᵀ M x)

// Of `state` against `reference`, which started from `start`. Where the reference did not move or
// rests, the error is absolute.
StateError state_error(const NodeMatrix& M, const State& start, const State& reference,
                       const State& state);

// log(e_k/e_{k+1}) / log(h_k/h_{k+1}) for successive steps; NaN where an error is zero or not
// finite.
std::vector<double> measured_orders(std::span<const double> h, std::span<const double> errors);

}  // namespace pliant
