// What of a state goes on where a scene is changed while it runs.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// Throws InfeasibleStart where bodies intersect by now that contact of the changed scene would have
// to keep apart: it would keep them tangled for good.
void require_can_go_on(const BuiltScene& next, const State& state);

// Drops what only the contact that was there before has left in the state.
void leave_behind(const BuiltScene& next, State& state);

}  // namespace pliant
