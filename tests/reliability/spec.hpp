// What a reliability scene is made of: bodies, obstacles, how long and with which steps, and what
// must come out of it beside the invariants that hold everywhere.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/constraint/joints.hpp>
#include <reliability/shapes.hpp>

#include <functional>
#include <optional>

namespace pliant::reliability {

inline constexpr double kGravity = 9.81;  // m/s²

struct Grip {  // a pin on the nodes of a body that it takes hold of
  std::function<bool(const Vec3&)> holds;
  Motion motion = {};
};

struct Piece {
  Mesh mesh;
  double young = 1e5, poisson = 0.4, density = 1000;
  std::string law = "stable-neo-hookean";
  Vec3 velocity = Vec3::Zero();
  std::vector<Grip> grips = {};
  double alpha = 0, beta = 0;          // Rayleigh damping
  bool rigid = false;                  // then of its density alone, and held as a whole if at all
  std::optional<ThinInput> thin = {};  // cloth, of triangles, or a cable, of segments

  bool is_cable() const { return thin && mesh.blocks[0].type == ElementType::segment2; }
  // m, what contact keeps around it: thickness is on both sides, a radius all around.
  double radius() const { return thin ? (is_cable() ? 1 : 0.5) * thin->thickness : 0; }
};

struct Wall {
  enum class Kind { plane, ball, rod, sheet };
  Kind kind = Kind::plane;
  std::vector<Vec3> points;     // of a plane or a ball one, of a rod two
  Vec3 normal = Vec3::UnitY();  // of a plane
  double radius = 0;            // of a ball or a rod
  Surface surface = {};         // of a sheet
  Motion motion = {};
};

struct Tie {  // a joint between two pieces, or of one with the world
  std::size_t a = 0;
  std::optional<std::size_t> b = {};
  Vec3 at = Vec3::Zero();
  std::optional<Vec3> axis = {};    // a hinge about it, of rigid pieces; else a ball
  std::optional<Motor> motor = {};  // of the hinge
};

Wall make_floor(double height = 0);
Wall make_plane(const Vec3& point, const Vec3& normal);
Wall make_wall(const Sheet& sheet, const Motion& motion = {});
Wall make_rod(const Vec3& from, const Vec3& to, double radius);
Wall make_ball(const Vec3& center, double radius);
// What a mat or cloth over the origin falls on: three blades, their edges at y = 0, or nine needles
// of no thickness, or their points alone.
std::vector<Wall> make_knives();
std::vector<Wall> make_needles(bool points);

class World;
struct Journey {  // of one trial, for what the scene expects at its end
  const World& world;
  const State &start, &end;
  double mu = 0, h = 0;
};
// Empty where all is right, else what is wrong.
using Expectation = std::function<std::string(const Journey&)>;

struct SceneSpec {
  std::vector<Piece> pieces = {};
  std::vector<Wall> walls = {};
  std::vector<Tie> ties = {};
  Vec3 gravity = Vec3(0, -kGravity, 0);
  std::vector<double> steps = {0.005};  // s; 0.04 comes beside
  double duration = 0.5;                // s
  int most_steps = 0;                   // where the duration takes more of them; 0: all of it
  int quick_steps = 40;                 // of the quick set, at most; 0: to the end
  bool is_quick = true;                 // is it in the quick set, or too long for it?
  std::string quick_integrator = {};    // there; by default integrators take turns
  std::vector<double> frictions = {0, 1};
  std::optional<double> distance = {};  // m, the barrier's; by default 1e-3 of the bodies' diagonal
  double jitter = 1e-6;                 // of the diagonal: how far seeds shift bodies and points
  bool shifts = true;                   // are bodies shifted as a whole, too?
  // The start is where everything has come to rest with this friction, if given.
  std::optional<double> settle_with = {};
  Expectation during = {}, at_end = {};
};

}  // namespace pliant::reliability
