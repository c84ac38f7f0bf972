#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/robots/mass.hpp>
#include <pliant/robots/readers.hpp>
#include <pliant/robots/shapes.hpp>
#include <pliant/robots/urdf_words.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace pliant::robots {
namespace {

const XmlElement& needed(const XmlElement& element, std::string_view name) {
  const XmlElement* child = element.child(name);
  if (!child) element.fail(fmt::format("needs a <{}>", name));
  return *child;
}

Pose origin_of(const XmlElement& element) {
  Pose pose;
  const XmlElement* origin = element.child("origin");
  if (!origin) return pose;
  pose.p = optional_vec3(*origin, "xyz").value_or(Vec3::Zero());
  pose.R = from_rpy(optional_vec3(*origin, "rpy").value_or(Vec3::Zero()));
  return pose;
}

class UrdfReader {
 public:
  UrdfReader(const XmlElement& root, const ReadOptions& options, Warnings& warnings)
      : root_(root), options_(options), warnings_(warnings) {}

  Robot read() {
    refuse_xacro(root_, 0);
    warn_of_unknown(root_, urdf_known(), urdf_reasons(), warnings_);
    robot_.name = root_.find("name") ? *root_.find("name") : "";
    robot_.where = root_.where();
    collect();
    const XmlElement& base = find_base();
    const std::string name = *base.find("name");
    if (name == "world") {
      robot_.obstacles = shapes_of(base, "collision");
      wait_below(name, -1);
    } else {
      add_link({&base, nullptr, -1});
    }
    while (!waiting_.empty()) {  // no recursion: chains may be long
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      add_link(next);
    }
    return std::move(robot_);
  }

 private:
  // Macros are for another program, which makes a URDF of them.
  void refuse_xacro(const XmlElement& element, int depth) const {
    for (const XmlAttribute& attribute : element.attributes)
      if (attribute.value.find("${") != std::string::npos)
        element.fail("this is a xacro file; make a URDF of it first: xacro FILE > robot.urdf");
    for (const XmlElement& child : element.children) {
      if (child.name.starts_with("xacro:"))
        child.fail("this is a xacro file; make a URDF of it first: xacro FILE > robot.urdf");
      if (depth < 5) refuse_xacro(child, depth + 1);
    }
  }

  void collect() {
    for (const XmlElement* link : root_.all("link")) {
      const std::string name = required_text(*link, "name");
      const auto [taken, is_new] = links_.emplace(name, link);
      if (!is_new)
        link->fail(fmt::format("the name is taken, by the link in line {}", taken->second->line));
    }
    if (links_.empty()) root_.fail("has no <link>");
    std::map<std::string, const XmlElement*> names;
    for (const XmlElement* joint : root_.all("joint")) {
      const auto [taken, is_new] = names.emplace(required_text(*joint, "name"), joint);
      if (!is_new)
        joint->fail(fmt::format("the name is taken, by the joint in line {}", taken->second->line));
      const std::string parent = linked(*joint, "parent"), child = linked(*joint, "child");
      if (parent == child) joint->fail(fmt::format("joins the link \"{}\" with itself", parent));
      const auto [other, first] = joint_above_.emplace(child, joint);
      if (!first)
        joint->fail(fmt::format(
            "the link \"{}\" has a parent already, by the joint in line {}; a robot is a tree",
            child, other->second->line));
      joints_below_[parent].push_back(joint);
    }
  }

  // The link that a joint's <parent> or <child> names.
  std::string linked(const XmlElement& joint, std::string_view end) const {
    const XmlElement& element = needed(joint, end);
    std::string name = required_text(element, "link");
    if (links_.count(name)) return name;
    std::vector<std::string> known;
    for (const auto& [known_name, link] : links_) known.push_back(known_name);
    if (known.size() > 20) known.resize(20);
    joint.fail(
        fmt::format("its {} is the unknown link \"{}\"{}", end, name, suggestion(name, known)));
  }

  const XmlElement& find_base() const {
    const XmlElement* base = nullptr;
    for (const XmlElement* link : root_.all("link")) {
      if (joint_above_.count(*link->find("name"))) continue;
      if (base)
        link->fail(fmt::format(
            "no joint leads to it, and none to the link \"{}\" in line {}: a robot has one base",
            *base->find("name"), base->line));
      base = link;
    }
    if (!base) root_.fail("every link has a parent: the joints run in a circle");
    // Whoever is not below the base is in a circle.
    std::map<std::string, bool> seen;
    std::vector<std::string> open = {*base->find("name")};
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      seen[name] = true;
      const auto below = joints_below_.find(name);
      if (below == joints_below_.end()) continue;
      for (const XmlElement* joint : below->second) open.push_back(child_of(*joint));
    }
    for (const auto& [name, link] : links_)
      if (!seen.count(name)) link->fail("does not hang on the base: its joints run in a circle");
    return *base;
  }

