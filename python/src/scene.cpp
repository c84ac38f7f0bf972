// Reading scenes: from a file or a dict of Python to what the library builds.
#include "json.hpp"
#include "law.hpp"
#include "module.hpp"
#include "prepared.hpp"
#include "terms.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/json_schema.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/scene_schema.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

namespace pliant::python {
namespace {

// Contact and the schema want Young's modulus and Poisson's ratio of every material. Where they are
// not given they are those of the law's tangent at rest, with λ + 2μ = ∂P_xx/∂F_xx and μ the mean
// of what resists shear.
void fill_in_moduli(const BatchLaw& law, Json& material) {
  const Mat3 I = Mat3::Identity();
  Mat9 C;
  law.tangent({I.data(), 9}, {C.data(), 81});
  const double mu = (C(1, 1) + C(2, 2) + C(5, 5)) / 3, lambda = C(0, 0) - 2 * mu;
  const double young = mu * (3 * lambda + 2 * mu) / (lambda + mu);
  const bool elastic = std::isfinite(young) && young > 0;
  if (!material.contains("young")) material["young"] = elastic ? young : 1e5;
  if (!material.contains("poisson"))
    material["poisson"] = elastic ? std::clamp(lambda / (2 * (lambda + mu)), -0.9, 0.499) : 0.3;
}

// `materials`: instances of pliant.Material by the names of the materials that they are the law of.
Prepared prepare(const py::dict& document, const std::string& name, const std::string& folder,
                 const py::dict& materials, const py::list& terms) {
  auto scene = std::make_shared<PreparedScene>();
  scene->document = to_json(document, name);
  scene->origin = {name, folder};
  for (const auto& [material, law] : materials) {
    const std::string word = py::str(material);
    const std::string model = fmt::format("python:{}:{}", class_of(law), word);
    scene->models[word] = model;
    const auto made = make_law(py::reinterpret_borrow<py::object>(law), model);
    fill_in_moduli(*made, scene->document["materials"][word]);
    scene->parts.laws[model] = made;
  }
  if (!terms.empty())
    scene->parts.terms = [held = hold(terms)](std::span<const Body> bodies,
                                              std::span<const Vec3> rest) {
      return make_terms(held, bodies, rest);
    };
  released([&] { scene->loaded = read_scene(scene->document, scene->origin, scene->models); });
  return scene;
}

std::string sentence(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// What `pliant check` says.
std::string check(const Prepared& scene) {
  return released([&] {
    const BuiltScene built = scene->build(python_log());
    std::string words =
        fmt::format("{} is fine: {}, {} nodes, {}", scene->origin.name,
                    sentence(built.model.bodies.size(), "body", "bodies"),
                    built.model.system->body_nodes(), Pace(scene->loaded.scene).in_words());
    for (const Body& body : built.model.bodies)
      words += fmt::format("\n  {}: {} elements, {} nodes, {:.6g} kg", body.name,
                           body.mesh.element_count(), body.mesh.point_count(), body.mass);
    return words;
  });
}

// The document with the value at the place; nothing is checked that the schema says.
py::object set(const py::dict& document, const std::string& name, const std::string& path,
               const py::object& value) {
  if (path.empty() || path.find('=') != std::string::npos)
    throw InputError(fmt::format("set: \"{}\" is no path such as time.dt or bodies.0.name", path));
  Json changed = to_json(document, name);
  const std::string text = fmt::format("{}={}", path, to_json(value, path).dump());
  apply_setting(changed, Assignment(text, fmt::format("set({})", text)),
                [&] { return resolve(changed, built_vocabulary(), name); });
  return from_json(changed);
}

}  // namespace

void bind_scene(py::module_& m) {
  py::class_<PreparedScene, std::shared_ptr<PreparedScene>>(m, "Prepared")
      .def_property_readonly("name", [](const PreparedScene& s) { return s.loaded.scene.name; })
      .def_property_readonly("hash", [](const PreparedScene& s) { return s.loaded.hash; })
      .def_property_readonly("json", [](const PreparedScene& s) { return s.loaded.json; })
      .def_property_readonly("resolved",
                             [](const PreparedScene& s) {
                               return from_json(parse_json(s.loaded.json, s.origin.name));
                             })
      .def("check", [](const std::shared_ptr<PreparedScene>& s) { return check(s); });
  m.def("prepare", [](const py::dict& document, const std::string& name, const std::string& folder,
                      const py::dict& materials, const py::list& terms) {
    return std::const_pointer_cast<PreparedScene>(
        prepare(document, name, folder, materials, terms));
  });
  m.def("load_document", [](const std::string& path) { return from_json(load_json(path)); });
  m.def("set", &set);
  m.def("schema", [] { return from_json(json_schema(scene_schema(built_vocabulary()))); });
}

}  // namespace pliant::python
