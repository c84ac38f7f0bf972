// A scene document on its way to a run: checked, with its defaults filled in, described, and with
// the text and the hash that its results will carry. The command line and the Python module share
// it, so that both leave the same folders.
#pragma once

#include <pliant/io/result_folder.hpp>
#include <pliant/scene/build.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pliant {

struct LoadedScene {
  SceneDescription scene;
  std::string json;      // resolved, as it goes into the result folder
  std::string document;  // as written, with all edits, for those who will change it further
  std::string hash;      // of all that must not change for a resume; the duration may
  bool output_dt_given = false;
};

// Where a document comes from: messages begin with `name`, relative paths start at `folder`, and a
// scene without a name of its own gets that of the file.
struct SceneOrigin {
  std::string name;
  std::filesystem::path folder;
};

// Throws InputError.
LoadedScene read_scene(const Json& document, const SceneOrigin& origin);

// The same, of a scene in which the program brings laws of its own: the model of each of these
// materials becomes the name given for it, in the description and in what results carry. The
// document has a model from the list in its place.
LoadedScene read_scene(const Json& document, const SceneOrigin& origin,
                       const std::map<std::string, std::string>& models);

// Builds; where bodies intersect at the start the triangles go into that folder, which the message
// then names.
BuiltScene build_for(const std::filesystem::path& folder, ExistingResults existing,
                     const std::function<BuiltScene()>& build);

// What is legal and worth a word: bodies that nothing holds fall for ever under gravity, and some
// keys are read beside others only.
std::vector<std::string> oddities(const SceneDescription& scene);

}  // namespace pliant
