// Through holes and cracks, and between walls that leave almost no room.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

namespace pliant::reliability {
namespace {

// Pulled down by its tip through an opening that is narrower than the body.
SceneSpec dragged(Mesh mesh, const Sheet& plate) {
  Piece piece{.mesh = moved(std::move(mesh), Vec3(0, 0.02, 0))};
  Motion down;
  down.velocity = Vec3(0, -2, 0);
  piece.grips = {{.holds = [](const Vec3& x) { return x.y() < 0.021; }, .motion = down}};
  SceneSpec spec{.pieces = {piece},
                 .walls = {make_wall(plate)},
                 .gravity = Vec3::Zero(),
                 .steps = {0.005, 0.025},
                 .duration = 1};
  return spec;
}

// Between two plates with a gap of 5e-7 on either side.
SceneSpec tet_in_slot(bool edges_first) {
  const double r = 0.5, w = 0.1, gap = 5e-7;
  // Edges along x and along y lie on the two sides of the slot across z.
  Mesh tet = make_tet({Vec3(-r, 0, -w), Vec3(r, 0, -w), Vec3(0, -r, w), Vec3(0, r, w)});
  if (!edges_first)
    tet = make_tet({Vec3(-r, -r, -w), Vec3(r, -r, -w), Vec3(0, r, -w), Vec3(0, 0, w)});
  SceneSpec spec{.pieces = {{.mesh = tet}}, .steps = {0.005, 0.025}, .duration = 0.3};
  for (const double side : {-1.0, 1.0}) {
    Sheet plate;
    const double z = side * (w + gap);
    plate.add_quad({-2, -3, z}, {2, -3, z}, {2, 2, z}, {-2, 2, z});
    spec.walls.push_back(make_wall(plate));
  }
  spec.jitter = 1e-7;
  return spec;
}

// 1e-4 of room on all four sides and an activation distance of 1e-2: pressed together from the
// start. Frictionless it comes out and keeps its speed.
SceneSpec tunnel() {
  const double gap = 1e-4, in = 0.5 + gap, speed = 2;
  SceneSpec spec{.pieces = {{.mesh = make_cube(1, 2), .velocity = Vec3(speed, 0, 0)}},
                 .gravity = Vec3::Zero(),
                 .steps = {0.005, 0.025},
                 .duration = 1,
                 .frictions = {0}};
  Sheet walls;
  const double from = -1.5, to = 1;
  const std::array<Vec3, 4> c = {Vec3(0, -in, -in), Vec3(0, -in, in), Vec3(0, in, in),
                                 Vec3(0, in, -in)};
  const Vec3 a(from, 0, 0), b(to, 0, 0);
  for (std::size_t k = 0; k < 4; ++k)
    walls.add_quad(c[k] + a, c[(k + 1) % 4] + a, c[(k + 1) % 4] + b, c[k] + b);
  spec.walls = {make_wall(walls)};
  spec.distance = 1e-2;
  spec.jitter = 1e-5;
  spec.at_end = [to, speed](const Journey& j) -> std::string {
    const double x = j.world.center(j.end, 0).x(), v = j.world.velocity(j.end, 0).x();
    if (x < to + 0.5) return fmt::format("it is at x = {:.3g} m, still in the tunnel", x);
    if (v < 0.99 * speed) return fmt::format("its speed is {:.4g} m/s of {:.4g}", v, speed);
    return {};
  };
  return spec;
}

}  // namespace

std::vector<SceneEntry> narrow_scenes() {
  return {
      {"spike-through-hole", [] { return dragged(make_spike(1), plate_with_hole(0.5, 2, 12)); }},
      {"spike-through-crack", [] { return dragged(make_spike(1), plate_with_crack(0.7, 2)); }},
      {"wedge-through-crack", [] { return dragged(make_wedge(1), plate_with_crack(0.7, 2)); }},
      {"tet-in-slot-edges", [] { return tet_in_slot(true); }},
      {"tet-in-slot-face", [] { return tet_in_slot(false); }},
      {"cube-through-tunnel", tunnel},
  };
}

}  // namespace pliant::reliability