  static std::string child_of(const XmlElement& joint) {
    return required_text(needed(joint, "child"), "link");
  }

  struct Waiting {
    const XmlElement *link, *joint;
    int parent;  // its number
  };
  // The first one is to come next.
  void wait_below(const std::string& name, int number) {
    const auto below = joints_below_.find(name);
    if (below == joints_below_.end()) return;
    for (auto joint = below->second.rbegin(); joint != below->second.rend(); ++joint)
      waiting_.push_back({links_.at(child_of(**joint)), *joint, number});
  }

  void add_link(const Waiting& next) {
    const XmlElement& element = *next.link;
    Link link;
    link.name = *element.find("name");
    link.where = element.where();
    link.parent = next.parent;
    if (next.joint)
      read_joint(*next.joint, link);
    else
      link.free = !options_.fix_base;
    const std::string first = options_.visual ? "visual" : "collision";
    const std::string second = options_.visual ? "collision" : "visual";
    link.touches = !element.all("collision").empty();
    link.shapes = shapes_of(element, element.all(first).empty() ? second : first);
    if (!link.touches && !link.shapes.empty())
      warnings_.add("visual alone", link.where,
                    fmt::format("the link \"{}\" has no <collision>: it has the shape of its "
                                "<visual> and touches nothing",
                                link.name));
    if (!options_.visual && link.touches && element.child("visual"))
      warnings_.add("visual", element.child("visual")->where(),
                    "<visual> is left out where there is a <collision>, since a body has one "
                    "shape; --visual takes it instead");
    read_mass(element, link);
    robot_.links.push_back(std::move(link));
    wait_below(*element.find("name"), static_cast<int>(robot_.links.size()) - 1);
  }

  void read_joint(const XmlElement& element, Link& link) {
    link.pose = origin_of(element);
    Joint joint;
    joint.name = *element.find("name");
    joint.where = element.where();
    const std::string type = required_text(element, "type");
    if (type == "fixed") return;
    if (type == "floating") {
      link.free = true;
      return;
    }
    if (const XmlElement* axis = element.child("axis")) {
      joint.axis = optional_vec3(*axis, "xyz").value_or(Vec3::UnitX());
      if (!(joint.axis.norm() > 1e-9)) axis->fail("the axis has no direction");
      joint.axis.normalize();
    } else {
      joint.axis = Vec3::UnitX();
    }
    if (const XmlElement* dynamics = element.child("dynamics"))
      joint.damping = optional_number(*dynamics, "damping").value_or(0);
    if (joint.damping < 0) element.fail("its damping is negative");
    if (type == "planar") {
      add_planar(joint, link);
      return;
    }
    if (type == "prismatic") {
      joint.kind = JointKind::slide;
    } else if (type != "revolute" && type != "continuous") {
      const std::vector<std::string> known = {"fixed",     "revolute", "continuous",
                                              "prismatic", "floating", "planar"};
      element.fail(fmt::format("unknown joint type \"{}\"{}", type, suggestion(type, known)));
    }
    if (type != "continuous") joint.limits = limits_of(element);
    link.joints.push_back(joint);
  }

  // In the plane across the axis: two slides and a turn.
  static void add_planar(const Joint& joint, Link& link) {
    const Vec3 across = joint.axis.unitOrthogonal();
    Joint first = joint, second = joint;
    first.kind = second.kind = JointKind::slide;
    first.name += " x", second.name += " y";
    first.axis = across, second.axis = joint.axis.cross(across);
    link.joints = {first, second, joint};
  }

  std::optional<std::array<double, 2>> limits_of(const XmlElement& joint) {
    const XmlElement* limit = joint.child("limit");
    if (!limit) {
      warnings_.add(
          "no limit", joint.where(),
          fmt::format("the joint \"{}\" has no <limit>; it moves without", *joint.find("name")));
      return std::nullopt;
    }
    const double lower = optional_number(*limit, "lower").value_or(0);
    const double upper = optional_number(*limit, "upper").value_or(0);
    if (lower > upper)
      joint.fail(fmt::format("its lower limit, {}, is above the upper one, {}", lower, upper));
    return std::array{lower, upper};
  }

  std::vector<Shape> shapes_of(const XmlElement& link, const std::string& kind) const {
    std::vector<Shape> shapes;
    for (const XmlElement* element : link.all(kind)) {
      Shape shape = shape_of(needed(*element, "geometry"));
      shape.pose = origin_of(*element);
      if (const std::string* name = element->find("name")) shape.name = *name;
      shapes.push_back(std::move(shape));
    }
    return shapes;
  }

