// From the `coarsen` of a scene's body to its plan and its correction. Private to the module.
#pragma once

#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/coarsen/eigenfit_term.hpp>
#include <pliant/scene/build.hpp>

namespace pliant {

struct Coarsening {
  CoarsePlan plan;
  bool linear = false;
  double beta = 0;    // s, of Rayleigh damping
  double factor = 1;  // of the stiffness, by DAC
};

// Makes what the body is made of with another mesh.
using MakeSolid = std::function<SolidInput(const BodyDescription& body, Mesh mesh)>;

// The modes of both meshes and what follows from them; `solid` gets its stiffness changed (dac) and
// the surface of the fine mesh to carry.
Coarsening coarsen_body(const SceneDescription& scene, const BodyDescription& body,
                        const MakeSolid& make_solid, SolidInput& solid, const Log& log);

// Of all bodies that ask for it; what was found goes into the notes.
std::vector<std::optional<Coarsening>> coarsen_bodies(const SceneDescription& scene,
                                                      const MakeSolid& make_solid,
                                                      std::span<SolidInput> solids, const Log& log,
                                                      std::vector<std::string>& notes);

// The corrections of eigenfit join the system, whose pins are there already.
void add_corrections(const SceneDescription& scene,
                     const std::vector<std::optional<Coarsening>>& coarse, BuiltScene& built);

}  // namespace pliant
