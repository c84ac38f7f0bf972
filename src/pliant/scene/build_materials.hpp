// What the bodies of a scene are made of. Private to the module.
#pragma once

#include <pliant/scene/build_custom.hpp>

namespace pliant {

// The material of each element, as a number into `names`, and its Young's modulus where a formula
// gives it.
void assign_materials(const SceneDescription& scene, const BodyDescription& body,
                      const std::vector<std::string>& names, const CustomLaws& laws,
                      SolidInput& solid);

DampingLaw make_damping_law(const DampingDescription& damping, const Mesh& mesh);

// What does not go with laws that a program brings: InputError.
void require_custom_laws_make_sense(const SceneDescription& scene, const CustomLaws& laws);

}  // namespace pliant
