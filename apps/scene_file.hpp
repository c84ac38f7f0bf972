// Reading a scene for a command: parse, apply --set, validate, fill in defaults, describe.
#pragma once

#include <pliant/scene/description.hpp>

#include <string>
#include <vector>

namespace pliant::apps {

struct LoadedScene {
  SceneDescription scene;
  std::string json;  // resolved, as it goes into the result folder
  std::string hash;  // of all that must not change for a resume; the duration may
};

LoadedScene load_scene(const std::string& path, const std::vector<std::string>& settings);

// Bodies that nothing holds fall for ever under gravity: legal, and worth a word.
std::vector<std::string> oddities(const SceneDescription& scene);

}  // namespace pliant::apps
