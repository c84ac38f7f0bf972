// Corners, edges and faces that meet exactly: the configurations in which normals jump, distances
// have several nearest points and determinants vanish.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::reliability {
namespace {

constexpr double kGap = 0.01;  // m, at the start
constexpr double kHalfTurn = std::numbers::pi, kQuarterTurn = std::numbers::pi / 2;

// Both steps that the degenerate scenes are given with.
const std::vector<double> kSteps = {0.005, 0.025};

Piece held_from_below(Mesh mesh, double bottom) {
  Piece piece{.mesh = std::move(mesh)};
  piece.grips = {{.holds = [bottom](const Vec3& x) { return x.y() < bottom + 1e-6; }}};
  return piece;
}

// The upper shape falls, tip down, on the lower one, which points up and is held at its base.
SceneSpec one_on_another(Mesh upper, Mesh lower) {
  turn(lower, Vec3::UnitX(), kHalfTurn);
  return {
      .pieces = {{.mesh = moved(std::move(upper), Vec3(0, kGap, 0)), .velocity = Vec3(0, -1, 0)},
                 held_from_below(std::move(lower), -1)},
      .steps = kSteps};
}

SceneSpec spike_on_spike() { return one_on_another(make_spike(1), make_spike(1)); }
SceneSpec spike_on_wedge() { return one_on_another(make_spike(1), make_wedge(1)); }
SceneSpec wedge_on_wedge() { return one_on_another(make_wedge(1), make_wedge(1)); }
SceneSpec wedge_across_wedge() {
  return one_on_another(make_wedge(1), turned(make_wedge(1), Vec3::UnitY(), kQuarterTurn));
}

// Over the edge of one cliff by half, and between two.
SceneSpec cube_on_cliff(double overhang, bool both) {
  SceneSpec spec{.pieces = {{.mesh = moved(make_cube(1, 2), Vec3(overhang, 0.5 + kGap, 0))}},
                 .steps = kSteps};
  spec.walls = {make_wall(box_sheet(Vec3(-1, -0.5, 0), Vec3(2, 1, 3)))};
  if (both) spec.walls.push_back(make_wall(box_sheet(Vec3(1.8, -0.5, 0), Vec3(2, 1, 3))));
  return spec;
}

std::string drift(const Journey& j) {
  const Vec3 way = j.world.center(j.end, 0) - j.world.center(j.start, 0);
  const double aside = std::hypot(way.x(), way.z());
  return aside < 1e-6 ? std::string() : fmt::format("it drifted aside by {:.3g} m", aside);
}

SceneSpec cube_on_irregular_plane() {
  SceneSpec spec{.pieces = {{.mesh = moved(make_cube(1, 2), Vec3(0, 0.5 + kGap, 0))}},
                 .walls = {make_wall(irregular_sheet(2, 9, 7))},
                 .steps = kSteps};
  spec.jitter = 1e-9;  // of the start, which must not be aslant
  spec.at_end = [](const Journey& j) { return j.mu == 0 ? drift(j) : std::string(); };
  return spec;
}

// Stiff and fast over a plane of many triangles: edges must not be felt.
SceneSpec sliding(Mesh mesh) {
  const double start = 1e-3;  // above the plane: the activation distance
  SceneSpec spec{.pieces = {{.mesh = moved(std::move(mesh), Vec3(-3, start, 0)),
                             .young = 2e11,
                             .density = 7800,
                             .velocity = Vec3(10, 0, 0)}},
                 .walls = {make_wall(flat_sheet(5, 30))},
                 .steps = {0.005, 0.025},
                 .duration = 0.5,
                 .frictions = {0}};
  spec.quick_steps = 3;
  spec.quick_integrator = "be";
  spec.distance = start;
  spec.jitter = 0;
  spec.during = [start](const Journey& j) {
    const double y = j.world.lowest(j.end, 0);
    return y < 2 * start ? std::string() : fmt::format("it jumped to a height of {:.3g} m", y);
  };
  return spec;
}

// A tetrahedron that points with a corner, an edge or a face up to the plane y = 0 from below.
enum class Feature { corner, edge, face };
Mesh pointing(Feature feature) {
  const double r = 0.5, b = -0.8;
  switch (feature) {
    case Feature::corner:
      return make_tet(
          {Vec3(0, 0, 0), Vec3(r, b, 0), Vec3(-r / 2, b, 0.8 * r), Vec3(-r / 2, b, -0.8 * r)});
    case Feature::edge:
      return make_tet({Vec3(-r, 0, 0), Vec3(r, 0, 0), Vec3(0, b, r), Vec3(0, b, -r)});
    case Feature::face:
      return make_tet(
          {Vec3(0, b, 0), Vec3(r, 0, 0), Vec3(-r / 2, 0, 0.8 * r), Vec3(-r / 2, 0, -0.8 * r)});
  }
  return {};
}

// Two single tetrahedra meet head on in free space.
SceneSpec two_tets(Feature lower, Feature upper, double angle) {
  Mesh above = turned(pointing(upper), Vec3::UnitX(), kHalfTurn);
  turn(above, Vec3::UnitY(), angle);
  SceneSpec spec{
      .pieces = {{.mesh = pointing(lower), .law = "neo-hookean", .velocity = Vec3(0, 1, 0)},
                 {.mesh = moved(above, Vec3(0, kGap, 0)),
                  .law = "neo-hookean",
                  .velocity = Vec3(0, -1, 0)}},
      .gravity = Vec3::Zero(),
      .steps = kSteps,
      .duration = 0.3};
  return spec;
}

std::vector<SceneEntry> pairs_of_tets() {
  struct Pair {
    const char* name;
    Feature lower, upper;
    double angle;
  };
  using enum Feature;
  std::vector<SceneEntry> list;
  for (const Pair& p : {Pair{"corner-corner", corner, corner, 0},
                        {"corner-edge", corner, edge, 0},
                        {"corner-face", corner, face, 0},
                        {"edge-edge-parallel", edge, edge, 0},
                        {"edge-edge-crossed", edge, edge, kQuarterTurn},
                        {"edge-face", edge, face, 0},
                        {"face-face-aligned", face, face, 0},
                        {"face-face-turned", face, face, 0.7}})
    list.push_back(
        {std::string("tets-") + p.name, [p] { return two_tets(p.lower, p.upper, p.angle); }});
  return list;
}

// Cubes in contact from the start, exactly aligned, with gaps within the activation distance.
const std::vector<double> kManySteps = {1e-2, 1e-3, 1e-4, 1e-5};
constexpr double kSmall = 0.2, kStackGap = 5e-4;

Piece small_cube(const Vec3& place) {
  return {.mesh = moved(make_cube(kSmall, 1), place), .law = "neo-hookean"};
}

SceneSpec aligned_stack() {
  SceneSpec spec{.walls = {make_floor()}, .steps = kManySteps};
  for (int k = 0; k < 4; ++k)
    spec.pieces.push_back(
        small_cube(Vec3(0, kSmall / 2 + kStackGap + k * (kSmall + kStackGap), 0)));
  return spec;
}

SceneSpec pyramid() {
  SceneSpec spec{.walls = {make_floor()}, .steps = kManySteps};
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < 3 - row; ++k)
      spec.pieces.push_back(
          small_cube(Vec3((k + 0.5 * row) * (kSmall + kStackGap),
                          kSmall / 2 + kStackGap + row * (kSmall + kStackGap), 0)));
  return spec;
}

