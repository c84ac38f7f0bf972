// Scenes with parts that no scene file can hold: laws and terms that a program brings along.
#pragma once

#include <pliant/material/batch_law.hpp>
#include <pliant/scene/build.hpp>

namespace pliant {

struct CustomParts {
  CustomLaws laws;  // materials of the scene whose model has such a name are of that law
  MakeTerms terms;  // that join the system; empty: none
};

// Like build_scene of scene/build.hpp.
BuiltScene build_scene(const SceneDescription& scene, const Log& log, std::span<const Mesh> meshes,
                       const CustomParts& parts);

}  // namespace pliant
