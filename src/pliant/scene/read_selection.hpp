// A selection of nodes by itself, for programs that let people choose nodes as scenes do.
#pragma once

#include <pliant/mesh/selections.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/vocabulary.hpp>

namespace pliant {

// {"box": {"min": …, "max": …}} and its like. Throws InputError with what is wrong behind `name`.
Selection read_selection(const Json& record, const Vocabulary& vocabulary, std::string_view name);

}  // namespace pliant
