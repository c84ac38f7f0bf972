// From the `plasticity` of a scene's bodies to terms. Private to the module.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/scene/description.hpp>

namespace pliant {

void add_plasticity(const SceneDescription& scene, Model& model);

}  // namespace pliant
