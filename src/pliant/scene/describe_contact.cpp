#include <pliant/scene/reading.hpp>

#include <pliant/core/refusals.hpp>
#include <pliant/core/suggest.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pliant::reading {

ContactDescription contact(const Json& record) {
  ContactDescription contact;
  contact.method = record.at("method").get<std::string>();
  if (record.contains("distance")) contact.distance = record.at("distance").get<double>();
  contact.self = record.at("self").get<bool>();
  contact.allow_initial_intersections = record.at("allow_initial_intersections").get<bool>();
  contact.groups = record.at("groups").get<std::vector<std::vector<std::string>>>();
  if (record.at("stiffness").is_number()) contact.stiffness = record.at("stiffness").get<double>();
  contact.energy_guard = record.at("energy_guard").get<bool>();
  if (record.contains("restitution")) contact.restitution = record.at("restitution").get<double>();
  contact.friction = record.at("friction").get<double>();
  for (const Json& pair : record.at("pairs"))
    contact.pairs.push_back({pair.at("a").get<std::string>(), pair.at("b").get<std::string>(),
                             pair.at("friction").get<double>()});
  contact.stick = record.at("stick").get<bool>();
  if (record.contains("slip_speed")) contact.slip_speed = record.at("slip_speed").get<double>();
  if (record.at("lag").is_string())
    contact.lag = record.at("lag").get<std::string>();
  else
    contact.lag = record.at("lag").get<int>();
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

// Shapes that are a formula are given their place in it, the nodes of others later.
struct Placer {
  const Transform& by;
  const std::string& at;
  Reader& reader;

  double factor() const {
    if ((by.scale.array() != by.scale.x()).any())
      reader.problems.add(at + "/transform/scale",
                          "must be one factor where something is round; a mesh can be stretched");
    return by.scale.x();
  }
  void operator()(PlaneShape& plane) const {
    plane.point = apply(by, plane.point);
    plane.normal = (rotation_matrix(by.rotate) * plane.normal.cwiseQuotient(by.scale)).normalized();
  }
  void operator()(BallShape& ball) const {
    ball.center = apply(by, ball.center);
    ball.radius *= factor();
  }
  void operator()(RodShape& rod) const {
    rod.from = apply(by, rod.from);
    rod.to = apply(by, rod.to);
    rod.radius *= factor();
  }
  void operator()(PointsShape& shape) const {
    for (Vec3& x : shape.points) x = apply(by, x);
    if (shape.radius > 0) shape.radius *= factor();
  }
  void operator()(SegmentsShape& shape) const {
    for (Vec3& x : shape.ends) x = apply(by, x);
    if (shape.radius > 0) shape.radius *= factor();
  }
  void operator()(BoxShape&) const {}
  void operator()(FilePath&) const {}
  void operator()(ImplicitShape& implicit) const {
    if (!implicit.bounds)
      reader.problems.add(at + "/transform",
                          "of a formula needs its \"bounds\", which are those before it");
  }
};

void place(const Transform& by, const std::string& at, Reader& reader,
           ObstacleDescription& obstacle) {
  obstacle.transform = by;
  if (obstacle.cache)
    reader.problems.add(at + "/transform", "of a cache is nothing: it says where the vertices are");
  std::visit(Placer{by, at, reader}, obstacle.shape);
}

}  // namespace

ObstacleDescription obstacle(const Json& record, const std::string& at, Reader& reader) {
  ObstacleDescription obstacle;
  obstacle.name = record.at("name").get<std::string>();
  obstacle.where = reader.where(at);
  if (const auto plane = record.find("plane"); plane != record.end()) {
    const Vec3 normal = vec3(plane->at("normal"));
    if (normal.isZero(0)) reader.problems.add(at + "/plane/normal", "must not be zero");
    obstacle.shape = PlaneShape{vec3(plane->at("point")), normal.stableNormalized()};
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
  } else if (const auto points = record.find("points"); points != record.end()) {
    PointsShape shape;
    for (const Json& point : *points) shape.points.push_back(vec3(point));
    shape.radius = record.value("radius", 0.0);
    obstacle.shape = std::move(shape);
  } else if (const auto segments = record.find("segments"); segments != record.end()) {
    SegmentsShape shape;
    for (std::size_t k = 0; k < segments->size(); ++k) {
      const Json& ends = (*segments)[k];
      for (const Json& end : ends) shape.ends.push_back(vec3(end));
      if (vec3(ends[0]) == vec3(ends[1]))
        reader.problems.add(fmt::format("{}/segments/{}/1", at, k),
                            "must not be where it begins; \"points\" are points");
    }
    shape.radius = record.value("radius", 0.0);
    obstacle.shape = std::move(shape);
  } else {
    obstacle.shape = file_path(record.at("mesh"), reader);
  }
  if (const auto moving = record.find("motion"); moving != record.end()) {
    obstacle.motion = motion(*moving, at + "/motion", reader);
    obstacle.cache = cache(*moving, at + "/motion", reader);
    if (obstacle.cache && !std::holds_alternative<FilePath>(obstacle.shape))
      reader.problems.add(at + "/motion/cache",
                          "moves the vertices of a \"mesh\", which this obstacle is not; a "
                          "\"curve\" or a velocity moves it");
  }
  if (const auto placed = record.find("transform"); placed != record.end())
    place(transform(*placed), at, reader, obstacle);
  if (record.contains("friction")) obstacle.friction = record.at("friction").get<double>();
  if (std::holds_alternative<PlaneShape>(obstacle.shape) &&
      !obstacle.motion.angular_velocity.isZero(0))
    reader.problems.add(at + "/motion/angular_velocity", "a plane cannot turn; a box can");
  return obstacle;
}

