// Cloth and cables on what is thinnest: blades, needles and single points; on round things, on the
// floor in a heap of themselves, and on each other.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::reliability {
namespace {

constexpr double kThickness = 2e-3, kRadius = 5e-3;  // m, of cloth and of cables

Piece cloth(double size, Index cells, const Vec3& at) {
  Piece piece{.mesh = moved(make_sheet({{size, size}, {cells, cells}}), at),
              .poisson = 0.3,
              .density = 300,
              .law = "stvk"};
  piece.thin = ThinInput{kThickness, 1e-5};
  return piece;
}

Piece cable(const Vec3& from, const Vec3& to, Index segments) {
  Piece piece{.mesh = make_cable({from, to, segments}), .young = 1e6, .law = "stvk"};
  piece.thin = ThinInput{kRadius};
  return piece;
}

SceneSpec thin_on(Piece piece, std::vector<Wall> walls) {
  return {.pieces = {std::move(piece)},
          .walls = std::move(walls),
          .steps = {0.01},
          .duration = 0.6,
          .quick_steps = 6};
}

SceneSpec cloth_on(std::vector<Wall> walls) {
  return thin_on(cloth(1, 8, Vec3(0, 0.01, 0)), std::move(walls));
}

// BROWN Fig. 10, with cloth that all but refuses to stretch.
SceneSpec limited_cloth_on_ball() {
  SceneSpec spec = thin_on(cloth(1, 8, Vec3(0.02, 0.31, 0.01)), {make_ball(Vec3::Zero(), 0.3)});
  spec.pieces[0].law = "strain-limited";
  return spec;
}

// It comes down on its edge and folds over itself.
SceneSpec cloth_in_a_heap() {
  Piece piece = cloth(0.6, 8, Vec3::Zero());
  piece.mesh = moved(turned(piece.mesh, Vec3::UnitX(), 0.48 * std::numbers::pi), Vec3(0, 0.32, 0));
  piece.velocity = Vec3(0, -2, 0);
  SceneSpec spec = thin_on(std::move(piece), {make_floor()});
  spec.at_end = [](const Journey& j) -> std::string {
    const double y = j.world.lowest(j.end, 0);
    return y > 0.5 * kThickness ? std::string() : fmt::format("it is in the floor, at {:.3g} m", y);
  };
  return spec;
}

// Three sheets fall on each other on a table that is smaller than they are.
SceneSpec cloths_on_a_table() {
  SceneSpec spec = thin_on(cloth(0.8, 6, Vec3(0, 0.01, 0)),
                           {make_wall(box_sheet(Vec3(0, -0.1, 0), Vec3(0.5, 0.2, 0.5)))});
  for (const double y : {0.02, 0.03}) spec.pieces.push_back(cloth(0.8, 6, Vec3(0.013, y, 0.007)));
  return spec;
}

SceneSpec cable_on(std::vector<Wall> walls) {
  return thin_on(cable(Vec3(-0.5, 0.02, 0.003), Vec3(0.5, 0.02, -0.002), 20), std::move(walls));
}

// A rope let down on its end coils up.
SceneSpec cable_in_a_heap() {
  Piece piece = cable(Vec3(0, 0.02, 0), Vec3(0.05, 0.8, 0.03), 24);
  piece.velocity = Vec3(0, -1, 0);
  return thin_on(std::move(piece), {make_floor()});
}

// One hangs across the other, which is held at both ends.
SceneSpec cables_across() {
  Piece held = cable(Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), 16);
  held.grips = {{[](const Vec3& x) { return std::abs(x.x()) > 0.49; }}};
  SceneSpec spec = thin_on(std::move(held), {});
  spec.pieces.push_back(cable(Vec3(0.01, 0.03, -0.5), Vec3(0.02, 0.03, 0.5), 16));
  return spec;
}

// A cable falls over the edge of cloth that is held by its corners.
SceneSpec cable_on_cloth() {
  Piece sheet = cloth(0.8, 6, Vec3::Zero());
  sheet.grips = {{[](const Vec3& x) { return std::abs(x.x()) + std::abs(x.z()) > 0.79; }}};
  SceneSpec spec = thin_on(std::move(sheet), {});
  spec.pieces.push_back(cable(Vec3(-0.6, 0.03, 0.1), Vec3(0.5, 0.04, -0.13), 16));
  return spec;
}

}  // namespace

std::vector<SceneEntry> thin_scenes() {
  return {{"cloth-on-knives", [] { return cloth_on(make_knives()); }},
          {"cloth-on-needles", [] { return cloth_on(make_needles(false)); }},
          {"cloth-on-points", [] { return cloth_on(make_needles(true)); }},
          {"limited-cloth-on-ball", limited_cloth_on_ball},
          {"cloth-in-a-heap", cloth_in_a_heap},
          {"cloths-on-a-table", cloths_on_a_table},
          {"cable-on-knives", [] { return cable_on(make_knives()); }},
          {"cable-on-needle",
           [] { return cable_on({make_rod(Vec3(0.1, -1, 0), Vec3(0.1, 0, 0), 0)}); }},
          {"cable-on-rods",
           [] {
             return cable_on({make_rod(Vec3(-0.2, 0, -1), Vec3(-0.2, 0, 1), 0.005),
                              make_rod(Vec3(0.21, 0, -1), Vec3(0.21, 0, 1), 0)});
           }},
          {"cable-in-a-heap", cable_in_a_heap},
          {"cables-across", cables_across},
          {"cable-on-cloth", cable_on_cloth}};
}

}  // namespace pliant::reliability
