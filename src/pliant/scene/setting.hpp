// Edits from the command line: `--set time.dt=0.01`, `--set bodies.0.mesh.box.cells=[4,1,1]`.
#pragma once

#include <pliant/scene/json.hpp>

namespace pliant {

// The path goes by keys of objects and numbers of list items, from 0. The value is JSON, or else a
// string as it stands. Keys that are missing are made; whether they make sense is for the schema to
// say. Throws InputError, beginning with the assignment.
void apply_setting(Json& document, std::string_view assignment);

}  // namespace pliant
