// A robot as its file describes it, whatever the format: a tree of links, each with the joints
// that carry it, its mass and its shapes. SI units, z up; nothing is merged or posed yet.
#pragma once

#include <pliant/robots/pose.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant::robots {

enum class ShapeKind { box, sphere, cylinder, capsule, ellipsoid, mesh };

struct Shape {
  ShapeKind kind = ShapeKind::box;
  // m: edges of a box; radii of an ellipsoid; [radius] of a sphere; [radius, length] of a cylinder
  // or of the straight part of a capsule, both along z. Of a mesh: factors.
  Vec3 size = Vec3::Ones();
  std::filesystem::path file;  // of a mesh
  Pose pose;                   // in its link
  std::string name, where;     // its name may be empty
  double density = 1000;       // kg/m³, where neither it nor its link has a mass
  std::optional<double> mass;  // kg
  // MuJoCo's contype and conaffinity: two shapes may touch where a bit of one's `pushes` is in the
  // other's `yields`.
  unsigned pushes = 1, yields = 1;
};

struct MassOf {                 // a body's
  double mass = 0;              // kg
  Vec3 centre = Vec3::Zero();   // of mass, m
  Mat3 inertia = Mat3::Zero();  // about the centre, kg m²
};

enum class JointKind { hinge, slide, ball };

// What drives a joint: towards a place or at a speed, with a force of strength × what it lacks.
struct Drive {
  bool by_speed = false;
  double target = 0;           // rad or m, or per second
  double strength = 0;         // N·m/rad, N/m, or per rad/s or m/s; 0: whatever it takes
  std::optional<double> most;  // N·m or N
};

struct Joint {
  std::string name, where;
  JointKind kind = JointKind::hinge;
  Vec3 axis = Vec3::UnitZ(), point = Vec3::Zero();  // in the link
  std::optional<std::array<double, 2>> limits;      // rad, m
  double reference = 0;                             // its coordinate where the link is as written
  double damping = 0;                               // N·m·s/rad, N·s/m
  double stiffness = 0, spring_reference = 0;       // N·m/rad, N/m, and where it rests
  std::optional<Drive> drive;
};

struct Link {
  std::string name, where;
  int parent = -1;             // an earlier link; −1: the world
  Pose pose;                   // in the parent, as written
  bool free = false;           // nothing ties it to its parent
  std::vector<Joint> joints;   // from the parent outwards; none: fixed to it, unless free
  std::optional<MassOf> mass;  // in the link
  std::vector<Shape> shapes;
  bool touches = true;  // false: its shapes are for the eye alone
};

struct Plane {
  std::string name;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();  // in the world
};

struct Site {  // a point worth watching
  std::string name;
  int link = -1;
  Vec3 point = Vec3::Zero();  // in the link
};

struct Robot {
  std::string name, where;
  std::vector<Link> links;  // parents before children
  std::vector<Plane> planes;
  std::vector<Shape> obstacles;  // of the world; their poses are there
  std::vector<Site> sites;
  std::vector<std::array<std::string, 2>> excluded;  // links that pass through each other
  Vec3 gravity = Vec3(0, 0, -9.81);                  // m/s²
  std::optional<double> dt;                          // s
  double friction = 0.5;
};

}  // namespace pliant::robots
