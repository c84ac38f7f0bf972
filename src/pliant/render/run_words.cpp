// What a result folder says of itself that a picture needs: the scene's camera, where its colours
// begin, which tells scenes apart in a gallery, and the words that tell several runs apart.
#include <pliant/render/run_pictures.hpp>

#include <pliant/scene/json.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace pliant {
namespace {

Vec3 vec3(const Json& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

bool all_differ(const std::vector<std::string>& words) {
  return std::set<std::string>(words.begin(), words.end()).size() == words.size();
}

std::string integrator_of(const Results& run) {
  const Json scene = parse_json(run.scene_json(), "scene.json");
  const auto found = scene.find("integrator");
  if (found == scene.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  return found->is_object() ? found->value("type", "") : "";
}

}  // namespace

std::optional<Camera> scene_camera(const std::string& scene_json) {
  if (scene_json.empty()) return std::nullopt;
  const Json scene = parse_json(scene_json, "scene.json");
  const auto found = scene.find("camera");
  if (found == scene.end() || !found->is_object()) return std::nullopt;
  Camera camera;
  camera.eye = vec3(found->at("eye"));
  camera.target = vec3(found->at("target"));
  camera.fov = found->value("fov", camera.fov);
  return camera;
}

std::size_t palette_of(const Results& run) {
  const Json scene = parse_json(run.scene_json(), "scene.json");
  std::size_t sum = 0;
  for (const char c : scene.value("name", run.bodies().empty() ? "" : run.bodies()[0].name))
    sum = 31 * sum + static_cast<unsigned char>(c);
  return sum % 7;  // the eighth colour is a grey
}

std::vector<std::string> captions_of(const std::vector<Results>& runs) {
  std::vector<std::string> words;
  for (const Results& run : runs) words.push_back(integrator_of(run));
  if (all_differ(words) && std::find(words.begin(), words.end(), "") == words.end()) return words;
  words.clear();
  for (const Results& run : runs) {
    const std::filesystem::path folder = std::filesystem::path(run.folder()).lexically_normal();
    words.push_back((folder.has_filename() ? folder : folder.parent_path()).filename().string());
  }
  return words;
}

}  // namespace pliant
