// Reading a scene for a command: parse, apply --set, validate, fill in defaults, describe, build.
// What is wrong with a value that came from an option is said of that option.
#pragma once

#include <pliant/io/result_folder.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/setting.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pliant::apps {

struct SceneFile {
  std::string path;
  std::vector<std::string> settings;  // of --set
  std::vector<Assignment> more = {};  // of other options, after those

  std::vector<Assignment> assignments() const;
};

struct LoadedScene {
  SceneDescription scene;
  std::string json;      // resolved, as it goes into the result folder
  std::string document;  // as written, with --set, for those who will change it further
  std::string hash;      // of all that must not change for a resume; the duration may
  bool output_dt_given = false;
};

LoadedScene load_scene(const SceneFile& file);

// The same to go on in that folder. Where `time.output_dt` is not given it follows from the
// duration, which may have changed; a run that goes on keeps its own.
LoadedScene load_to_resume(const SceneFile& file, const std::filesystem::path& folder);

BuiltScene build(const LoadedScene& loaded, const SceneFile& file, const Log& log);
// The same; where bodies intersect at the start the triangles go into that folder, which the
// message then names.
BuiltScene build_for(const std::filesystem::path& folder, ExistingResults existing,
                     const std::function<BuiltScene()>& build);

// Bodies that nothing holds fall for ever under gravity: legal, and worth a word.
std::vector<std::string> oddities(const SceneDescription& scene);

}  // namespace pliant::apps
