// Which integrators, solvers, contact methods, constraints and bodies go together. Each part works
// by itself; what is refused here has no meaning, or would be wrong without a word.
#pragma once

#include <pliant/scene/description.hpp>

namespace pliant {

// Throws InputError with the place in the scene, the reason and what would do.
void require_sensible_combination(const SceneDescription& scene);

}  // namespace pliant