SceneSpec corner() {
  SceneSpec spec{.pieces = {small_cube(Vec3::Constant(kSmall / 2 + kStackGap))},
                 .walls = {make_floor(), make_plane(Vec3::Zero(), Vec3::UnitX()),
                           make_plane(Vec3::Zero(), Vec3::UnitZ())},
                 .gravity = Vec3(-4, -8, -4),
                 .steps = kManySteps};
  spec.pieces.push_back(small_cube(
      Vec3(1.5 * kSmall + 2 * kStackGap, kSmall / 2 + kStackGap, kSmall / 2 + kStackGap)));
  spec.pieces[1].velocity = Vec3(-1, 0, 0);
  return spec;
}

// What is in contact from the start swings for some milliseconds: thirty of them are enough for the
// shortest steps.
SceneSpec brief(SceneSpec spec) {
  spec.duration = 0.3;
  spec.most_steps = 3000;
  spec.quick_steps = 30;
  return spec;
}

}  // namespace

std::vector<SceneEntry> degenerate_scenes() {
  std::vector<SceneEntry> list = {
      {"spike-on-spike", spike_on_spike},
      {"spike-on-wedge", spike_on_wedge},
      {"wedge-on-wedge", wedge_on_wedge},
      {"wedge-across-wedge", wedge_across_wedge},
      {"cube-on-cliff", [] { return cube_on_cliff(0.3, false); }},
      {"cube-on-cliff-edge", [] { return cube_on_cliff(0.5, false); }},
      {"cube-between-cliffs", [] { return cube_on_cliff(0.4, true); }},
      {"cube-on-irregular-plane", cube_on_irregular_plane},
      {"spike-slides", [] { return sliding(make_spike(1)); }},
      {"wedge-slides", [] { return sliding(make_wedge(1)); }},
      {"aligned-stack", [] { return brief(aligned_stack()); }},
      {"aligned-pyramid", [] { return brief(pyramid()); }},
      {"aligned-corner", [] { return brief(corner()); }},
  };
  for (SceneEntry& entry : pairs_of_tets()) list.push_back(std::move(entry));
  return list;
}

}  // namespace pliant::reliability
