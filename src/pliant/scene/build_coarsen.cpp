#include <pliant/scene/build_coarsen.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/scene/build_carried.hpp>
#include <pliant/scene/build_loads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace pliant {
namespace {

// The body alone, for its modes.
Model model_of(SolidInput solid) {
  solid.skin.reset();
  solid.damping.clear();
  solid.alpha = solid.beta = 0;
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  return make_model(std::move(solids));
}

std::vector<Pin> pins_of(const BodyDescription& description, const Body& body) {
  std::vector<Pin> pins;
  for (const PinDescription& pin : description.pins)
    pins.push_back(
        {select_system_nodes(body, pin.selection, pin.where), pin.axes, {}, pin.from, pin.until});
  return pins;
}

std::vector<HeldNodes> fine_pins(const BodyDescription& description, const Body& fine) {
  std::vector<HeldNodes> pins;
  for (const PinDescription& pin : description.pins) {
    if (std::holds_alternative<SelectNodes>(pin.selection))
      throw InputError(fmt::format(
          "{}: nodes by number are others on the fine mesh of \"coarsen\"; a box, a sphere or a "
          "plane selects the same place on both",
          pin.where));
    try {
      pins.push_back({select_system_nodes(fine, pin.selection, pin.where), pin.axes});
    } catch (const InputError& error) {
      throw InputError(fmt::format("on the fine mesh of \"coarsen\", {}", error.what()));
    }
  }
  return pins;
}

void require_plain(const BodyDescription& body, const SolidInput& solid) {
  const std::string where = body.where + "/coarsen";
  if (body.plasticity) refuse(Refusal::coarsen_plasticity, where);
  if (solid.strain) refuse(Refusal::coarsen_strain, where);
}

int refresh_of(const CoarsenDescription& said) {
  if (const int* steps = std::get_if<int>(&said.refresh)) return *steps;
  return std::get<std::string>(said.refresh) == "never" ? kModesNever : kModesAuto;
}

// What was found, in a sentence.
std::string in_words(const BodyDescription& body, const Coarsening& coarsening) {
  const RestFit& fit = *coarsening.plan.fits[0];
  if (fit.values.size() == 0)
    return fmt::format("body \"{}\" is held everywhere: nothing of it is corrected", body.name);
  const auto hertz = [](double lambda) { return std::sqrt(lambda) / (2 * std::numbers::pi); };
  const auto head =
      fit.ratios.head(std::min<Eigen::Index>(coarsening.plan.modes, fit.ratios.size()));
  const std::string test = fit.overlap.size() == 0
                               ? std::string("ratios as given")
                               : fmt::format("{} of {} shapes of the fine mesh are known again",
                                             fit.acceptance.known, fit.acceptance.of);
  if (body.coarsen->young_only)
    return fmt::format(
        "body \"{}\": dac scales its stiffness by {:.4g}, so that its first mode has {:.4g} Hz "
        "like the fine mesh, not {:.4g} Hz; {}",
        body.name, coarsening.factor, hertz(fit.values[0] * coarsening.factor),
        hertz(fit.values[0]), test);
  return fmt::format(
      "body \"{}\": eigenfit corrects {} modes by ratios from {:.4g} to {:.4g}, the first from "
      "{:.4g} Hz to {:.4g} Hz; {}",
      body.name, head.size(), head.minCoeff(), head.maxCoeff(), hertz(fit.values[0]),
      hertz(fit.values[0] * fit.ratios[0]), test);
}

// The correction of eigenfit; the pins are those of the body in the system. Null for dac.
std::unique_ptr<EigenFitTerm> make_correction(const BodyDescription& description, const Body& body,
                                              std::vector<Pin> pins, const Coarsening& coarsening,
                                              const System& system) {
  const CoarsenDescription& said = *description.coarsen;
  if (said.young_only) return nullptr;
  EigenFitInput input{
      .body = body.name,
      .nodes = nodes_of(body),
      .linear = coarsening.linear,
      .beta = coarsening.beta,
      .pins = std::move(pins),
      .fits = coarsening.plan.fits,
      .options = {.modes = coarsening.plan.modes,
                  .subspace = coarsening.plan.subspace,
                  .refresh = refresh_of(said),
                  .pairing = said.by_overlap ? ModePairing::overlap : ModePairing::index}};
  if (said.on_failure == "off") input.options.on_failure = FailurePolicy::off;
  if (said.on_failure == "stop") input.options.on_failure = FailurePolicy::stop;
  const Eigen::Index first = 3 * static_cast<Eigen::Index>(input.nodes.first),
                     count = 3 * static_cast<Eigen::Index>(input.nodes.end) - first;
  Vector rest = system.rest().segment(first, count);
  return std::make_unique<EigenFitTerm>(std::move(input), system.mass(), std::move(rest));
}

}  // namespace

