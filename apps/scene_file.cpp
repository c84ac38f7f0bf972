#include "scene_file.hpp"

#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::apps {

namespace {

template <class Action>
auto with_settings_named(const SceneFile& file, const Action& action) {
  const auto named = [&](const Error& error) {
    return name_settings(error.what(), file.path, file.settings);
  };
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(named(error));
  } catch (const InfeasibleStart& error) {
    throw InfeasibleStart(named(error));
  }
}

}  // namespace

LoadedScene load_scene(const SceneFile& file) {
  const std::filesystem::path path(file.path);
  const Vocabulary vocabulary = built_vocabulary();
  Json document = load_json(path);
  for (const std::string& setting : file.settings)
    apply_setting(document, setting, [&] { return resolve(document, vocabulary, file.path); });
  return with_settings_named(file, [&] {
    Json resolved = resolve(document, vocabulary, file.path);
    LoadedScene loaded;
    loaded.scene = describe(resolved, path.parent_path(), file.path);
    if (loaded.scene.name.empty()) loaded.scene.name = path.stem().string();
    loaded.json = pretty(resolved);
    resolved["time"].erase("duration");
    const std::string fixed = resolved.dump();
    loaded.hash = fmt::format("{:016x}", xxh64(std::as_bytes(std::span(fixed))));
    return loaded;
  });
}

BuiltScene build(const LoadedScene& loaded, const SceneFile& file, const Log& log) {
  return with_settings_named(file, [&] { return build_scene(loaded.scene, log); });
}

std::vector<std::string> oddities(const SceneDescription& scene) {
  std::vector<std::string> words;
  for (const BodyDescription& body : scene.bodies)
    if (body.pins.empty() && !scene.gravity.isZero(0))
      words.push_back(fmt::format("body \"{}\" has no pin and will fall freely", body.name));
  return words;
}

}  // namespace pliant::apps
