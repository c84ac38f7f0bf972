// Bodies tied to each other that touch: joints and contact pull at the same nodes, and obstacles
// that move push what joints hold back.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::reliability {
namespace {

// Ties are met to the tolerance of the solver: what a jitter has pulled apart comes together in the
// first step, and nothing that touches may pull it apart again.
constexpr double kMiss = 1e-6;  // m and rad

SceneSpec jointed(std::vector<Piece> pieces, std::vector<Wall> walls, std::vector<Tie> ties) {
  SceneSpec spec{.pieces = std::move(pieces),
                 .walls = std::move(walls),
                 .ties = std::move(ties),
                 .steps = {0.01},
                 .duration = 0.6,
                 .quick_steps = 8};
  spec.during = [](const Journey& j) {
    const double miss = j.world.largest_miss(j.end);
    return miss <= kMiss ? std::string() : fmt::format("a tie is missed by {:.3g}", miss);
  };
  return spec;
}

Piece rigid_box(const Vec3& size, const Vec3& at) {
  return {.mesh = moved(make_box({size, {1, 1, 1}, ElementType::tet4}), at), .rigid = true};
}

// Bars in a row along x from the origin, tied to their neighbours in the middle of the gaps.
constexpr double kBar = 0.2, kJoinGap = 0.01, kPitch = kBar + kJoinGap;

std::vector<Piece> bars(int count, const Vec3& first) {
  std::vector<Piece> made;
  for (int k = 0; k < count; ++k)
    made.push_back(rigid_box(Vec3(kBar, 0.04, 0.04), first + Vec3((k + 0.5) * kPitch, 0, 0)));
  return made;
}

std::vector<Tie> links(int count, const Vec3& first) {
  std::vector<Tie> made;
  for (int k = 1; k < count; ++k)
    made.push_back({.a = static_cast<std::size_t>(k) - 1,
                    .b = static_cast<std::size_t>(k),
                    .at = first + Vec3(k * kPitch, 0, 0)});
  return made;
}

// Falls across a rod, off its middle, and folds over it until its links are shut.
SceneSpec chain_on_rod() {
  const Vec3 first(-3 * kPitch, 0.06, 0);
  return jointed(bars(7, first), {make_rod(Vec3(0.03, 0, -1), Vec3(0.03, 0, 1), 0.03)},
                 links(7, first));
}

// Hung up at one end and struck by a wall that goes on.
SceneSpec chain_struck() {
  const Vec3 first = Vec3::Zero();
  std::vector<Piece> pieces = bars(5, first);
  std::vector<Tie> ties = links(5, first);
  for (Piece& piece : pieces) turn(piece.mesh, Vec3::UnitZ(), -0.5 * std::numbers::pi);
  for (Tie& tie : ties) tie.at = Vec3(0, -tie.at.x(), 0);
  ties.push_back({.a = 0, .at = Vec3::Zero()});
  Motion sideways;
  sideways.velocity = Vec3(1.5, 0, 0);
  const Sheet plate = box_sheet(Vec3(-0.2, -0.75, 0), Vec3(0.1, 0.3, 0.5));
  return jointed(std::move(pieces), {make_wall(plate, sideways)}, std::move(ties));
}

// Soft cubes tied at their edges come down on needles.
SceneSpec cubes_on_needles() {
  const double side = 0.25, pitch = side + kJoinGap;
  std::vector<Piece> pieces;
  std::vector<Tie> ties;
  for (int k = 0; k < 3; ++k) {
    pieces.push_back(
        {.mesh = moved(make_cube(side, 2), Vec3((k - 1) * pitch, 0.5 * side + 0.02, 0.04)),
         .law = "neo-hookean",
         .velocity = Vec3(0, -1, 0)});
    for (const double z : {-0.5, 0.5})
      if (k > 0)
        ties.push_back({.a = static_cast<std::size_t>(k) - 1,
                        .b = static_cast<std::size_t>(k),
                        .at = Vec3((k - 1.5) * pitch, side + 0.02, 0.04 + z * side)});
  }
  return jointed(std::move(pieces), make_needles(false), std::move(ties));
}

// A paddle that a motor of limited strength turns sweeps two soft cubes over the floor.
SceneSpec paddle() {
  Piece board = rigid_box(Vec3(0.8, 0.3, 0.05), Vec3(0.45, 0.2, 0));
  Motor motor;
  motor.target.rate = -4;  // rad/s, about y
  motor.by_speed = true;
  motor.most = 60;  // N·m
  std::vector<Piece> pieces = {board};
  for (const double x : {0.35, 0.7})
    pieces.push_back({.mesh = moved(make_cube(0.2, 1), Vec3(x, 0.101, 0.3)), .density = 300});
  return jointed(std::move(pieces), {make_floor()},
                 {{.a = 0, .at = Vec3(0, 0.2, 0), .axis = Vec3::UnitY(), .motor = motor}});
}

// Two flaps, hinged at the bottom and pushed by plates from outside, shut on a soft ball.
SceneSpec jaws() {
  std::vector<Piece> pieces = {{.mesh = moved(make_cube(0.2, 2), Vec3(0, 0.3, 0))}};
  std::vector<Tie> ties;
  std::vector<Wall> walls;
  for (const double side : {-1.0, 1.0}) {
    pieces.push_back(rigid_box(Vec3(0.03, 0.45, 0.3), Vec3(side * 0.15, 0.25, 0)));
    ties.push_back(
        {.a = pieces.size() - 1, .at = Vec3(side * 0.15, 0.02, 0), .axis = Vec3::UnitZ()});
    Motion inwards;
    inwards.velocity = Vec3(-side * 0.25, 0, 0);
    walls.push_back(
        make_wall(box_sheet(Vec3(side * 0.22, 0.42, 0), Vec3(0.08, 0.08, 0.4)), inwards));
  }
  SceneSpec spec = jointed(std::move(pieces), std::move(walls), std::move(ties));
  spec.gravity = Vec3::Zero();
  spec.duration = 0.3;
  return spec;
}

}  // namespace

std::vector<SceneEntry> jointed_scenes() {
  return {{"jointed-chain-on-rod", chain_on_rod},
          {"jointed-chain-struck", chain_struck},
          {"jointed-cubes-on-needles", cubes_on_needles},
          {"jointed-paddle", paddle},
          {"jointed-jaws", jaws}};
}

}  // namespace pliant::reliability
