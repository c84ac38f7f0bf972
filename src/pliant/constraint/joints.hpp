// Joints between two bodies, or a body and the world, as rows: points that meet, and directions of
// one that stay across directions of the other. Each end gives its point and three directions that
// it carries, equal at rest: the joint's axis n and two across it, t and s.
//
//   ball       x_a = x_b
//   hinge      x_a = x_b,  n_a ⟂ t_b, s_b             turns about n
//   universal  x_a = x_b,  t_a ⟂ s_b                  turns about t and s, not about n
//   fixed      x_a = x_b,  n_a ⟂ t_b, s_b,  t_a ⟂ s_b
//   slider     x_b − x_a ⟂ t_a, s_a,  directions as for fixed
#pragma once

#include <pliant/constraint/angle_rows.hpp>
#include <pliant/constraint/linear_rows.hpp>

#include <array>
#include <memory>
#include <optional>

namespace pliant {

enum class JointType { ball, hinge, universal, fixed, slider };
std::optional<JointType> find_joint(std::string_view name);

struct JointEnd {
  MappedPoint point;          // nowhere: the world
  Vec3 world = Vec3::Zero();  // m, where it is then
  LinearForm axis, t, s;      // n, t, s: unit vectors at rest
};

struct JointRows {
  std::vector<LinearRow> linear;
  std::vector<DotRow> dot, dot_rates;
  std::vector<AngleRow> angle, angle_rates;
};

// What drives a hinge (rad, N·m) or a slider (m, N): to a place that may change over time, or at a
// speed, no stronger than `most`.
struct Motor {
  Target target;
  bool by_speed = false;
  double most = std::numeric_limits<double>::infinity();
  double compliance = 0, damping = 0;  // a spring that drives it, if not zero
};

struct Joint {
  std::string name;
  JointType type = JointType::ball;
  JointEnd a, b;
  double compliance = 0;                             // m/N and rad/(N·m)
  double damping = 0;                                // N·s/m and N·m·s
  std::optional<std::array<double, 2>> limits = {};  // least and largest angle (rad) or way (m)
  std::optional<Motor> motor = {};
};
// The angle of a hinge or the way of a slider is that of a as seen from b. Only these two have
// limits and motors.
void add_joint(const Joint& joint, JointRows& rows);

// As batches, those that are not empty.
std::vector<std::unique_ptr<Constraint>> make_batches(JointRows rows);

}  // namespace pliant
