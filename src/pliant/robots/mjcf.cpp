#include <pliant/core/suggest.hpp>
#include <pliant/io/mesh_cursor.hpp>
#include <pliant/robots/mass.hpp>
#include <pliant/robots/mjcf_actuators.hpp>
#include <pliant/robots/mjcf_geoms.hpp>
#include <pliant/robots/mjcf_words.hpp>
#include <pliant/robots/readers.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::robots {
namespace {

constexpr int kWorld = -1;

class MjcfReader {
 public:
  MjcfReader(const XmlElement& root, const ReadOptions& options, Warnings& warnings)
      : root_(root),
        options_(options),
        warnings_(warnings),
        settings_(mjcf_settings(root)),
        defaults_(root),
        geoms_(root, settings_, defaults_, options, warnings) {}

  Robot read() {
    warn_of_unknown(root_, mjcf_known(), mjcf_reasons(), warnings_);
    robot_.name = root_.find("model") ? *root_.find("model") : "";
    robot_.where = root_.where();
    robot_.dt = 0.002;
    for (const XmlElement* option : root_.all("option")) read_option(*option);
    for (const XmlElement* world : root_.all("worldbody")) read_contents(*world, {kWorld, {}, ""});
    if (robot_.links.empty())
      root_.fail(
          "has no <body>; those of <replicate>, <composite>, <flexcomp> and <attach> are not read");
    for (Found& found : found_) finish_link(found);
    set_friction();
    for (const XmlElement* contact : root_.all("contact"))
      for (const XmlElement* one : contact->all("exclude")) read_exclude(*one);
    add_mjcf_drives(root_, settings_, defaults_, warnings_, robot_);
    return std::move(robot_);
  }

 private:
  struct Inside {       // where an element stands
    int link = kWorld;  // its number
    Pose frame;         // of a <frame>, in the link
    std::string childclass;
  };
  struct Found {  // of a link, while its elements are read
    std::vector<MjcfGeom> geoms;
    const XmlElement* inertial = nullptr;
    int link = 0;
  };

  void read_option(const XmlElement& option) {
    if (const auto dt = optional_number(option, "timestep")) {
      if (!(*dt > 0)) option.fail(fmt::format("timestep must be above 0, got {}", *dt));
      robot_.dt = *dt;
    }
    if (const auto gravity = optional_vec3(option, "gravity")) robot_.gravity = *gravity;
  }

  // Nesting is capped with that of the XML.
  void read_contents(const XmlElement& element, const Inside& inside) {
    for (const XmlElement& child : element.children) {
      if (child.name == "geom") read_geom(child, inside);
      if (child.name == "site") read_site(child, inside);
      if (child.name == "body") read_body(child, inside);
      if (child.name == "frame") {
        Inside in_frame = inside;
        in_frame.frame = inside.frame * mjcf_pose(child, settings_);
        in_frame.childclass = childclass_of(child, inside.childclass);
        read_contents(child, in_frame);
      }
      if (inside.link == kWorld) continue;
      if (child.name == "joint" || child.name == "freejoint") read_joint(child, inside);
      if (child.name == "inertial") found_[static_cast<std::size_t>(inside.link)].inertial = &child;
    }
  }

  std::string childclass_of(const XmlElement& element, const std::string& otherwise) const {
    const std::string* own = element.find("childclass");
    if (!own) return otherwise;
    defaults_.require_class(element, *own);
    return *own;
  }

  void read_body(const XmlElement& element, const Inside& inside) {
    Link link;
    const std::string* name = element.find("name");
    link.name = name && !name->empty() ? *name : fmt::format("body {}", robot_.links.size() + 1);
    link.where = element.where();
    for (const Link& other : robot_.links)
      if (name && other.name == *name)
        element.fail(fmt::format("the name is taken, by the body at {}", other.where));
    link.parent = inside.link;
    link.pose = inside.frame * mjcf_pose(element, settings_);
    const int number = static_cast<int>(robot_.links.size());
    robot_.links.push_back(std::move(link));
    found_.push_back({{}, nullptr, number});
    read_contents(element, {number, {}, childclass_of(element, inside.childclass)});
  }

