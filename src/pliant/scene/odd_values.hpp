// What is legal and hardly meant: values that do not fit the sizes of the scene, pins against each
// other, displacements that do not begin at zero.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// Says them as warnings, and notes them in built.notes.
void warn_of_odd_values(const SceneDescription& scene, const Log& log, BuiltScene& built);

}  // namespace pliant
