#include <pliant/scene/reading.hpp>

#include <pliant/core/suggest.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::reading {

ContactDescription contact(const Json& record) {
  ContactDescription contact;
  contact.method = record.at("method").get<std::string>();
  if (record.contains("distance")) contact.distance = record.at("distance").get<double>();
  contact.self = record.at("self").get<bool>();
  contact.allow_initial_intersections = record.at("allow_initial_intersections").get<bool>();
  contact.groups = record.at("groups").get<std::vector<std::vector<std::string>>>();
  return contact;
}

namespace {

ImplicitShape implicit(const Json& record, const std::string& at, Reader& reader) {
  ImplicitShape shape{
      Expression(record.at("implicit").get_ref<const std::string&>(), "xyz"), {}, {}};
  if (const auto size = record.find("size"); size != record.end()) shape.size = size->get<double>();
  if (const auto bounds = record.find("bounds"); bounds != record.end()) {
    shape.bounds.emplace(vec3(bounds->at("min")), vec3(bounds->at("max")));
    if (!(shape.bounds->sizes().minCoeff() > 0))
      reader.problems.add(at + "/bounds/max", "must be above min in x, y and z");
  }
  return shape;
}

}  // namespace

ProbeDescription probe(const Json& record, const std::string& at, Reader& reader) {
  ProbeDescription probe;
  probe.name = record.at("name").get<std::string>();
  const bool point = record.contains("point");
  probe.body = record.at(point ? "body" : "force_on").get<std::string>();
  if (point) probe.point = vec3(record.at("point"));
  probe.where = reader.where(at);
  return probe;
}

ObstacleDescription obstacle(const Json& record, const std::string& at, Reader& reader) {
  ObstacleDescription obstacle;
  obstacle.name = record.at("name").get<std::string>();
  obstacle.where = reader.where(at);
  if (const auto plane = record.find("plane"); plane != record.end()) {
    const Vec3 normal = vec3(plane->at("normal"));
    if (normal.isZero(0)) reader.problems.add(at + "/plane/normal", "must not be zero");
    obstacle.shape = PlaneShape{vec3(plane->at("point")), normal.normalized()};
  } else if (const auto ball = record.find("sphere"); ball != record.end()) {
    obstacle.shape = BallShape{vec3(ball->at("center")), ball->at("radius").get<double>()};
  } else if (const auto rod = record.find("capsule"); rod != record.end()) {
    const RodShape shape{vec3(rod->at("from")), vec3(rod->at("to")),
                         rod->at("radius").get<double>()};
    if (shape.from == shape.to)
      reader.problems.add(at + "/capsule/to",
                          "must not be where it begins; a sphere is round, too");
    obstacle.shape = shape;
  } else if (const auto box = record.find("box"); box != record.end()) {
    obstacle.shape = BoxShape{vec3(box->at("center")), vec3(box->at("size"))};
  } else if (record.contains("implicit")) {
    obstacle.shape = implicit(record, at, reader);
  } else {
    obstacle.shape = file_path(record.at("mesh"), reader);
  }
  if (const auto moving = record.find("motion"); moving != record.end())
    obstacle.motion = motion(*moving, at + "/motion", reader);
  if (std::holds_alternative<PlaneShape>(obstacle.shape) &&
      !obstacle.motion.angular_velocity.isZero(0))
    reader.problems.add(at + "/motion/angular_velocity", "a plane cannot turn; a box can");
  return obstacle;
}

void check_contact(const SceneDescription& scene, Reader& reader) {
  std::vector<std::string> names;
  for (const BodyDescription& body : scene.bodies) names.push_back(body.name);
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
    const std::string& name = scene.obstacles[i].name;
    if (std::find(names.begin(), names.end(), name) != names.end())
      reader.problems.add(fmt::format("/obstacles/{}/name", i),
                          fmt::format("\"{}\" is taken already", name));
    names.push_back(name);
  }
  for (std::size_t g = 0; g < scene.contact.groups.size(); ++g)
    for (std::size_t k = 0; k < scene.contact.groups[g].size(); ++k) {
      const std::string& name = scene.contact.groups[g][k];
      if (std::find(names.begin(), names.end(), name) == names.end())
        reader.problems.add(
            fmt::format("/contact/groups/{}/{}", g, k),
            fmt::format("there is no body or obstacle \"{}\"{}", name, suggestion(name, names)));
    }
  if (!scene.obstacles.empty() && scene.contact.method == "none")
    reader.problems.add("/obstacles",
                        "bodies pass through obstacles unless \"contact\" has a method, such as "
                        "{\"method\": \"barrier\"}");
}

}  // namespace pliant::reading
