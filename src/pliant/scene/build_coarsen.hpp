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

// What was found, in a sentence.
std::string in_words(const BodyDescription& body, const Coarsening& coarsening);

// The correction of eigenfit; the pins are those of the body in the system. Null for dac.
std::unique_ptr<EigenFitTerm> make_correction(const BodyDescription& description, const Body& body,
                                              std::vector<Pin> pins, const Coarsening& coarsening,
                                              const System& system);

}  // namespace pliant
