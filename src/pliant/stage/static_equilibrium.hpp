// The equilibrium f(t, q, 0) = 0 under the loads at time t: the minimum of U where there is one.
// Bodies that nothing holds have none, and are reported.
#pragma once

#include <pliant/solve/newton.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

struct StaticReport {
  bool ok = true;
  std::string reason;
  int newton = 0, load_steps = 1;
  long linear = 0;
};

// From state.q, which receives the equilibrium; velocities become zero. Where Newton's method
// fails, it is helped by following the minimisers of U + κ/2 ‖q − q_k‖²_M with falling κ.
[[nodiscard]] StaticReport find_equilibrium(const System& system, State& state,
                                            const SolverOptions& options);

// With constraints and contact: a walk of backward Euler steps, each from where the last one ended
// and without its velocity, which are the minimisers of U + ‖q − q_k‖²_M/2h², and longer and
// longer. Friction holds what it can on the way.
[[nodiscard]] StaticReport walk_to_equilibrium(const System& system, State& state,
                                               const SolverOptions& options);

}  // namespace pliant
