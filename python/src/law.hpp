// A material law written in Python, given all quadrature points of a batch at once.
#pragma once

#include "interop.hpp"

#include <pliant/material/batch_law.hpp>

namespace pliant::python {

// From an instance of pliant.Material, with the interpreter's lock. `name` is what the term and the
// results call it. Throws InputError where its functions do not give what they should at F = I.
std::shared_ptr<const BatchLaw> make_law(const py::object& material, const std::string& name);

}  // namespace pliant::python
