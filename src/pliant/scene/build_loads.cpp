#include <pliant/scene/build_loads.hpp>

#include <pliant/core/error.hpp>
#include <pliant/load/face_load.hpp>
#include <pliant/load/point_load.hpp>
#include <pliant/scene/locate.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

LoadFaces faces_of(const Body& body, std::span<const Index> chosen) {
  std::vector<bool> in(body.mesh.points.size(), false);
  for (const Index n : chosen) in[n - body.first_node] = true;
  return make_load_faces(body.mesh, body.boundary(), in, body.first_node);
}

struct LoadAdder {
  Model& model;
  const std::string& where;

  void operator()(const WindDescription& wind) const {
    LoadFaces faces;
    for (const Body& body : model.bodies) {
      const std::vector<bool> all(body.mesh.points.size(), true);
      const LoadFaces own = make_load_faces(body.mesh, body.boundary(), all, body.first_node);
      faces.triangles.insert(faces.triangles.end(), own.triangles.begin(), own.triangles.end());
      faces.weights.insert(faces.weights.end(), own.weights.begin(), own.weights.end());
    }
    model.system->add_term(
        std::make_unique<Wind>(wind.velocity, wind.drag, faces, model.system->nodes()));
  }
  void operator()(const PointForceDescription& force) const {
    model.system->add_term(std::make_unique<PointLoad>(
        force.force,
        select_system_nodes(find_body(model.bodies, force.body), force.selection, where),
        view(model.system->rest())));
  }
  void operator()(const PressureDescription& pressure) const {
    const Body& body = find_body(model.bodies, pressure.body);
    const auto faces = faces_of(body, select_system_nodes(body, pressure.selection, where));
    if (faces.triangles.empty())
      throw InputError(
          fmt::format("{}: selects no whole face of the surface of body \"{}\"", where, body.name));
    model.system->add_term(
        std::make_unique<Pressure>(pressure.pressure, faces, view(model.system->rest())));
  }
  void operator()(const PathDescription&) const {}  // are part of the model from the beginning
};

}  // namespace

std::vector<Index> select_system_nodes(const Body& body, const Selection& selection,
                                       const std::string& where) {
  std::vector<Index> nodes = select_nodes(body.mesh, selection, where);
  std::erase_if(nodes, [&](Index n) { return body.is_skin(n); });
  if (nodes.empty())
    throw InputError(fmt::format("{}: selects no nodes of body \"{}\"", where, body.name));
  for (Index& n : nodes) n += body.first_node;
  return nodes;
}

void add_loads(const SceneDescription& scene, Model& model) {
  for (const ForceDescription& force : scene.forces)
    std::visit(LoadAdder{model, force.where}, force.load);
}

}  // namespace pliant
