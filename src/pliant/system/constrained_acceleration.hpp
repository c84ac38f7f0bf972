// The acceleration of a system with constraints, for the first step and for explicit stages:
//   M a = f + Jᵀ λ,     J a = −vᵀ ∇²φ v for hard rows,     λ = −φ/C for the others.
#pragma once

#include <pliant/solve/kkt_solver.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

// On entry `a` holds the prescribed accelerations in its masked places. False where M and J do not
// determine it.
[[nodiscard]] bool find_constrained_acceleration(const System& system, const DofMask& mask,
                                                 const Configuration& c, std::span<const double> f,
                                                 std::span<double> a);

}  // namespace pliant
