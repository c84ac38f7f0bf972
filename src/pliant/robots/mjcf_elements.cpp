#include <pliant/robots/mjcf_elements.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/io/mesh_cursor.hpp>
#include <pliant/robots/readers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace pliant::robots {
namespace {

const std::string kMain = "main";

std::string choice(const XmlElement& element, const char* attribute, const std::string& otherwise,
                   const std::vector<std::string>& known) {
  const std::string* value = element.find(attribute);
  if (!value) return otherwise;
  if (std::find(known.begin(), known.end(), *value) == known.end())
    element.fail(
        fmt::format("unknown {} {}{}", attribute, in_quotes(*value), suggestion(*value, known)));
  return *value;
}

Vec3 direction(const XmlElement& element, std::string_view what, const Vec3& v) {
  if (!(v.norm() > 1e-9)) element.fail(fmt::format("{} has no direction", what));
  return v.normalized();
}

Mat3 from_axes(const XmlElement& element, const std::vector<double>& n) {
  const Vec3 x = direction(element, "the x axis", Vec3(n[0], n[1], n[2]));
  const Vec3 y_near(n[3], n[4], n[5]);
  const Vec3 y = direction(element, "the y axis", y_near - x.dot(y_near) * x);
  Mat3 R;
  R << x, y, x.cross(y);
  return R;
}

void include_into(XmlElement& element, const std::filesystem::path& folder,
                  std::set<std::filesystem::path>& seen) {
  std::vector<XmlElement> children;
  for (XmlElement& child : element.children) {
    if (child.name != "include") {
      include_into(child, folder, seen);
      children.push_back(std::move(child));
      continue;
    }
    const std::filesystem::path path = folder / required_text(child, "file");
    if (!seen.insert(path.lexically_normal()).second)
      child.fail(fmt::format("{} is included twice, or includes itself", path.string()));
    XmlElement other;
    try {
      other = read_xml(path);
    } catch (const InputError& error) {
      child.fail(error.what());
    }
    include_into(other, folder, seen);
    for (XmlElement& one : other.children) children.push_back(std::move(one));
  }
  element.children = std::move(children);
}

}  // namespace

void include_files(XmlElement& root, const std::filesystem::path& folder) {
  std::set<std::filesystem::path> seen = {std::filesystem::path(*root.file).lexically_normal()};
  include_into(root, folder, seen);
}

double MjcfSettings::angle(double written) const {
  return degrees ? written * std::numbers::pi / 180 : written;
}

bool mjcf_flag(const XmlElement& element, std::string_view attribute, bool otherwise) {
  const std::string* value = element.find(attribute);
  if (!value || *value == "auto") return otherwise;
  if (*value != "true" && *value != "false")
    element.fail(fmt::format("{} must be true or false, got {}", attribute, in_quotes(*value)));
  return *value == "true";
}

MjcfSettings mjcf_settings(const XmlElement& root) {
  MjcfSettings settings;
  for (const XmlElement* compiler : root.all("compiler")) {
    settings.degrees = choice(*compiler, "angle", settings.degrees ? "degree" : "radian",
                              {"degree", "radian"}) == "degree";
    choice(*compiler, "coordinate", "local", {"local"});
    settings.autolimits = mjcf_flag(*compiler, "autolimits", settings.autolimits);
    settings.strip_path = mjcf_flag(*compiler, "strippath", settings.strip_path);
    settings.inertia_from_geom =
        choice(*compiler, "inertiafromgeom", settings.inertia_from_geom, {"auto", "true", "false"});
    if (const std::string* folder = compiler->find("assetdir")) settings.mesh_folder = *folder;
    if (const std::string* folder = compiler->find("meshdir")) settings.mesh_folder = *folder;
    const std::string* euler = compiler->find("eulerseq");
    if (!euler) continue;
    if (euler->size() != 3 || euler->find_first_not_of("xyzXYZ") != std::string::npos)
      compiler->fail(
          fmt::format("eulerseq must be three of x, y, z, X, Y, Z, got {}", in_quotes(*euler)));
    settings.euler = *euler;
  }
  return settings;
}

MjcfDefaults::MjcfDefaults(const XmlElement& root) {
  classes_[kMain];
  for (const XmlElement* element : root.all("default")) add(*element, "");
}

void MjcfDefaults::add(const XmlElement& element, const std::string& parent) {
  const std::string* given = element.find("class");
  if (!given && !parent.empty()) element.fail("a <default> inside another needs a \"class\"");
  // The outermost class may have any name; it is the one that all others begin with.
  const std::string name = given && !parent.empty() ? *given : kMain;
  if (!parent.empty() && classes_.count(name))
    element.fail(fmt::format("the class {} is there already", in_quotes(name)));
  if (given && parent.empty() && *given != kMain) classes_[*given].parent = kMain;
  classes_[name].parent = parent;
  for (const XmlElement& child : element.children) {
    if (child.name == "default")
      add(child, name);
    else
      classes_[name].elements.push_back(&child);
  }
}

void MjcfDefaults::require_class(const XmlElement& element, const std::string& name) const {
  if (classes_.count(name)) return;
  std::vector<std::string> known;
  for (const auto& [one, of] : classes_) known.push_back(one);
  element.fail(fmt::format("unknown class {}{}", in_quotes(name), suggestion(name, known)));
}

XmlElement MjcfDefaults::resolved(const XmlElement& element, const std::string& childclass) const {
  XmlElement all = element;
  std::string name = kMain;
  if (!childclass.empty()) name = childclass;
  if (const std::string* own = element.find("class")) name = *own;
  require_class(element, name);
  while (!name.empty()) {
    const Class& one = classes_.at(name);
    for (const XmlElement* preset : one.elements) {
      // General actuators are what all kinds of them are made of.
      if (preset->name != element.name && preset->name != "general") continue;
      if (preset->name == "general" && element.name != "position" && element.name != "velocity")
        continue;
      for (const XmlAttribute& attribute : preset->attributes)
        if (!all.find(attribute.name)) all.attributes.push_back(attribute);
    }
    name = one.parent;
  }
  return all;
}

Pose mjcf_pose(const XmlElement& element, const MjcfSettings& settings) {
  Pose pose;
  pose.p = optional_vec3(element, "pos").value_or(Vec3::Zero());
  if (const auto q = optional_numbers(element, "quat", 4)) {
    const Eigen::Vector4d wxyz((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if (!(wxyz.norm() > 1e-9)) element.fail("the quaternion is zero");
    pose.R = from_quaternion(wxyz);
  } else if (const auto a = optional_numbers(element, "axisangle", 4)) {
    pose.R = turn(direction(element, "the axis", Vec3((*a)[0], (*a)[1], (*a)[2])),
                  settings.angle((*a)[3]));
  } else if (const auto e = optional_vec3(element, "euler")) {
    const Vec3 angles(settings.angle(e->x()), settings.angle(e->y()), settings.angle(e->z()));
    pose.R = from_euler(angles, settings.euler);
  } else if (const auto axes = optional_numbers(element, "xyaxes", 6)) {
    pose.R = from_axes(element, *axes);
  } else if (const auto z = optional_vec3(element, "zaxis")) {
    pose.R = from_z_axis(direction(element, "the z axis", *z));
  }
  return pose;
}

}  // namespace pliant::robots
