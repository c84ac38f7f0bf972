// The robot as a scene needs it: links that are fixed to each other are one body, every body has a
// mass and a place in the world, every joint ties two bodies by one axis. Still with z up.
#pragma once

#include <pliant/robots/robot.hpp>
#include <pliant/robots/shapes.hpp>
#include <pliant/robots/warnings.hpp>

namespace pliant::robots {

struct AssembledBody {
  std::string name, where;
  bool fixed = false;         // to the world
  bool touches = false;       // else it passes through everything
  Pose frame;                 // of its first link, in the world
  MassOf mass;                // in the world
  std::vector<Shape> shapes;  // in `frame`
  int base = -1;              // the free body that carries it; −1: it hangs on the world
  Triangles surface;          // of all shapes, in `frame`
};

struct JointMotor {
  bool by_speed = false;
  double target = 0;           // from the start on: rad or m, or per second
  double compliance = 0;       // 1 / strength
  std::optional<double> most;  // N·m or N
  double damping = 0;          // N·m·s or N·s/m, beside a compliance
};

struct AssembledJoint {
  std::string name;
  JointKind kind = JointKind::hinge;
  int body = 0, other = -1;                         // −1: the world
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();  // in the world
  std::optional<std::array<double, 2>> limits;      // from the start on
  std::vector<JointMotor> motors;
};

struct WatchedPoint {
  std::string name;
  int body = 0;
  Vec3 point = Vec3::Zero();  // in the world
};

struct Assembly {
  std::vector<AssembledBody> bodies;
  std::vector<AssembledJoint> joints;
  std::vector<WatchedPoint> probes;
  std::vector<std::array<int, 2>> neighbours;  // bodies that pass through each other
  double size = 1;                             // m, the diagonal of the box around all bodies
};

// Joints stand where the description has them, or at the nearest limit. Throws InputError where
// nothing is left that could move or be seen.
Assembly assemble(const Robot& robot, Warnings& warnings);

// Unlike all of `taken`, to which it is added, and as scenes have names.
std::string unique_name(const std::string& wanted, std::vector<std::string>& taken);

}  // namespace pliant::robots