  Shape shape_of(const XmlElement& geometry) const {
    if (geometry.children.size() != 1)
      geometry.fail(fmt::format("has one shape, got {}", geometry.children.size()));
    const XmlElement& element = geometry.children.front();
    Shape shape;
    shape.where = element.where();
    if (element.name == "box") {
      required_text(element, "size");
      shape.size = checked_lengths(element, "size", *optional_vec3(element, "size"));
    } else if (element.name == "sphere") {
      shape.kind = ShapeKind::sphere;
      shape.size.x() = checked_length(element, "radius", required_number(element, "radius"));
    } else if (element.name == "cylinder" || element.name == "capsule") {
      shape.kind = element.name == "cylinder" ? ShapeKind::cylinder : ShapeKind::capsule;
      shape.size.x() = checked_length(element, "radius", required_number(element, "radius"));
      shape.size.y() = checked_length(element, "length", required_number(element, "length"));
    } else if (element.name == "mesh") {
      shape.kind = ShapeKind::mesh;
      shape.size =
          checked_factors(element, "scale", optional_vec3(element, "scale").value_or(Vec3::Ones()));
      shape.file =
          find_mesh_file(required_text(element, "filename"), options_.folder, {}, element.where());
    } else {
      const std::vector<std::string> known = {"box", "sphere", "cylinder", "capsule", "mesh"};
      element.fail("unknown shape" + suggestion(element.name, known));
    }
    return shape;
  }

  void read_mass(const XmlElement& element, Link& link) {
    const XmlElement* inertial = element.child("inertial");
    if (!inertial) {
      if (link.shapes.empty()) return;
      link.mass = mass_of_shapes(link.shapes, warnings_);
      warnings_.add("no inertial", link.where,
                    fmt::format("the link \"{}\" has no <inertial>; it is taken as solid, of 1000 "
                                "kg/m³: {:.4g} kg",
                                link.name, link.mass->mass));
      return;
    }
    MassOf mass;
    mass.mass = required_number(needed(*inertial, "mass"), "value");
    if (mass.mass < 0) inertial->fail(fmt::format("the mass is negative: {}", mass.mass));
    const XmlElement& tensor = needed(*inertial, "inertia");
    const auto at = [&tensor](const char* name) {
      return optional_number(tensor, name).value_or(0);
    };
    mass.inertia = Mat3{{at("ixx"), at("ixy"), at("ixz")},
                        {at("ixy"), at("iyy"), at("iyz")},
                        {at("ixz"), at("iyz"), at("izz")}};
    link.mass = moved(origin_of(*inertial), mass);
    if (mass.mass > 0 && !is_possible_inertia(mass.inertia))
      replace_inertia(tensor, link, *link.mass);
  }

  // Files in the wild have inertias of zero, and such as no body has.
  void replace_inertia(const XmlElement& tensor, const Link& link, MassOf& mass) {
    warnings_.add("impossible inertia", tensor.where(),
                  fmt::format("no body has the inertia of the link \"{}\"; that of its shape with "
                              "its mass is taken",
                              link.name));
    MassOf solid = mass_of_shapes(link.shapes, warnings_);
    if (!(solid.mass > 0)) solid = {1, Vec3::Zero(), 1e-4 * Mat3::Identity()};
    mass.inertia = mass.mass / solid.mass * solid.inertia;
  }

  const XmlElement& root_;
  const ReadOptions& options_;
  Warnings& warnings_;
  Robot robot_;
  std::vector<Waiting> waiting_;
  std::map<std::string, const XmlElement*> links_, joint_above_;
  std::map<std::string, std::vector<const XmlElement*>> joints_below_;
};

}  // namespace

double checked_length(const XmlElement& element, std::string_view what, double length) {
  if (!(length >= 1e-9 && length <= 1e9))
    element.fail(fmt::format("{} must be above 0 and at most 1e9 m, got {}", what, length));
  return length;
}

Vec3 checked_lengths(const XmlElement& element, std::string_view what, const Vec3& lengths) {
  for (const double length : lengths) checked_length(element, what, length);
  return lengths;
}

Vec3 checked_factors(const XmlElement& element, std::string_view what, const Vec3& factors) {
  for (const double factor : factors)
    if (!(std::abs(factor) >= 1e-9 && std::abs(factor) <= 1e9))
      element.fail(fmt::format("{} must not be 0 or beyond 1e9, got {}", what, factor));
  return factors;
}

Robot read_urdf(const XmlElement& root, const ReadOptions& options, Warnings& warnings) {
  return UrdfReader(root, options, warnings).read();
}

}  // namespace pliant::robots
