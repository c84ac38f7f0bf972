#include <pliant/scene/read_selection.hpp>

#include <pliant/scene/reading.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

Selection read_selection(const Json& record, const Vocabulary& vocabulary, std::string_view name) {
  schema::DocumentSchema document = scene_schema(vocabulary);
  document.root = document.definition("selection").schema;
  const Json resolved = resolve(record, document, name);
  reading::Reader reader{{}, std::string(name), Problems(name)};
  Selection selection = reading::selection(resolved, "", reader);
  reader.problems.throw_if_any();
  return selection;
}

}  // namespace pliant
