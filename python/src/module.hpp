// The parts of the module; each file binds its own.
#pragma once

#include "interop.hpp"

namespace pliant::python {

void bind_errors(py::module_& m);
void bind_lists(py::module_& m);
void bind_scene(py::module_& m);
void bind_body(py::module_& m);
void bind_simulation(py::module_& m);
void bind_run(py::module_& m);
void bind_gradient(py::module_& m);

}  // namespace pliant::python
