// The forces of contact and of constraints on the nodes of a state, N: what probes add up over a
// body, and what frames show.
#pragma once

#include <pliant/system/system.hpp>

namespace pliant {

bool has_contact(const System& system);

// Empty where nothing can touch.
Vector contact_force(const System& system, const State& state);

// M a − f, what the step's equations leave to constraints, on nodes that are solved for; zero
// before the first step. Empty where there are none.
Vector constraint_force(const System& system, const State& state);

// The sum over the nodes from `first` to before `end`.
Vec3 force_on(const Vector& force, Index first, Index end);

}  // namespace pliant
