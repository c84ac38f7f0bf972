// Speeds, stiffnesses and obstacles at the ends of their ranges.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant::reliability {
namespace {

// What must bear more than its own stiffness. A law that lets elements turn over bears no pressure
// beyond about λ, and is pressed inside out; one that ends at det F = 0 bears any.
constexpr std::string_view kBearsAll = "neo-hookean", kTurnsOver = "stable-neo-hookean";

std::string stays_above(const Journey& j) {
  const double y = j.world.lowest(j.end, 0);
  return y > 0 ? std::string() : fmt::format("it is through the plane, at {:.3g} m", y);
}

SceneSpec golf_ball() {
  SceneSpec spec{.pieces = {{.mesh = moved(make_sphere({0.02, 0.008}), Vec3(0, 0.0202, 0)),
                             .young = 1e7,
                             .poisson = 0.45,
                             .density = 1150,
                             .velocity = Vec3(0, -67, 0)}},
                 .walls = {make_floor()},
                 .steps = {2e-5},
                 .duration = 1e-3};
  spec.at_end = [](const Journey& j) -> std::string {
    const double v = j.world.velocity(j.end, 0).y();
    return v > 0 || j.h > 1e-3 ? std::string() : "it does not come back";
  };
  return spec;
}

// On a sheet of no thickness, which it must not jump over.
SceneSpec fast_cube(double young) {
  SceneSpec spec{.pieces = {{.mesh = moved(make_cube(1, 2), Vec3(0, 1, 0)),
                             .young = young,
                             .law = std::string(young < 1e8 ? kBearsAll : kTurnsOver),
                             .velocity = Vec3(0, -1000, 0)}},
                 .walls = {make_wall(flat_sheet(20, 4))},
                 .steps = {0.01},
                 .duration = 0.2,
                 .quick_steps = 4};
  spec.is_quick = young > 1e6;
  spec.during = stays_above;
  return spec;
}

SceneSpec ball_of(double young) {
  SceneSpec spec{.pieces = {{.mesh = moved(make_sphere({0.25, 0.15}), Vec3(0, 0.26, 0)),
                             .young = young,
                             .law = std::string(young < 1e4 ? kBearsAll : kTurnsOver),
                             .velocity = Vec3(1, -2, 0)}},
                 .walls = {make_wall(flat_sheet(3, 8))},
                 .steps = {0.01},
                 .duration = 0.5,
                 .quick_steps = 8};
  spec.during = stays_above;
  return spec;
}

SceneSpec mat_on(std::vector<Wall> walls) {
  return {.pieces = {{.mesh = moved(make_box({Vec3(1, 0.1, 1), {6, 1, 6}}), Vec3(0, 0.07, 0)),
                      .young = 2e4}},
          .walls = std::move(walls),
          .steps = {0.01},
          .duration = 0.6,
          .quick_steps = 6};
}

}  // namespace

std::vector<SceneEntry> extreme_scenes() {
  std::vector<SceneEntry> list = {{"golf-ball", golf_ball},
                                  {"cube-1000", [] { return fast_cube(1e8); }},
                                  {"cube-1000-soft", [] { return fast_cube(1e5); }},
                                  {"mat-on-knives", [] { return mat_on(make_knives()); }},
                                  {"mat-on-needles", [] { return mat_on(make_needles(false)); }},
                                  {"mat-on-points", [] { return mat_on(make_needles(true)); }}};
  for (int power = 2; power <= 8; ++power)
    list.push_back(
        {fmt::format("ball-1e{}", power), [power] { return ball_of(std::pow(10., power)); }});
  return list;
}

}  // namespace pliant::reliability
