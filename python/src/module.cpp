// `_pliant`: the library as Python sees it. People import `pliant`, which is a little Python around
// it (python/pliant).
#include "module.hpp"

#include <pliant/run/versions.hpp>

PYBIND11_MODULE(_pliant, m) {
  namespace python = pliant::python;
  m.doc() = "The library behind the package pliant";
  m.attr("__version__") = pliant::versions().at("pliant");
  python::bind_errors(m);
  python::bind_lists(m);
  python::bind_scene(m);
  python::bind_body(m);
  python::bind_simulation(m);
  python::bind_run(m);
  python::bind_gradient(m);
}
