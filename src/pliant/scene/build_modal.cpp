#include <pliant/scene/build_modal.hpp>

#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/coarsen/modal_damping.hpp>
#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/scene/build_constraints.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

// Rigid bodies are refused with all other damping of strains.
void require_modes(const SceneDescription& scene, const BodyDescription& body,
                   const std::string& where) {
  if (body.frames) refuse(Refusal::modal_frames, where);
  if (body.type != "solid") refuse(Refusal::modal_thin, where);
  if (strain_measure_of(scene, body)) refuse(Refusal::modal_strain, where);
  if (body.coarsen && !body.coarsen->young_only) refuse(Refusal::modal_eigenfit, where);
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
