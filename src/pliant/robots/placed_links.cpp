#include <pliant/robots/placed_links.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace pliant::robots {
namespace {

constexpr std::size_t kLongestName = 60;

// What a joint moves when it goes that far, in the link.
Pose motion(const Joint& joint, double way) {
  if (joint.kind == JointKind::slide) return {Mat3::Identity(), way * joint.axis};
  const Mat3 R = turn(joint.axis, way);
  return {R, joint.point - R * joint.point};
}

// Motors count from the start; one that is as strong as need be has no compliance.
std::vector<JointMotor> motors_of(const Joint& joint, double start) {
  std::vector<JointMotor> motors;
  if (joint.drive) {
    const Drive& drive = *joint.drive;
    motors.push_back({drive.by_speed, drive.by_speed ? drive.target : drive.target - start,
                      drive.strength > 0 ? 1 / drive.strength : 0, drive.most});
  }
  if (joint.stiffness > 0)
    motors.push_back({false, joint.spring_reference - start, 1 / joint.stiffness, std::nullopt});
  // A spring of any strength damps, too; of one whose force is limited the damping would be.
  if (joint.damping > 0) {
    const auto spring = std::find_if(motors.begin(), motors.end(), [](const JointMotor& motor) {
      return !motor.by_speed && motor.compliance > 0 && !motor.most;
    });
    if (spring != motors.end())
      spring->damping = joint.damping;
    else
      motors.push_back({true, 0, 1 / joint.damping, std::nullopt});
  }
  return motors;
}

void place_joint(const Joint& joint, Warnings& warnings, PlacedLink& out) {
  double start = joint.reference;
  if (joint.limits) start = std::clamp(start, (*joint.limits)[0], (*joint.limits)[1]);
  if (start != joint.reference)
    warnings.add("start beyond limits", joint.where,
                 fmt::format("the joint \"{}\" would start at {:.4g}, beyond its limits {:.4g} and "
                             "{:.4g}; it starts at the nearer one",
                             joint.name, joint.reference, (*joint.limits)[0], (*joint.limits)[1]));
  AssembledJoint placed;
  placed.name = joint.name;
  placed.kind = joint.kind;
  placed.axis = out.pose.R * joint.axis;
  if (joint.kind != JointKind::ball) out.pose = out.pose * motion(joint, start - joint.reference);
  placed.point = out.pose * joint.point;
  if (joint.limits && (*joint.limits)[0] == (*joint.limits)[1]) {
    warnings.add(
        "locked joint", joint.where,
        fmt::format("the limits of the joint \"{}\" are the same: it is fixed", joint.name));
    return;
  }
  placed.limits = joint.limits;
  if (joint.limits)
    for (double& limit : *placed.limits) limit -= start;
  const auto& limits = placed.limits;
  if (limits && joint.kind == JointKind::hinge &&
      (*limits)[1] - (*limits)[0] >= 2 * std::numbers::pi) {
    warnings.add("wide limits", joint.where,
                 fmt::format("the limits of the joint \"{}\" are a whole turn or more apart; it "
                             "turns without",
                             joint.name));
    placed.limits.reset();
  }
  placed.motors = motors_of(joint, start);
  out.joints.push_back(std::move(placed));
}

}  // namespace

std::vector<PlacedLink> place_links(const Robot& robot, Warnings& warnings) {
  std::vector<PlacedLink> placed;
  for (const Link& link : robot.links) {
    PlacedLink one;
    one.pose = link.parent < 0 ? link.pose
                               : placed[static_cast<std::size_t>(link.parent)].pose * link.pose;
    for (const Joint& joint : link.joints) place_joint(joint, warnings, one);
    placed.push_back(std::move(one));
  }
  return placed;
}

std::string unique_name(const std::string& wanted, std::vector<std::string>& taken) {
  std::string name = wanted.substr(0, kLongestName);
  for (char& c : name)
    if (c == ',' || c == '"' || static_cast<unsigned char>(c) < 0x20 ||
        static_cast<unsigned char>(c) >= 0x7f)
      c = '_';
  if (name.empty()) name = "unnamed";
  const std::string stem = name;
  for (int k = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++k)
    name = fmt::format("{} {}", stem, k);
  taken.push_back(name);
  return name;
}

}  // namespace pliant::robots
