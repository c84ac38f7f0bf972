#include <pliant/scene/build_plasticity.hpp>

#include <pliant/core/refusals.hpp>
#include <pliant/scene/build_constraints.hpp>

namespace pliant {

void add_plasticity(const SceneDescription& scene, Model& model) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const std::optional<PlasticLaw>& law = scene.bodies[k].plasticity;
    if (!law) continue;
    if (strain_measure_of(scene, scene.bodies[k]))
      refuse(Refusal::strain_plasticity, scene.bodies[k].where + "/plasticity",
             scene.bodies[k].name);
    for (Body::Batch& batch : model.bodies[k].batches) {
      auto term = std::make_unique<PlasticTerm>(dynamic_cast<const LocalElastic&>(*batch.term),
                                                view(model.system->rest()), *law);
      batch.plastic = term.get();
      model.system->add_plasticity(std::move(term));
    }
  }
}

}  // namespace pliant
