#include <pliant/render/scene_picture.hpp>

#include <pliant/analysis/plot.hpp>
#include <pliant/contact/barrier_term.hpp>
#include <pliant/render/below.hpp>
#include <pliant/render/ray_scene.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <algorithm>
#include <cassert>
#include <set>

namespace pliant {
namespace {

constexpr double kLevel = 1e-9;  // from upright, of a normal

// What the scene itself says of the ground: the highest of its level planes; none where bodies
// stand on a slope.
struct Ground {
  std::optional<double> height;  // m
  bool slope = false;
  std::set<std::string> level;   // planes that the ground is drawn for
  std::set<std::string> planes;  // all of them
};

Ground ground_of(const BuiltScene& scene, const Vector& q) {
  const BarrierTerm* barrier = scene.model.system->contact();
  Ground out;
  if (!barrier && !scene.rules) return out;
  for (const ContactPlane& plane : (barrier ? barrier->surface() : scene.rules->surface).planes) {
    out.planes.insert(plane.name);
    if (plane.normal.y() < 1 - kLevel) {
      out.slope = out.slope || plane.normal.y() > 0;
      continue;
    }
    const double height = node(view(q), plane.node).y();
    out.height = std::max(height, out.height.value_or(height));
    out.level.insert(plane.name);
  }
  return out;
}

// All obstacles but those that the ground is drawn for: of two surfaces in one place it would be
// chance which is seen.
ObstacleTriangles obstacles_of(const BuiltScene& scene, const Ground& ground) {
  const DrawnObstacles& drawn = scene.obstacles;
  ObstacleTriangles out{drawn.points(view(scene.start.q)), {}};
  for (std::size_t t = 0; t < drawn.triangles().size(); ++t)
    if (!ground.level.contains(drawn.parts()[static_cast<std::size_t>(drawn.part_of(t))].name))
      out.triangles.push_back(drawn.triangles()[t]);
  return out;
}

// The bodies as one surface over the nodes of the system, the leaders of rigid bodies among them,
// which no triangle has.
DrawnSurface surface_of(const BuiltScene& scene, const Ground& ground) {
  const System& system = *scene.model.system;
  Mesh mesh;
  for (Index n = 0; n < system.body_nodes(); ++n)
    mesh.points.emplace_back(node(view(system.rest()), n));
  Surface surface;
  std::vector<Index> first;
  for (const Body& body : scene.model.bodies) {
    first.push_back(body.first_node);
    const Index before = mesh.element_count();
    std::copy(body.mesh.points.begin(), body.mesh.points.end(),
              mesh.points.begin() + body.first_node);
    for (ElementBlock block : body.mesh.blocks) {
      for (Index& n : block.nodes) n += body.first_node;
      mesh.blocks.push_back(std::move(block));
    }
    for (std::array<Index, 3> triangle : body.surface.triangles) {
      for (Index& n : triangle) n += body.first_node;
      surface.triangles.push_back(triangle);
    }
    for (const Index e : body.surface.element) surface.element.push_back(before + e);
  }
  return make_drawn_surface(
      mesh, surface, first, obstacles_of(scene, ground),
      {&scene.threads.tubes(), scene.threads.tube_vertices(view(scene.start.q))});
}

// Of a scene without a floor: below the bodies and all of each obstacle that stands near them, lest
// it cover the valleys of a landscape. Of a wall a patch is drawn, which ends nowhere.
std::optional<double> lowest(const BuiltScene& scene, std::span<const Vec3> obstacles,
                             const Ground& ground, const Extent& bodies) {
  Extent all = bodies;
  for (const DrawnObstacles::Part& part : scene.obstacles.parts()) {
    const auto points = obstacles.subspan(static_cast<std::size_t>(part.first_point),
                                          static_cast<std::size_t>(part.points));
    if (!ground.planes.contains(part.name) &&
        std::any_of(points.begin(), points.end(), [&](const Vec3& x) { return bodies.near(x); }))
      for (const Vec3& x : points) all.add(x);
  }
  const Surroundings around = all.surroundings(true);
  if (!around.ground) return std::nullopt;
  return *around.ground - kBelowLowest * around.radius;
}

}  // namespace

bool pictures_built() { return renderer_built() && plots_built(); }

Image draw_state(const BuiltScene& scene, std::span<const Vector> states, PictureSize size) {
  assert(!states.empty());
  const Ground ground = ground_of(scene, states.back());
  const DrawnSurface surface = surface_of(scene, ground);
  CameraFit fit(size.aspect());
  Extent extent;
  const Index bodies = scene.model.system->body_nodes();
  for (const Vector& q : states)
    for (Index n = 0; n < bodies; ++n) {
      fit.add(node(view(q), n));
      extent.add(node(view(q), n));
    }
  std::vector<Vec3> points;
  for (Index n = 0; n < bodies; ++n) points.emplace_back(node(view(states.back()), n));
  const std::vector<Vec3> obstacles = scene.obstacles.points(view(states.back()));
  points.insert(points.end(), obstacles.begin(), obstacles.end());
  const std::vector<Vec3> tubes = scene.threads.tube_vertices(view(states.back()));
  points.insert(points.end(), tubes.begin(), tubes.end());
  PictureOptions options;
  options.size = size;
  options.camera = fit.camera();
  options.light = studio_light(options.camera);
  options.around = extent.surroundings(false);
  options.around.ground = ground.height  ? ground.height
                          : ground.slope ? std::nullopt
                                         : lowest(scene, obstacles, ground, extent);
  return render_picture(surface, {points}, options);
}

}  // namespace pliant
