// Scenes as dicts: what JSON can hold, to and fro, with the order of the keys kept.
#pragma once

#include "interop.hpp"

#include <pliant/scene/json.hpp>

namespace pliant::python {

// Beside dicts, lists, strings and numbers also tuples, paths, numpy's arrays and numbers. Throws
// InputError with the place behind `name` for all else: "scene#/bodies/0/mesh: …".
Json to_json(const py::handle& value, const std::string& name);

py::object from_json(const Json& value);

}  // namespace pliant::python
