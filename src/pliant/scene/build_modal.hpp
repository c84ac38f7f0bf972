// Damping of single modes, which takes what the whole scene is needed for. Private to the module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// Joins the system, whose pins are there already. Throws InputError where a body has no such modes.
void add_modal_damping(const SceneDescription& scene, Model& model);

}  // namespace pliant
