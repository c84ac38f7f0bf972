// The laws by name, for those who need none of their formulas: the scene reader, `pliant list
// materials` and the docs. A law that changes is not compiled again there.
#pragma once

#include <pliant/material/law.hpp>

#include <span>

namespace pliant {

struct LawInfo {
  std::string_view name;
  std::string_view source;  // where it comes from, one line
  Promises promises;
};
struct MembraneInfo {
  std::string_view name, source;
};

std::span<const LawInfo> solid_laws();
std::span<const MembraneInfo> membrane_laws();  // what cloth can be made of

bool is_solid_law(std::string_view name);
bool is_membrane_law(std::string_view name);
[[noreturn]] void throw_unknown_law(std::string_view name);

// Throws an InputError where the constants make no sense for the law, solid or membrane, of that
// name.
void require_sensible_constants(std::string_view law, const MaterialConstants& constants);

}  // namespace pliant
