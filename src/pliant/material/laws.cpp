#include <pliant/material/laws.hpp>
#include <pliant/material/membrane_laws.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace pliant {
namespace {

template <class Infos>
bool has_name(const Infos& infos, std::string_view name) {
  return std::any_of(infos.begin(), infos.end(),
                     [name](const auto& info) { return info.name == name; });
}

}  // namespace

std::span<const LawInfo> solid_laws() { return law_infos; }
std::span<const MembraneInfo> membrane_laws() { return membrane_infos; }
bool is_solid_law(std::string_view name) { return has_name(law_infos, name); }
bool is_membrane_law(std::string_view name) { return has_name(membrane_infos, name); }

void throw_unknown_law(std::string_view name) {
  std::vector<std::string> known;
  for (const LawInfo& law : law_infos) known.emplace_back(law.name);
  throw InputError("unknown material model \"" + std::string(name) + "\"" +
                   suggestion(name, known));
}

void require_sensible_constants(std::string_view law, const MaterialConstants& constants) {
  const auto try_law = [&]<class Law>(std::type_identity<Law>) {
    static_cast<void>(Law::make_parameters(constants));
  };
  if (is_solid_law(law))
    visit_law(law, try_law);
  else
    visit_membrane_law(law, try_law);
}

}  // namespace pliant