namespace {

// Bodies may meet obstacles alone.
void check_admm_contact(const SceneDescription& scene, Reader& reader) {
  if (scene.contact.self)
    reader.problems.add("/contact/self", words_of(Refusal::admm_contact_self));
  const auto ignore = [&](const std::string& a, const std::string& b) {
    return std::any_of(scene.contact.groups.begin(), scene.contact.groups.end(),
                       [&](const std::vector<std::string>& group) {
                         return std::find(group.begin(), group.end(), a) != group.end() &&
                                std::find(group.begin(), group.end(), b) != group.end();
                       });
  };
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!ignore(scene.bodies[i].name, scene.bodies[j].name))
        reader.problems.add(
            "/contact/groups",
            words_of(Refusal::admm_contact_bodies, scene.bodies[j].name, scene.bodies[i].name));
}

// Said twice, one of the two would be ignored.
void check_repeats(const SceneDescription& scene, Reader& reader) {
  const auto& groups = scene.contact.groups;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t k = 0; k < groups[g].size(); ++k)
      if (std::count(groups[g].begin(), groups[g].begin() + static_cast<std::ptrdiff_t>(k),
                     groups[g][k]) > 0)
        reader.problems.add(fmt::format("/contact/groups/{}/{}", g, k),
                            fmt::format("\"{}\" is in this group already", groups[g][k]));
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t k = 0; k < scene.contact.pairs.size(); ++k) {
    const auto& [a, b] = std::minmax(scene.contact.pairs[k].a, scene.contact.pairs[k].b);
    const std::string where = fmt::format("/contact/pairs/{}", k);
    if (!seen.insert({a, b}).second)
      reader.problems.add(where, fmt::format("\"{}\" and \"{}\" have a coefficient already", a, b));
    const bool obstacle = std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                                      [&](const ObstacleDescription& o) { return o.name == a; });
    if (a == b && obstacle)
      reader.problems.add(where, fmt::format("\"{}\" is an obstacle and does not meet itself", a));
  }
}

}  // namespace

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
  const auto require_known = [&](const std::string& name, const std::string& where) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      reader.problems.add(where, fmt::format("there is no body or obstacle \"{}\"{}", name,
                                             suggestion(name, names)));
  };
  for (std::size_t g = 0; g < scene.contact.groups.size(); ++g)
    for (std::size_t k = 0; k < scene.contact.groups[g].size(); ++k)
      require_known(scene.contact.groups[g][k], fmt::format("/contact/groups/{}/{}", g, k));
  for (std::size_t k = 0; k < scene.contact.pairs.size(); ++k) {
    require_known(scene.contact.pairs[k].a, fmt::format("/contact/pairs/{}/a", k));
    require_known(scene.contact.pairs[k].b, fmt::format("/contact/pairs/{}/b", k));
  }
  check_repeats(scene, reader);
  const std::string& method = scene.contact.method;
  if (method == "admm") check_admm_contact(scene, reader);
  const bool limited = scene.contact.restitution.value_or(1) < 1;
  if ((method == "qp" || method == "admm") && scene.contact.restitution)
    reader.problems.add("/contact/restitution", words_of(Refusal::restitution_method));
  if (method == "barrier" && !scene.contact.energy_guard && limited)
    reader.problems.add("/contact/restitution", words_of(Refusal::restitution_guard));
  if (!scene.obstacles.empty() && scene.contact.method == "none")
    reader.problems.add("/obstacles",
                        "bodies pass through obstacles unless \"contact\" has a method, such as "
                        "{\"method\": \"barrier\"}");
}

}  // namespace pliant::reading
