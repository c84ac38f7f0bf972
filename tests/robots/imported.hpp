// Robots written in a test, imported, and their scenes as JSON.
#pragma once

#include <io/scratch_folder.hpp>
#include <pliant/robots/import.hpp>
#include <pliant/scene/json.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace pliant::fixtures {

struct Imported {
  ImportedScene scene;
  Json json;

  const Json& body(const std::string& name) const { return find("bodies", name); }
  const Json& constraint(const std::string& name) const { return find("constraints", name); }
  const Json& find(const char* list, const std::string& name) const {
    for (const Json& one : json.at(list))
      if (one.at("name") == name) return one;
    throw std::runtime_error("no " + name + " in " + list);
  }
  bool warns(const std::string& words) const {
    for (const std::string& warning : scene.warnings)
      if (warning.find(words) != std::string::npos) return true;
    return false;
  }
  std::string all_warnings() const {
    std::string all;
    for (const std::string& warning : scene.warnings) all += warning + "\n";
    return all;
  }
};

inline std::filesystem::path write_robot(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

inline Imported import_file(const std::filesystem::path& path, const ImportOptions& options = {}) {
  Imported imported;
  imported.scene = import_robot(path, options, "robot_meshes");
  imported.json = parse_json(imported.scene.text, "scene.json");
  return imported;
}

class RobotTest : public ::testing::Test {
 protected:
  Imported import(std::string_view text, const ImportOptions& options = {}) {
    return import_file(write_robot(folder_.path() / "robot.xml", text), options);
  }
  ScratchFolder folder_;
};

inline Vec3 as_vec3(const Json& numbers) {
  return {numbers[0].get<double>(), numbers[1].get<double>(), numbers[2].get<double>()};
}

}  // namespace pliant::fixtures
