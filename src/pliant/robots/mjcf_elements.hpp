// What all elements of MJCF share: settings of the compiler, defaults by class, and places in
// several notations.
#pragma once

#include <pliant/robots/pose.hpp>
#include <pliant/robots/xml.hpp>

#include <map>

namespace pliant::robots {

struct MjcfSettings {
  bool degrees = true, autolimits = true, strip_path = false;
  std::string euler = "xyz";
  std::string inertia_from_geom = "auto";
  std::filesystem::path mesh_folder;

  double angle(double written) const;  // rad
};
MjcfSettings mjcf_settings(const XmlElement& root);

// The classes of <default>: each is its parent's with changes.
class MjcfDefaults {
 public:
  explicit MjcfDefaults(const XmlElement& root);

  // The element with all that its class, or `childclass` where it names none, says of its kind.
  XmlElement resolved(const XmlElement& element, const std::string& childclass) const;
  void require_class(const XmlElement& element, const std::string& name) const;

 private:
  struct Class {
    std::string parent;
    std::vector<const XmlElement*> elements;
  };
  void add(const XmlElement& element, const std::string& parent);
  std::map<std::string, Class> classes_;
};

// pos and one of quat, axisangle, euler, xyaxes, zaxis.
Pose mjcf_pose(const XmlElement& element, const MjcfSettings& settings);

bool mjcf_flag(const XmlElement& element, std::string_view attribute, bool otherwise);

}  // namespace pliant::robots
