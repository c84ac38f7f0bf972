// What there is, by the lists that `pliant list` prints.
#include "module.hpp"

#include <pliant/exports/export.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/run/versions.hpp>
#include <pliant/run/vocabulary.hpp>

#include <pybind11/stl.h>

namespace pliant::python {
namespace {

py::dict words_of(const Names& names) {
  py::dict out;
  for (const Name& name : names)
    if (name.available) out[py::str(name.name)] = name.doc;
  return out;
}

py::dict mesh_format_words() {
  py::dict out;
  for (const MeshFormat& format : mesh_formats())
    out[py::str(std::string(format.name))] = std::string(format.description);
  return out;
}

py::dict export_words() {
  py::dict out;
  for (const ExportFormat& format : export_formats())
    if (format.built) out[py::str(std::string(format.name))] = std::string(format.description);
  return out;
}

py::dict orders() {
  py::dict out;
  for (const IntegratorInfo& info : integrators())
    out[py::str(std::string(info.name))] = info.order;
  return out;
}

}  // namespace

void bind_lists(py::module_& m) {
  m.def("lists", [] {
    const Vocabulary words = built_vocabulary();
    py::dict all;
    all["integrators"] = words_of(words.integrators);
    all["materials"] = words_of(words.materials);
    all["damping"] = words_of(words.damping);
    all["contact"] = words_of(words.contact);
    all["solvers"] = words_of(words.solvers);
    all["linear-solvers"] = words_of(words.linear_solvers);
    all["bodies"] = words_of(words.bodies);
    all["mesh-formats"] = mesh_format_words();
    all["exports"] = export_words();
    return all;
  });
  m.def("orders", &orders);
  m.def("versions", &versions);
  m.def("build_options", &build_options);
}

}  // namespace pliant::python
