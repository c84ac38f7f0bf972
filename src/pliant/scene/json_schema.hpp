// The schema as JSON Schema (draft-07), for editors and other programs: `pliant schema`. It accepts
// what resolve() accepts, except for what JSON Schema cannot say: whether a formula is well formed.
#pragma once

#include <pliant/scene/schema.hpp>

namespace pliant {

Json json_schema(const schema::DocumentSchema& document);

}  // namespace pliant
