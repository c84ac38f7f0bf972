// The chain of rigid_links.hpp by six coordinates a body, TOURNIER's own: place and rotation, with
// ball joints whose geometric stiffness (22) is not symmetric. The engine's bodies are particles on
// rods instead, where it is; so what the paper says of its symmetric part is tried on these.
#pragma once

#include <pliant/reproduce/rigid_links.hpp>

namespace pliant {

enum class RotationStiffness { off, exact, symmetric };
std::string_view name_of(RotationStiffness stiffness);

// One linear solve (21) a step with backward Euler, judged as `swing` is. Joints are balls.
Swing swing_by_rotations(const LinkChain& chain, RotationStiffness stiffness, double h,
                         double duration);

}  // namespace pliant
