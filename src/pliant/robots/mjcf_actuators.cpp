#include <pliant/robots/mjcf_actuators.hpp>

#include <pliant/core/suggest.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant::robots {
namespace {

std::optional<std::array<double, 2>> range_of(const XmlElement& element, std::string_view range,
                                              std::string_view limited, bool autolimits) {
  const auto numbers = optional_numbers(element, range, 2);
  if (!mjcf_flag(element, limited, autolimits && numbers.has_value()) || !numbers)
    return std::nullopt;
  if ((*numbers)[0] > (*numbers)[1]) element.fail(fmt::format("{} begins above its end", range));
  return std::array{(*numbers)[0], (*numbers)[1]};
}

Joint* joint_named(const std::string& name, Robot& robot) {
  for (Link& link : robot.links)
    for (Joint& joint : link.joints)
      if (joint.name == name) return &joint;
  return nullptr;
}

// A length g q and a force k (control − g q) − d g q̇ at it, or d (control − g q̇), are a torque of g
// times that at the joint.
void add_drive(const XmlElement& element, const MjcfSettings& settings, Warnings& warnings,
               Joint& joint) {
  double gear = 1;
  if (const std::string* value = element.find("gear"))
    if (const auto numbers = numbers_of(element, "gear", *value); !numbers.empty())
      gear = numbers[0];
  if (gear == 0) element.fail("its gear is zero");
  const bool by_speed = element.name == "velocity";
  const double gain = optional_number(element, by_speed ? "kv" : "kp").value_or(1);
  if (!(gain > 0)) element.fail(fmt::format("its gain must be above 0, got {}", gain));
  Drive drive;
  drive.by_speed = by_speed;
  drive.strength = gain * gear * gear;
  const auto control = range_of(element, "ctrlrange", "ctrllimited", settings.autolimits)
                           .value_or(std::array{0., 0.});
  drive.target = std::clamp(0.0, control[0], control[1]) / gear;
  if (const auto force = range_of(element, "forcerange", "forcelimited", settings.autolimits)) {
    drive.most = std::max(std::abs((*force)[0]), std::abs((*force)[1])) * std::abs(gear);
    if (!(*drive.most > 0)) return;  // it does nothing
    if (-(*force)[0] != (*force)[1])
      warnings.add("one-sided force", element.where(),
                   "a forcerange that is not the same both ways is taken as its larger side");
  }
  if (!by_speed) joint.damping += optional_number(element, "kv").value_or(0) * gear * gear;
  joint.drive = drive;
}

}  // namespace

void add_mjcf_drives(const XmlElement& root, const MjcfSettings& settings,
                     const MjcfDefaults& defaults, Warnings& warnings, Robot& robot) {
  for (const XmlElement* actuators : root.all("actuator"))
    for (const XmlElement& element : actuators->children) {
      if (element.name != "position" && element.name != "velocity") continue;
      const XmlElement actuator = defaults.resolved(element, "");
      const std::string* name = actuator.find("joint");
      if (!name) {
        warnings.add("actuator of no joint", element.where(),
                     "an actuator of something other than a joint is left out");
        continue;
      }
      Joint* joint = joint_named(*name, robot);
      if (!joint) {
        std::vector<std::string> known;
        for (const Link& link : robot.links)
          for (const Joint& one : link.joints) known.push_back(one.name);
        element.fail(fmt::format("unknown joint {}{}", in_quotes(*name), suggestion(*name, known)));
      }
      if (joint->kind == JointKind::ball || joint->drive) {
        warnings.add("actuator too many", element.where(),
                     "an actuator of a ball joint, or a second one of a joint, is left out");
        continue;
      }
      add_drive(actuator, settings, warnings, *joint);
    }
}

}  // namespace pliant::robots
