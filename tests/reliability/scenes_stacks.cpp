// Stacks, ratios of mass and of stiffness, and chains of interlocked rings.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::reliability {
namespace {

// What the floor bears, averaged over nothing: at the end all must rest.
std::string floor_bears_the_weight(const Journey& j) {
  double weight = 0, borne = 0;
  for (std::size_t k = 0; k < j.world.model().bodies.size(); ++k) {
    weight += j.world.model().bodies[k].mass * kGravity;
    borne += j.world.contact_force(j.end, k).y();
  }
  return std::abs(borne - weight) <= 0.01 * weight
             ? std::string()
             : fmt::format("the floor bears {:.5g} N of {:.5g}", borne, weight);
}

// Some damping, so that all methods come to rest in the time given.
//
// Without friction such a stack is as unstable as a column that buckles: where the cubes above one,
// of weight W, have slipped to the side by x, its top tilts by W x/k, k = E a³/12 for a cube of
// width a, and what lies on a tilted face slips further, ẍ = g W x/k − α ẋ. At E = 1e5 Pa that
// grows by e⁴·⁷ in a second, so that after three a jitter of 1e-6 m has felled it, as it should;
// at 1e7 by e⁰·¹. So the soft one must bear its weight with friction only.
SceneSpec five_cubes(double young) {
  SceneSpec spec{.walls = {make_floor()}, .steps = {0.01}, .duration = 3};
  for (int k = 0; k < 5; ++k)
    spec.pieces.push_back({.mesh = moved(make_cube(0.2, 1), Vec3(0, 0.101 + 0.201 * k, 0)),
                           .young = young,
                           .law = "neo-hookean",
                           .alpha = 5,
                           .beta = 5e-3});
  spec.at_end = [young](const Journey& j) {
    return j.mu > 0 || young > 1e6 ? floor_bears_the_weight(j) : std::string();
  };
  return spec;
}

// The upper one keeps its density: the lighter the lower, the harder it is to move on its own.
SceneSpec heavy_on_light(double ratio) {
  SceneSpec spec{
      .pieces = {{.mesh = moved(make_cube(0.5, 1), Vec3(0, 0.255, 0)), .density = 1000 / ratio},
                 {.mesh = moved(make_cube(0.5, 1), Vec3(0, 0.765, 0))}},
      .walls = {make_floor()},
      .quick_steps = 15};
  return spec;
}

SceneSpec stiff_on_soft() {
  SceneSpec spec = heavy_on_light(1);
  spec.pieces[1].young = 1e4 * spec.pieces[0].young;
  return spec;
}

// Hung up by the first ring.
SceneSpec chain(int rings, double duration) {
  const double radius = 0.4, thick = 0.1, pitch = 2 * (radius - thick) - 0.02;
  SceneSpec spec{.steps = {0.04}, .duration = duration};
  const Mesh ring = turned(make_torus({radius, thick, 0.22}), Vec3::UnitX(), std::numbers::pi / 2);
  for (int k = 0; k < rings; ++k) {
    Mesh mesh = k % 2 ? turned(ring, Vec3::UnitY(), std::numbers::pi / 2) : ring;
    spec.pieces.push_back({.mesh = moved(std::move(mesh), Vec3(0, -pitch * k, 0)), .young = 1e6});
  }
  spec.pieces[0].grips = {{.holds = [radius](const Vec3& x) { return x.y() > 0.8 * radius; }}};
  spec.quick_steps = rings > 5 ? 4 : 10;
  spec.is_quick = rings <= 20;
  return spec;
}

// The same of bodies that do not deform.
SceneSpec made_rigid(SceneSpec spec) {
  for (Piece& piece : spec.pieces) piece.rigid = true, piece.beta = 0;
  return spec;
}

// Turned this way and that, let fall onto each other.
SceneSpec rigid_pile() {
  SceneSpec spec{.walls = {make_floor()}, .steps = {0.01}, .duration = 2};
  for (int k = 0; k < 8; ++k) {
    Mesh cube = turned(turned(make_cube(0.2, 1), Vec3::UnitX(), 0.7 * k), Vec3::UnitZ(), 0.4 * k);
    spec.pieces.push_back(
        {.mesh = moved(std::move(cube),
                       Vec3(0.1 * std::sin(2.0 * k), 0.3 + 0.4 * k, 0.1 * std::cos(3.0 * k)))});
  }
  return made_rigid(spec);
}

}  // namespace

std::vector<SceneEntry> stack_scenes() {
  std::vector<SceneEntry> list = {{"five-cubes", [] { return five_cubes(1e7); }},
                                  {"five-soft-cubes", [] { return five_cubes(1e5); }},
                                  {"stiff-on-soft", stiff_on_soft}};
  for (const int power : {1, 2, 3, 4, 5, 6})
    list.push_back({fmt::format("heavy-on-light-1e{}", power),
                    [power] { return heavy_on_light(std::pow(10., power)); }});
  for (const int rings : {5, 20, 100})
    list.push_back({fmt::format("chain-{}", rings), [rings] { return chain(rings, 1); }});
  list.push_back({"rigid-five-cubes", [] { return made_rigid(five_cubes(1e7)); }});
  list.push_back({"rigid-pile", rigid_pile});
  for (const int power : {2, 4, 6})
    list.push_back({fmt::format("rigid-heavy-on-light-1e{}", power),
                    [power] { return made_rigid(heavy_on_light(std::pow(10., power))); }});
  list.push_back({"rigid-chain-5", [] { return made_rigid(chain(5, 1)); }});
  return list;
}

}  // namespace pliant::reliability
