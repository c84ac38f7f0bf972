// How a study gets its scenes: the same file again and again, with other settings.
#pragma once

#include <pliant/scene/description.hpp>

#include <functional>
#include <string>
#include <vector>

namespace pliant {

struct StudyScene {
  SceneDescription scene;
  std::string json, hash;  // resolved, and what a resume compares
};

// `settings` are key.path=value, as --set takes them. Throws InputError.
using SceneLoader = std::function<StudyScene(const std::vector<std::string>& settings)>;

// A line of news while a study runs.
using Announce = std::function<void(const std::string& line)>;

}  // namespace pliant
