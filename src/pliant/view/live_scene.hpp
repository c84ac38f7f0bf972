// The scene of a live session: the document as written, the numbers in it that a page may change
// while the run goes, and the run's system with the hand that pulls. A change takes the same way as
// `--set`: it is written into the document, which is then resolved and described anew, so that the
// schema's own words say what is wrong with a value; meshes are made once.
#pragma once

#include <pliant/load/drag_spring.hpp>
#include <pliant/scene/build.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace pliant {

struct SceneSource {
  Json document;                 // as written, --set applied
  std::string name;              // of the file, for messages
  std::filesystem::path folder;  // where its relative paths start
};

class LiveScene {
 public:
  LiveScene(SceneSource source, const Log& log);  // makes the meshes; throws InputError

  const SceneDescription& scene() const { return scene_; }
  const Json& resolved() const { return resolved_; }
  Json parameters() const;  // the protocol's list

  // Returns what changed in words. InputError, with nothing changed, where the value is refused.
  std::string set(const std::string& path, const Json& value);
  void revert();  // to what was built last

  struct Built {
    BuiltScene scene;
    DragSpring* hand = nullptr;  // one of its terms
  };
  Built build(const Log& log);  // at the start of the scene

 private:
  void read(const Json& document);

  SceneSource source_;
  Json built_document_;
  Json resolved_;
  SceneDescription scene_;
  std::vector<Mesh> meshes_;
  std::optional<BuiltScene> first_;  // made with the meshes, until someone takes it
};

}  // namespace pliant