  void read_geom(const XmlElement& element, const Inside& inside) {
    MjcfGeom geom = geoms_.read(defaults_.resolved(element, inside.childclass));
    if (geom.touches) frictions_.push_back(geom.friction);
    if (geom.plane) {
      read_plane(element, *geom.plane, inside);
      return;
    }
    if (!geom.shape) return;
    geom.shape->pose = inside.frame * geom.shape->pose;
    if (inside.link != kWorld)
      found_[static_cast<std::size_t>(inside.link)].geoms.push_back(std::move(geom));
    else if (geom.touches)
      robot_.obstacles.push_back(*geom.shape);
    else
      warnings_.add("world geom for the eye", element.where(),
                    "a geom of the world that touches nothing is left out");
  }

  // Planes are of the world, or of bodies that are fixed to it.
  void read_plane(const XmlElement& element, Plane plane, const Inside& inside) {
    Pose pose = inside.frame;
    for (int link = inside.link; link != kWorld;) {
      const Link& body = robot_.links[static_cast<std::size_t>(link)];
      if (!body.joints.empty() || body.free) {
        warnings_.add("moving plane", element.where(), "a plane that moves is left out");
        return;
      }
      pose = body.pose * pose;
      link = body.parent;
    }
    plane.point = pose * plane.point;
    plane.normal = pose.R * plane.normal;
    robot_.planes.push_back(plane);
  }

  void read_site(const XmlElement& element, const Inside& inside) {
    const std::string* name = element.find("name");
    if (!name || inside.link == kWorld) return;
    const XmlElement site = defaults_.resolved(element, inside.childclass);
    Vec3 point = mjcf_pose(site, settings_).p;
    if (const auto ends = optional_numbers(site, "fromto", 6))
      for (int i = 0; i < 3; ++i)
        point[i] =
            0.5 * ((*ends)[static_cast<std::size_t>(i)] + (*ends)[static_cast<std::size_t>(i) + 3]);
    robot_.sites.push_back({*name, inside.link, inside.frame * point});
  }

  void read_joint(const XmlElement& element, const Inside& inside) {
    Link& link = robot_.links[static_cast<std::size_t>(inside.link)];
    const XmlElement with_class =
        element.name == "joint" ? defaults_.resolved(element, inside.childclass) : element;
    const std::string* given = with_class.find("type");
    const std::string type = element.name == "freejoint" ? "free" : given ? *given : "hinge";
    if (type == "free") {
      if (link.parent != kWorld) element.fail("only a body of the world can be free");
      link.free = !options_.fix_base;
      return;
    }
    Joint joint;
    const std::vector<std::string> known = {"hinge", "slide", "ball", "free"};
    if (std::find(known.begin(), known.end(), type) == known.end())
      element.fail(fmt::format("unknown type {}{}", in_quotes(type), suggestion(type, known)));
    joint.kind = type == "hinge"   ? JointKind::hinge
                 : type == "slide" ? JointKind::slide
                                   : JointKind::ball;
    const std::string* name = with_class.find("name");
    joint.name = name ? *name : fmt::format("{} joint {}", link.name, link.joints.size() + 1);
    joint.where = element.where();
    joint.point = inside.frame * optional_vec3(with_class, "pos").value_or(Vec3::Zero());
    joint.axis = inside.frame.R * optional_vec3(with_class, "axis").value_or(Vec3::UnitZ());
    if (!(joint.axis.norm() > 1e-9)) element.fail("the axis has no direction");
    joint.axis.normalize();
    read_motion(with_class, joint);
    link.joints.push_back(joint);
  }

  void read_motion(const XmlElement& element, Joint& joint) {
    const bool turns = joint.kind == JointKind::hinge;
    const auto coordinate = [&](double written) {
      return turns ? settings_.angle(written) : written;
    };
    const auto range = optional_numbers(element, "range", 2);
    const bool limited = mjcf_flag(element, "limited", settings_.autolimits && range.has_value());
    joint.damping = optional_number(element, "damping").value_or(0);
    joint.stiffness = optional_number(element, "stiffness").value_or(0);
    if (joint.damping < 0 || joint.stiffness < 0)
      element.fail("damping and stiffness must not be negative");
    if (joint.kind == JointKind::ball) {
      if (limited || joint.damping > 0 || joint.stiffness > 0)
        warnings_.add("ball", element.where(),
                      "range, damping and stiffness of a ball joint are left out");
      joint.damping = joint.stiffness = 0;
      return;
    }
    joint.reference = coordinate(optional_number(element, "ref").value_or(0));
    joint.spring_reference = coordinate(optional_number(element, "springref").value_or(0));
    if (!limited) return;
    if (!range) element.fail("is limited, but has no range");
    joint.limits = {coordinate((*range)[0]), coordinate((*range)[1])};
    if ((*range)[0] > (*range)[1])
      element.fail(fmt::format("range begins at {}, above its end, {}", (*range)[0], (*range)[1]));
  }

