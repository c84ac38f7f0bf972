// The reference of the scene file as Markdown: a table of keys for each part, then the lists of
// names. Written from the schema, so it is never out of date.
#pragma once

#include <pliant/scene/schema.hpp>

namespace pliant {

std::string markdown_reference(const schema::DocumentSchema& document,
                               const Vocabulary& vocabulary);
std::string scene_reference(const Vocabulary& vocabulary);

}  // namespace pliant
