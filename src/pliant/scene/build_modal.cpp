#include <pliant/scene/build_modal.hpp>

#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/coarsen/modal_damping.hpp>
#include <pliant/core/error.hpp>
#include <pliant/scene/build_constraints.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

// Rigid bodies are refused with all other damping of strains.
void require_modes(const SceneDescription& scene, const BodyDescription& body,
                   const std::string& where) {
  const char* problem = nullptr;
  if (body.frames)
    problem =
        "does not act on bodies on frames, which have few modes of their own; \"strain-rate\" and "
        "\"rayleigh\" do";
  else if (body.type != "solid")
    problem = "acts on solids alone; cloth and cables take \"strain-rate\" and \"rayleigh\"";
  else if (strain_measure_of(scene, body))
    problem =
        "needs a stiffness to find modes by, and the elasticity of this body is constraints "
        "(\"strain\"); \"strain-rate\" does not";
  else if (body.coarsen && !body.coarsen->young_only)
    problem =
        "goes by the frequencies of the coarse mesh, which eigenfit changes; dac goes with it";
  if (problem) throw InputError(fmt::format("{}: \"modal\" {}", where, problem));
}

}  // namespace

// The pins of the system are those of the bodies in turn.
void add_modal_damping(const SceneDescription& scene, Model& model) {
  System& system = *model.system;
  std::size_t first = 0;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodyDescription& body = scene.bodies[k];
    const auto pins = system.pins().subspan(first, body.pins.size());
    first += pins.size();
    for (const DampingDescription& damping : body.damping) {
      if (!damping.modal) continue;
      require_modes(scene, body, damping.where);
      try {
        system.add_term(
            std::make_unique<ModalDamping>(ModalDampingInput{.body = body.name,
                                                             .nodes = nodes_of(model.bodies[k]),
                                                             .pins = {pins.begin(), pins.end()},
                                                             .law = *damping.modal},
                                           system.mass(), system.rest()));
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}/{}", damping.where, error.what()));
      }
    }
  }
}

}  // namespace pliant
