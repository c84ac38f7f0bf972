#include <pliant/render/scene_picture.hpp>

#include <pliant/analysis/plot.hpp>
#include <pliant/render/ray_scene.hpp>

#include <algorithm>
#include <cassert>

namespace pliant {
namespace {

// The bodies as one surface over the nodes of the system, the leaders of rigid bodies among them,
// which no triangle has.
DrawnSurface surface_of(const BuiltScene& scene) {
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
  const DrawnObstacles& obstacles = scene.obstacles;
  return make_drawn_surface(
      mesh, surface, first, {obstacles.points(view(scene.start.q)), obstacles.triangles()},
      {&scene.threads.tubes(), scene.threads.tube_vertices(view(scene.start.q))});
}

}  // namespace

bool pictures_built() { return renderer_built() && plots_built(); }

Image draw_state(const BuiltScene& scene, std::span<const Vector> states, PictureSize size) {
  assert(!states.empty());
  const DrawnSurface surface = surface_of(scene);
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
  options.around = extent.surroundings(true);
  return render_picture(surface, {points}, options);
}

}  // namespace pliant