  // Shapes that touch where there are any, else those for the eye; masses of all of them.
  void finish_link(Found& found) {
    Link& link = robot_.links[static_cast<std::size_t>(found.link)];
    const bool any_touches = std::any_of(found.geoms.begin(), found.geoms.end(),
                                         [](const MjcfGeom& geom) { return geom.touches; });
    const bool any_seen = std::any_of(found.geoms.begin(), found.geoms.end(),
                                      [](const MjcfGeom& geom) { return !geom.touches; });
    const bool take_seen = any_seen && (!any_touches || options_.visual);
    link.touches = any_touches;
    std::vector<Shape> heavy;
    for (const MjcfGeom& geom : found.geoms) {
      if (geom.touches != take_seen) link.shapes.push_back(*geom.shape);
      if (geom.shape->mass.value_or(geom.shape->density) > 0) heavy.push_back(*geom.shape);
    }
    if (any_touches && any_seen && !take_seen)
      warnings_.add("geoms for the eye", link.where,
                    "geoms that touch nothing are left out where others do, since a body has one "
                    "shape; --visual takes them instead");
    const bool said = found.inertial && settings_.inertia_from_geom != "true";
    if (said)
      read_inertial(*found.inertial, heavy, link);
    else if (!heavy.empty() && settings_.inertia_from_geom != "false")
      link.mass = mass_of_shapes(heavy, warnings_);
  }

  void read_inertial(const XmlElement& element, const std::vector<Shape>& shapes, Link& link) {
    MassOf mass;
    mass.mass = required_number(element, "mass");
    if (mass.mass < 0) element.fail(fmt::format("the mass is negative: {}", mass.mass));
    if (const auto full = optional_numbers(element, "fullinertia", 6)) {
      const std::vector<double>& I = *full;
      mass.inertia = Mat3{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    } else if (const auto moments = optional_vec3(element, "diaginertia")) {
      mass.inertia = moments->asDiagonal();
    }
    link.mass = moved(mjcf_pose(element, settings_), mass);
    if (!(mass.mass > 0) || is_possible_inertia(mass.inertia)) return;
    warnings_.add("impossible inertia", element.where(),
                  fmt::format("no body has the inertia of \"{}\"; that of its shape with its mass "
                              "is taken",
                              link.name));
    MassOf solid = mass_of_shapes(shapes, warnings_);
    if (!(solid.mass > 0)) solid = {1, Vec3::Zero(), 1e-4 * Mat3::Identity()};
    link.mass->inertia = mass.mass / solid.mass * solid.inertia;
  }

  // MuJoCo takes the larger coefficient of two geoms.
  void set_friction() {
    robot_.friction = 1;
    if (frictions_.empty()) return;
    const auto [least, most] = std::minmax_element(frictions_.begin(), frictions_.end());
    robot_.friction = *most;
    if (*least < *most)
      warnings_.add("friction", root_.where(),
                    fmt::format("geoms have coefficients of friction from {} to {}; the largest is "
                                "taken for all, \"pairs\" in contact tells them apart",
                                *least, *most));
  }

  // A body that is not there is a slip, unless it is one of those that are not read.
  void read_exclude(const XmlElement& element) {
    std::array<std::string, 2> pair;
    for (std::size_t k = 0; k < 2; ++k) {
      pair[k] = required_text(element, k == 0 ? "body1" : "body2");
      std::vector<std::string> known;
      for (const Link& link : robot_.links) known.push_back(link.name);
      if (pair[k] == "world" || std::find(known.begin(), known.end(), pair[k]) != known.end())
        continue;
      for (const char* maker : {"composite", "replicate", "flexcomp", "attach"})
        if (warnings_.has(maker)) return;
      element.fail(
          fmt::format("unknown body {}{}", in_quotes(pair[k]), suggestion(pair[k], known)));
    }
    robot_.excluded.push_back(pair);
  }

  const XmlElement& root_;
  const ReadOptions& options_;
  Warnings& warnings_;
  MjcfSettings settings_;
  MjcfDefaults defaults_;
  MjcfGeoms geoms_;
  Robot robot_;
  std::vector<Found> found_;  // one for each link
  std::vector<double> frictions_;
};

}  // namespace

Robot read_mjcf(const XmlElement& root, const ReadOptions& options, Warnings& warnings) {
  return MjcfReader(root, options, warnings).read();
}

}  // namespace pliant::robots
