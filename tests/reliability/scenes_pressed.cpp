// Bodies that something moving twists, squeezes and pinches, further than they would go by
// themselves.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::reliability {
namespace {

constexpr double kTwist = 72 * std::numbers::pi / 180;  // rad/s

// Both ends along x turn about the axis, in opposite directions.
std::vector<Grip> twisting(double half) {
  std::vector<Grip> grips;
  for (const double side : {-1.0, 1.0}) {
    Motion motion;
    motion.angular_velocity = Vec3(side * kTwist, 0, 0);
    grips.push_back(
        {.holds = [=](const Vec3& x) { return side * x.x() > half - 1e-6; }, .motion = motion});
  }
  return grips;
}

// Ten seconds turn the ends by four turns against each other, a hundred by forty. A mat must have
// the length and the cells for them: it winds up with a pitch of about its width, and once all of
// it is wound up every further turn presses on its core, until elements turn inside out. Eight
// metres with 160 cells, three across, were wound up after 26 turns; after 29 be and bdf2 failed.
// Sixteen metres have two cells across, for the time it takes.
SceneSpec twisted_mat(const BoxSpec& mat, double duration) {
  SceneSpec spec{.pieces = {{.mesh = make_box(mat), .young = 2e4}},
                 .gravity = Vec3::Zero(),
                 .steps = {0.04},
                 .duration = duration,
                 .quick_steps = 8,
                 .frictions = {0}};
  spec.pieces[0].grips = twisting(0.5 * mat.size.x());
  spec.distance = 1e-3;
  return spec;
}

SceneSpec twisted_rods(double h) {
  SceneSpec spec{.gravity = Vec3::Zero(),
                 .steps = {h},
                 .duration = std::max(2.0, 2 * h),
                 .quick_steps = h < 0.1 ? 12 : 2,
                 .is_quick = h < 1,
                 .frictions = {0}};
  for (const double y : {-0.06, 0.06})
    for (const double z : {-0.06, 0.06})
      spec.pieces.push_back(
          {.mesh = moved(make_box({Vec3(1, 0.1, 0.1), {12, 1, 1}}), Vec3(0, y, z)),
           .young = 1e4,
           .grips = twisting(0.5)});
  spec.distance = 1e-3;
  return spec;
}

Motion there_and_back(const Vec3& way, double time) {
  Motion motion;
  motion.curve = Curve({0, 0.01 * time, time, 1.01 * time, 2 * time, 2.01 * time},
                       {Vec3::Zero(), Vec3::Zero(), way, way, Vec3::Zero(), Vec3::Zero()});
  return motion;
}

// Two planes close from a distance of 2 to 0.1 and open again; what was between them recovers.
// Stiff enough that neither weight nor friction, by which the bodies stay pressed against each
// other when the walls have gone, takes a percent of the volume; damped a little, so that all of it
// rests at the end.
SceneSpec compactor() {
  Piece cube{.mesh = moved(make_cube(0.5, 2), Vec3(-0.3, 0.26, 0)), .young = 2e5, .alpha = 2};
  Piece ball{
      .mesh = moved(make_sphere({0.25, 0.15}), Vec3(0.35, 0.26, 0.05)), .young = 2e5, .alpha = 2};
  SceneSpec spec{.pieces = {cube, ball}, .steps = {0.01}, .duration = 3.5, .quick_steps = 15};
  spec.walls = {make_floor(), make_plane(Vec3(0, 0, -0.5), Vec3::UnitZ()),
                make_plane(Vec3(0, 0, 0.5), -Vec3::UnitZ())};
  for (const double side : {-1.0, 1.0}) {
    Wall wall = make_plane(Vec3(side, 0, 0), Vec3(-side, 0, 0));
    wall.motion = there_and_back(Vec3(-side * 0.95, 0, 0), 1);
    spec.walls.push_back(wall);
  }
  spec.at_end = [](const Journey& j) -> std::string {
    for (std::size_t k = 0; k < j.world.model().bodies.size(); ++k) {
      const double part = j.world.volume(j.end, k) / j.world.volume(j.start, k);
      if (part < 0.99) return fmt::format("body {} has {:.4g} of its volume", k, part);
    }
    return {};
  };
  return spec;
}

// Pushed by a plane from above through a tube that grows narrow.
SceneSpec squeezed_through_tube() {
  SceneSpec spec{
      .pieces = {{.mesh = moved(make_sphere({0.5, 0.25}), Vec3(0, 0.55, 0)), .young = 2e4}},
      .steps = {0.01},
      .duration = 2,
      .quick_steps = 12,
      .frictions = {0}};
  Wall plunger = make_plane(Vec3(0, 1.1, 0), -Vec3::UnitY());
  plunger.motion.velocity = Vec3(0, -1, 0);
  spec.walls = {make_wall(tube({{0.7, 1.2}, {0.6, 0.2}, {0.35, -0.6}, {0.35, -2}}, 12)), plunger};
  return spec;
}

// Two cylinders that turn towards each other draw a block into the gap between them.
SceneSpec rollers() {
  SceneSpec spec{
      .pieces = {{.mesh = moved(make_box({Vec3(0.3, 0.6, 0.4), {2, 4, 2}}), Vec3(0, 0.55, 0)),
                  .young = 2e4}},
      .steps = {0.01},
      .duration = 1,
      .quick_steps = 15,
      .frictions = {0.5, 1}};
  Mesh roller = turned(make_cylinder({0.4, 1.2, 0.3}), Vec3::UnitX(), std::numbers::pi / 2);
  const Surface skin = make_surface(roller);
  for (const double side : {-1.0, 1.0}) {
    Motion motion;
    motion.center = Vec3(side * 0.5, 0, 0);
    motion.angular_velocity = Vec3(0, 0, side * 4);
    spec.walls.push_back(make_wall({moved(roller, motion.center).points, skin.triangles}, motion));
  }
  return spec;
}

}  // namespace

std::vector<SceneEntry> pressed_scenes() {
  std::vector<SceneEntry> list = {{"twisted-mat",
                                   [] {
                                     return twisted_mat({Vec3(2, 0.04, 0.7), {28, 1, 10}}, 10);
                                   }},
                                  {"twisted-mat-long",
                                   [] {
                                     return twisted_mat({Vec3(16, 0.04, 0.3), {320, 1, 2}}, 100);
                                   }},
                                  {"compactor", compactor},
                                  {"through-tube", squeezed_through_tube},
                                  {"rollers", rollers}};
  for (const double h : {0.002, 0.02, 0.2, 2.0})
    list.push_back({fmt::format("twisted-rods-{}", h), [h] { return twisted_rods(h); }});
  return list;
}

}  // namespace pliant::reliability
