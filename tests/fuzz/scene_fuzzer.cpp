// Text to a described scene: read, or refused with an InputError; and resolving is idempotent.
#include <pliant/scene/description.hpp>
#include <pliant/scene/resolve.hpp>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scene/example.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace pliant;
  static const Vocabulary vocabulary = test::example_vocabulary();
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Json resolved = resolve(parse_json(text, "scene.json"), vocabulary);
    describe(resolved, ".");
    if (resolve(resolved, vocabulary) != resolved) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
