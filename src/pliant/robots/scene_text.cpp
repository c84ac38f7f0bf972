#include <pliant/robots/scene_text.hpp>

#include <pliant/core/error.hpp>
#include <pliant/scene/json.hpp>

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

namespace pliant::robots {
namespace {

// Fourteen digits are enough for everything and keep 0.3 from being 0.30000000000000004; whole
// numbers are written as such.
Json tidy(double x, double nothing = 1e-13) {
  if (std::abs(x) < nothing) return 0;
  const double rounded = std::stod(fmt::format("{:.14g}", x));
  if (rounded == std::round(rounded) && std::abs(rounded) < 1e9)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json numbers(const Vec3& v, double nothing = 1e-13) {
  return {tidy(v.x(), nothing), tidy(v.y(), nothing), tidy(v.z(), nothing)};
}

std::string on_one_line(const Json& value) {
  if (!value.is_structured()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const auto& [key, item] : value.items()) {
    text += text.empty() ? "" : ", ";
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += on_one_line(item);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// A list with an item on each line.
std::string lines_of(const std::vector<std::string>& items) {
  std::string text = "[";
  for (std::size_t k = 0; k < items.size(); ++k) text += (k ? ",\n  " : "\n  ") + items[k];
  return text + (items.empty() ? "]" : "\n]");
}

std::string members(const Json& record) {  // without the braces
  const std::string text = on_one_line(record);
  return text.substr(1, text.size() - 2);
}

class SceneWriter {
 public:
  SceneWriter(const SceneParts& parts, ImportedScene& out)
      : parts_(parts), out_(out), up_{y_up(), Vec3::Zero()} {}

  void write() {
    std::vector<std::string> bodies, constraints, obstacles, probes;
    for (const AssembledBody& body : parts_.assembly.bodies) bodies.push_back(body_text(body));
    for (const AssembledJoint& joint : parts_.assembly.joints) add_joint(joint, constraints);
    for (const Plane& plane : parts_.planes)
      obstacles.push_back(on_one_line(
          {{"name", plane.name},
           {"plane",
            {{"point", numbers(up_ * plane.point)}, {"normal", numbers(up_.R * plane.normal)}}}}));
    for (const NamedObstacle& one : parts_.obstacles) obstacles.push_back(obstacle_text(one));
    for (const WatchedPoint& probe : parts_.assembly.probes)
      probes.push_back(on_one_line({{"name", probe.name},
                                    {"body", body_name(probe.body)},
                                    {"point", numbers(up_ * probe.point)}}));
    out_.bodies = bodies.size();
    out_.constraints = constraints.size();
    out_.obstacles = obstacles.size();
    out_.text = head() + ",\n\"bodies\": " + lines_of(bodies) +
                ",\n\"constraints\": " + lines_of(constraints) +
                ",\n\"contact\": " + contact_text() + ",\n\"obstacles\": " + lines_of(obstacles) +
                ",\n\"probes\": " + lines_of(probes) + "\n}\n";
  }

 private:
  std::string head() const {
    const auto line = [](const Json& record) { return members(record); };
    return "// Made by `pliant import`. The description has z up: its (x, y, z) is (x, z, -y) "
           "here.\n"
           "{\n" +
           line({{"name", parts_.name}}) + ",\n" +
           line({{"description", "Imported from " + parts_.source}}) + ",\n" +
           line({{"time", {{"dt", tidy(parts_.dt, 0)}, {"duration", 2}}}}) + ",\n" +
           line({{"gravity", numbers(up_.R * parts_.gravity)}}) + ",\n" +
           line({{"integrator", "trbdf2"}}) + ",\n\"materials\": {}";
  }

  std::string body_name(int number) const {
    return number < 0 ? "world" : parts_.assembly.bodies[static_cast<std::size_t>(number)].name;
  }

  std::string body_text(const AssembledBody& body) {
    Json mesh;
    Vec3 scale = Vec3::Ones();
    Pose pose = up_ * body.frame;
    if (body.shapes.size() == 1 && body.shapes[0].kind != ShapeKind::mesh) {
      const Shape& shape = body.shapes[0];
      mesh = simple_mesh(shape);
      pose = pose * shape.pose;
      // Generators have their axis along y, shapes along z.
      if (shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::capsule)
        pose.R = pose.R * y_up().transpose();
      if (shape.kind == ShapeKind::ellipsoid) scale = shape.size;
    } else {
      mesh = {{"file", add_mesh(body.name, body.surface, {})}};
    }
    Json transform;
    if (scale != Vec3::Ones()) transform["scale"] = numbers(scale);
    const Vec3 degrees = degrees_of(pose.R);
    if (!degrees.isZero(0)) transform["rotate"] = numbers(degrees, 1e-10);
    transform["translate"] = numbers(pose.p);
    // What the scene will do with these degrees, to the last digit.
    const MassOf mass = moved({up_.R, Vec3::Zero()}, body.mass);
    const Vec3 center = (pose.R.transpose() * (mass.centre - pose.p)).cwiseQuotient(scale);
    const Mat3 I = pose.R.transpose() * mass.inertia * pose.R;
    return "{" + members({{"name", body.name}, {"type", "rigid"}, {"mesh", mesh}}) + ",\n   " +
           members({{"mass_total", tidy(mass.mass, 0)},
                    {"inertia", inertia_numbers(I)},
                    {"center", numbers(center)}}) +
           ",\n   " + members({{"transform", transform}}) +
           (body.fixed ? ", \"pin\": [{\"all\": true}]" : "") + "}";
  }

  static MassOf moved(const Pose& pose, const MassOf& mass) {
    return {mass.mass, pose * mass.centre, pose.R * mass.inertia * pose.R.transpose()};
  }

  static Json inertia_numbers(const Mat3& I) {
    const double nothing = 1e-12 * I.trace();
    const Vec3 products(I(0, 1), I(0, 2), I(1, 2));
    Json all = numbers(I.diagonal(), 0);
    if (products.cwiseAbs().maxCoeff() > nothing)
      for (const Json& product : numbers(products, nothing)) all.push_back(product);
    return all;
  }

  static Json simple_mesh(const Shape& shape) {
    const Vec3& s = shape.size;
    const double size = std::stod(fmt::format("{:.3g}", edge_length(shape)));
    switch (shape.kind) {
      case ShapeKind::box:
        return {{"box", {{"size", numbers(s)}, {"cells", {1, 1, 1}}}}};
      case ShapeKind::sphere:
        return {{"sphere", {{"radius", tidy(s.x())}, {"size", size}}}};
      case ShapeKind::ellipsoid:
        return {{"sphere", {{"radius", 1}, {"size", size}}}};
      default:
        return {{shape.kind == ShapeKind::cylinder ? "cylinder" : "capsule",
                 {{"radius", tidy(s.x())}, {"length", tidy(s.y())}, {"size", size}}}};
    }
  }

  // Returns its path from the scene.
  std::string add_mesh(const std::string& name, const Triangles& surface, const Pose& pose) {
    std::string file;
    for (const char c : name)
      file += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
    std::string path = fmt::format("{}/{}.obj", parts_.meshes, file);
    const auto taken = [this](const std::string& wanted) {
      for (const auto& mesh : out_.meshes)
        if (mesh.name == wanted) return true;
      return false;
    };
    for (int k = 2; taken(path); ++k) path = fmt::format("{}/{}_{}.obj", parts_.meshes, file, k);
    Triangles placed = surface;
    for (Vec3& x : placed.points) x = pose * x;
    out_.meshes.push_back({path, make_mesh(placed)});
    return path;
  }

  void add_joint(const AssembledJoint& joint, std::vector<std::string>& lines) const {
    const bool turns = joint.kind == JointKind::hinge;
    const Json point = numbers(up_ * joint.point);
    Json record = {{"type", joint.kind == JointKind::ball ? "ball"
                            : turns                       ? "hinge"
                                                          : "slider"},
                   {"name", joint.name},
                   {"between", {body_name(joint.body), point, body_name(joint.other), point}}};
    if (joint.kind != JointKind::ball) record["axis"] = numbers(up_.R * joint.axis);
    Json first = record;
    if (joint.limits) first["limits"] = {tidy((*joint.limits)[0]), tidy((*joint.limits)[1])};
    if (!joint.motors.empty()) first["motor"] = motor_json(joint.motors[0], turns);
    lines.push_back(on_one_line(first));
    // A joint has one motor; further ones are on joints of their own in the same place.
    for (std::size_t k = 1; k < joint.motors.size(); ++k) {
      record["name"] = fmt::format("{} (motor {})", joint.name, k + 1);
      record["motor"] = motor_json(joint.motors[k], turns);
      lines.push_back(on_one_line(record));
    }
  }

  static Json motor_json(const JointMotor& motor, bool turns) {
    Json json;
    json[motor.by_speed ? "speed" : turns ? "angle" : "position"] = tidy(motor.target);
    if (motor.most) json["max"] = tidy(*motor.most, 0);
    if (motor.compliance > 0) json["compliance"] = tidy(motor.compliance, 0);
    if (motor.damping > 0) json["damping"] = tidy(motor.damping, 0);
    return json;
  }

  std::string contact_text() const {
    if (!parts_.contact.any) return "{\"method\": \"none\"}";
    const Json record = {{"method", "barrier"},
                         {"distance", std::stod(fmt::format("{:.2g}", parts_.contact.distance))},
                         {"friction", tidy(parts_.friction)}};
    std::vector<std::string> groups;
    for (const auto& group : parts_.contact.groups) groups.push_back(on_one_line(Json(group)));
    if (groups.empty()) return "{" + members(record) + "}";
    return "{" + members(record) + ",\n \"groups\": " + lines_of(groups) + "}";
  }

  std::string obstacle_text(const NamedObstacle& obstacle) {
    const Shape& shape = obstacle.shape;
    const Pose pose = up_ * shape.pose;
    Json record = {{"name", obstacle.name}};
    const Vec3 half = pose.R.col(2) * shape.size.y() / 2;
    const Mat3 axes = pose.R.cwiseAbs();
    if (shape.kind == ShapeKind::sphere)
      record["sphere"] = {{"center", numbers(pose.p)}, {"radius", tidy(shape.size.x())}};
    else if (shape.kind == ShapeKind::capsule)
      record["capsule"] = {{"from", numbers(pose.p - half)},
                           {"to", numbers(pose.p + half)},
                           {"radius", tidy(shape.size.x())}};
    else if (shape.kind == ShapeKind::box && (axes - Mat3(axes.array().round())).norm() < 1e-9)
      record["box"] = {{"center", numbers(pose.p)},
                       {"size", numbers(axes.array().round().matrix() * shape.size)}};
    else
      record["mesh"] = add_mesh(obstacle.name, surface_of(shape), pose);
    return on_one_line(record);
  }

  const SceneParts& parts_;
  ImportedScene& out_;
  Pose up_;
};

}  // namespace

void write_scene_text(const SceneParts& parts, ImportedScene& out) {
  SceneWriter(parts, out).write();
}

}  // namespace pliant::robots
