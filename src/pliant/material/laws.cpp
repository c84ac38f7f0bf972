#include <pliant/material/laws.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>

#include <string>
#include <vector>

namespace pliant {

void throw_unknown_law(std::string_view name) {
  std::vector<std::string> known;
  for (const LawInfo& law : law_infos) known.emplace_back(law.name);
  throw InputError("unknown material model \"" + std::string(name) + "\"" +
                   suggestion(name, known));
}

}  // namespace pliant
