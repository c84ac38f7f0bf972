#include "scene_file.hpp"

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/recorder.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/initial_intersections.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>

#include <fmt/format.h>

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
    return read_scene(document, {file.path, path.parent_path()});
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

void require_can_run(const LoadedScene& loaded, const SceneFile& file) {
  with_settings_named(file, [&] { const Pace possible(loaded.scene); });
}

namespace {

// A probe of a single number gives its name to a column.
void require_columns_differ(const SceneDescription& scene, const BuiltScene& built) {
  const std::string name = repeated_column(columns_of(built));
  for (const ProbeDescription& probe : scene.probes)
    if (!name.empty() && probe.name == name)
      throw InputError(
          fmt::format("{}/name: history.csv has another column \"{}\"; name the probe otherwise",
                      probe.where, name));
}

}  // namespace

BuiltScene build(const LoadedScene& loaded, const SceneFile& file, const Log& log) {
  return with_settings_named(file, [&] {
    BuiltScene built = build_scene(loaded.scene, log);
    require_columns_differ(loaded.scene, built);
    return built;
  });
}

}  // namespace pliant::apps