Coarsening coarsen_body(const SceneDescription& scene, const BodyDescription& body,
                        const MakeSolid& make_solid, SolidInput& solid, const Log& log) {
  const CoarsenDescription& said = *body.coarsen;
  require_plain(body, solid);
  const Model coarse = model_of(solid);
  const std::vector<Pin> pins = pins_of(body, coarse.bodies[0]);
  CoarseRequest request{.modes = {},
                        .subspace = said.subspace,
                        .pairing = said.by_overlap ? ModePairing::overlap : ModePairing::index,
                        .ratios = said.ratios,
                        .where = said.where};
  if (said.modes) request.modes = *said.modes;
  std::optional<FineReference> fine;
  if (said.fine) {
    BodyDescription other = body;
    other.embed.reset();
    other.coarsen.reset();
    const std::string where = said.where + "/fine";
    Mesh mesh = build_mesh(*said.fine, where, log);
    if (mesh.top_dimension() != 3)
      throw InputError(where + ": a fine mesh of solid elements is needed");
    apply(body.transform, mesh);
    const bool drawn = said.show_fine && !solid.skin && scene.contact.method != "qp" &&
                       scene.solver.type != "admm";
    if (drawn) solid.skin = skin_of(mesh, where);
    Model model = model_of(make_solid(other, std::move(mesh)));
    std::vector<HeldNodes> held = fine_pins(body, model.bodies[0]);
    fine.emplace(std::move(model), std::move(held), coarse.bodies[0].mesh, where);
    request.fine = &*fine;
  }
  Coarsening out;
  out.plan = make_coarse_plan(coarse, pins, request, ModeCache::of_user(), log);
  const auto& batches = coarse.bodies[0].batches;
  out.linear = std::all_of(batches.begin(), batches.end(),
                           [](const Body::Batch& batch) { return batch.term->is_linear(); });
  out.beta = solid.beta;
  if (said.young_only) {
    out.factor = stiffness_factor(*out.plan.fits[0], out.plan.modes);
    scale_stiffness(out.factor, solid);
  }
  return out;
}

std::vector<std::optional<Coarsening>> coarsen_bodies(const SceneDescription& scene,
                                                      const MakeSolid& make_solid,
                                                      std::span<SolidInput> solids, const Log& log,
                                                      std::vector<std::string>& notes) {
  std::vector<std::optional<Coarsening>> coarse(solids.size());
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const BodyDescription& body = scene.bodies[k];
    if (!body.coarsen) continue;
    coarse[k] = coarsen_body(scene, body, make_solid, solids[k], log);
    notes.push_back(in_words(body, *coarse[k]));
    if (!coarse[k]->plan.fits[0]->acceptance.passed())
      log.warn(notes.back() + ": the coarse mesh is too coarse for that");
  }
  return coarse;
}

// The pins of the system are those of the bodies in turn.
void add_corrections(const SceneDescription& scene,
                     const std::vector<std::optional<Coarsening>>& coarse, BuiltScene& built) {
  System& system = *built.model.system;
  std::size_t first = 0;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const auto pins = system.pins().subspan(first, scene.bodies[k].pins.size());
    first += pins.size();
    if (!coarse[k]) continue;
    auto term = make_correction(scene.bodies[k], built.model.bodies[k], {pins.begin(), pins.end()},
                                *coarse[k], system);
    if (!term) continue;
    built.corrections.push_back(term.get());
    system.add_term(std::move(term));
  }
}

}  // namespace pliant
