// The bodies of a simulation: their meshes, and where they are. Nothing is copied.
#include "body.hpp"

#include "module.hpp"

namespace pliant::python {
namespace {

py::ssize_t count_of(const auto& list) { return static_cast<py::ssize_t>(list.size()); }

py::dict elements(const BodyView& body) {
  py::dict out;
  for (const ElementBlock& block : body.body().mesh.blocks)
    out[py::str(std::string(name_of(block.type)))] = array_over(
        block.nodes.data(), {block.size(), nodes_per_element(block.type)}, capsule_of(body.built));
  return out;
}

py::dict node_sets(const BodyView& body) {
  py::dict out;
  for (const auto& [name, nodes] : body.body().mesh.node_sets)
    out[py::str(name)] = array_over(nodes.data(), {count_of(nodes)}, capsule_of(body.built));
  return out;
}

py::array slice_of(const BodyView& body, std::vector<double>& all) {
  return array_over(all.data() + 3 * static_cast<std::size_t>(body.body().first_node),
                    {body.body().mesh.point_count(), 3}, capsule_of(body.shown), true);
}

}  // namespace

void bind_body(py::module_& m) {
  py::class_<BodyView, std::shared_ptr<BodyView>>(m, "Body")
      .def_property_readonly("name", [](const BodyView& b) { return b.body().name; })
      .def_property_readonly("mass", [](const BodyView& b) { return b.body().mass; })
      .def_property_readonly("first_node", [](const BodyView& b) { return b.body().first_node; })
      .def_property_readonly("node_count",
                             [](const BodyView& b) { return b.body().mesh.point_count(); })
      .def_property_readonly(
          "nodes",
          [](const BodyView& b) {
            const std::vector<Vec3>& points = b.body().mesh.points;
            return array_over(points.data()->data(), {count_of(points), 3}, capsule_of(b.built));
          })
      .def_property_readonly("elements", &elements)
      .def_property_readonly("node_sets", &node_sets)
      .def_property_readonly("surface",
                             [](const BodyView& b) {
                               const auto& triangles = b.body().surface.triangles;
                               return array_over(reinterpret_cast<const Index*>(triangles.data()),
                                                 {count_of(triangles), 3}, capsule_of(b.built));
                             })
      .def_property_readonly("positions", [](const BodyView& b) { return slice_of(b, b.shown->q); })
      .def_property_readonly("velocities",
                             [](const BodyView& b) { return slice_of(b, b.shown->v); })
      .def("__repr__", [](const BodyView& b) {
        return "<pliant.Body \"" + b.body().name + "\", " +
               std::to_string(b.body().mesh.point_count()) + " nodes>";
      });
}

}  // namespace pliant::python
