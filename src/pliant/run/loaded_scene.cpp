#include <pliant/run/loaded_scene.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/initial_intersections.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pliant {

LoadedScene read_scene(const Json& document, const SceneOrigin& origin) {
  return read_scene(document, origin, {});
}

LoadedScene read_scene(const Json& document, const SceneOrigin& origin,
                       const std::map<std::string, std::string>& models) {
  Json resolved = resolve(document, built_vocabulary(), origin.name);
  LoadedScene loaded;
  loaded.output_dt_given = document.contains(Json::json_pointer("/time/output_dt"));
  loaded.scene = describe(resolved, origin.folder, origin.name);
  if (loaded.scene.name.empty())
    loaded.scene.name = std::filesystem::path(origin.name).stem().string();
  for (const auto& [material, model] : models) {
    loaded.scene.materials.at(material).model = model;
    resolved["materials"][material]["model"] = model;
  }
  loaded.json = pretty(resolved);
  loaded.document = document.dump();
  resolved["time"].erase("duration");
  const std::string fixed = resolved.dump();
  loaded.hash = fmt::format("{:016x}", xxh64(std::as_bytes(std::span(fixed))));
  return loaded;
}

BuiltScene build_for(const std::filesystem::path& folder, ExistingResults existing,
                     const std::function<BuiltScene()>& build) {
  try {
    return build();
  } catch (const IntersectingStart& start) {
    const auto file = write_intersections(folder, existing, start.triangles);
    throw InfeasibleStart(fmt::format("{}; the triangles are in {}", start.what(), file.string()));
  }
}

namespace {

// Scenes keep keys of several methods, to be run with one or the other; nobody should wonder why
// one changes nothing.
void add_unread_keys(const SceneDescription& scene, std::vector<std::string>& words) {
  const SolverDescription& solver = scene.solver;
  if (solver.type != "admm" &&
      (solver.iterations != 0 || solver.weights != 1 || solver.acceleration != 0))
    words.push_back(
        fmt::format("{}: \"iterations\", \"weights\" and \"acceleration\" are for \"type\": "
                    "\"admm\"; {} does not read them",
                    solver.where, solver.type));
  const ContactDescription& contact = scene.contact;
  if (contact.slip_speed && contact.stick)
    words.push_back(contact.where +
                    "/slip_speed: is for \"stick\": false; friction that sticks does not read it");
  if (contact.stiffness && contact.method != "barrier")
    words.push_back(fmt::format("{}/stiffness: is for \"method\": \"barrier\"; {} does not read it",
                                contact.where, contact.method));
  if (contact.method == "barrier" && contact.restitution.value_or(0) > 0 &&
      contact.restitution.value_or(1) < 1 && scene.integrator.type == "be")
    words.push_back(
        contact.where +
        "/restitution: be stops what hits, but in steps of a tenth of \"distance\" over "
        "the speed of impact; trbdf2 gives back the part that is asked for in longer "
        "ones, too");
  if (contact.method == "none" && (contact.friction > 0 || contact.distance))
    words.push_back(fmt::format(
        "{}: nothing touches, since there is no \"method\"; \"barrier\" is one", contact.where));
}

}  // namespace

std::vector<std::string> oddities(const SceneDescription& scene) {
  std::vector<std::string> words;
  add_unread_keys(scene, words);
  const auto is_tied = [&scene](const std::string& body) {
    return std::any_of(scene.constraints.begin(), scene.constraints.end(),
                       [&](const ConstraintDescription& constraint) {
                         return constraint.body == body || constraint.other_body == body;
                       });
  };
  for (const BodyDescription& body : scene.bodies)
    if (body.pins.empty() && !is_tied(body.name) && !scene.gravity.isZero(0) &&
        scene.obstacles.empty())
      words.push_back(fmt::format("body \"{}\" has no pin and will fall freely", body.name));
  return words;
}

}  // namespace pliant
