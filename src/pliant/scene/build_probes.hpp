// From the probes of a scene to what they watch. Private to the module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// After bodies, constraints and threads.
void add_probes(const SceneDescription& scene, BuiltScene& built);

}  // namespace pliant
