#include "scene_file.hpp"

#include <pliant/io/encoding.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::apps {

LoadedScene load_scene(const std::string& path, const std::vector<std::string>& settings) {
  const std::filesystem::path file(path);
  Json document = load_json(file);
  for (const std::string& setting : settings) apply_setting(document, setting);
  Json resolved = resolve(document, built_vocabulary(), path);
  LoadedScene loaded;
  loaded.scene = describe(resolved, file.parent_path(), path);
  if (loaded.scene.name.empty()) loaded.scene.name = file.stem().string();
  loaded.json = pretty(resolved);
  resolved["time"].erase("duration");
  const std::string fixed = resolved.dump();
  loaded.hash = fmt::format("{:016x}", xxh64(std::as_bytes(std::span(fixed))));
  return loaded;
}

std::vector<std::string> oddities(const SceneDescription& scene) {
  std::vector<std::string> words;
  for (const BodyDescription& body : scene.bodies)
    if (body.pins.empty() && !scene.gravity.isZero(0))
      words.push_back(fmt::format("body \"{}\" has no pin and will fall freely", body.name));
  return words;
}

}  // namespace pliant::apps
