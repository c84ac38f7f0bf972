#include "scene_file.hpp"

#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/initial_intersections.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pliant::apps {

namespace {

template <class Action>
auto with_settings_named(const SceneFile& file, const Action& action) {
  const auto named = [&](const Error& error) {
    return name_settings(error.what(), file.path, file.assignments());
  };
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(named(error));
  } catch (const IntersectingStart&) {
    throw;  // it names bodies, no places in the file
  } catch (const InfeasibleStart& error) {
    throw InfeasibleStart(named(error));
  }
}

}  // namespace

std::vector<Assignment> SceneFile::assignments() const {
  std::vector<Assignment> all(settings.begin(), settings.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

LoadedScene load_scene(const SceneFile& file) {
  const std::filesystem::path path(file.path);
  const Vocabulary vocabulary = built_vocabulary();
  Json document = load_json(path);
  for (const Assignment& assignment : file.assignments())
    apply_setting(document, assignment, [&] { return resolve(document, vocabulary, file.path); });
  return with_settings_named(file, [&] {
    Json resolved = resolve(document, vocabulary, file.path);
    LoadedScene loaded;
    loaded.output_dt_given = document.contains(Json::json_pointer("/time/output_dt"));
    loaded.scene = describe(resolved, path.parent_path(), file.path);
    if (loaded.scene.name.empty()) loaded.scene.name = path.stem().string();
    loaded.json = pretty(resolved);
    loaded.document = document.dump();
    resolved["time"].erase("duration");
    const std::string fixed = resolved.dump();
    loaded.hash = fmt::format("{:016x}", xxh64(std::as_bytes(std::span(fixed))));
    return loaded;
  });
}

LoadedScene load_to_resume(const SceneFile& file, const std::filesystem::path& folder) {
  LoadedScene loaded = load_scene(file);
  if (loaded.output_dt_given) return loaded;
  const Json before = Json::parse(read_text(folder / "scene.json"), nullptr, false);
  const Json::json_pointer place("/time/output_dt");
  if (before.is_discarded() || !before.contains(place) || !before.at(place).is_number())
    return loaded;
  const double kept = before.at(place).get<double>();
  if (!(kept >= loaded.scene.time.dt)) return loaded;  // of another scene, which will be refused
  SceneFile with_it = file;
  with_it.settings.push_back(fmt::format("time.output_dt={}", kept));
  return load_scene(with_it);
}

BuiltScene build(const LoadedScene& loaded, const SceneFile& file, const Log& log) {
  return with_settings_named(file, [&] { return build_scene(loaded.scene, log); });
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

std::vector<std::string> oddities(const SceneDescription& scene) {
  std::vector<std::string> words;
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

}  // namespace pliant::apps
