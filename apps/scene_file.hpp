// Reading a scene for a command: parse, apply --set, validate, fill in defaults, describe, build.
// What is wrong with a value that came from an option is said of that option.
#pragma once

#include <pliant/run/loaded_scene.hpp>
#include <pliant/scene/setting.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::apps {

struct SceneFile {
  std::string path;
  std::vector<std::string> settings;  // of --set
  std::vector<Assignment> more = {};  // of other options, after those

  std::vector<Assignment> assignments() const;
};

LoadedScene load_scene(const SceneFile& file);

// The same to go on in that folder. Where `time.output_dt` is not given it follows from the
// duration, which may have changed; a run that goes on keeps its own.
LoadedScene load_to_resume(const SceneFile& file, const std::filesystem::path& folder);

// Throws InputError where the scene's parts do not go together in a run, before anything is built.
void require_can_run(const LoadedScene& loaded, const SceneFile& file);

BuiltScene build(const LoadedScene& loaded, const SceneFile& file, const Log& log);
}  // namespace pliant::apps
