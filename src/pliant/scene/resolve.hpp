// Validation and defaults in one walk over document and schema together.
#pragma once

#include <pliant/scene/schema.hpp>

namespace pliant {

// The value with every default filled in and its keys in the schema's order; resolving the result
// again changes nothing. Throws InputError with up to ten problems, one per line, each with its
// JSON pointer behind `name`.
Json resolve(const Json& value, const schema::DocumentSchema& document, std::string_view name);

// The same for a scene.
Json resolve(const Json& scene, const Vocabulary& vocabulary, std::string_view name = "scene.json");

}  // namespace pliant
