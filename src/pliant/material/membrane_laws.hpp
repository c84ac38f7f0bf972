// The list of membrane laws: what cloth can be made of. Others ask by name
// (law_names.hpp).
#pragma once

#include <pliant/material/laws.hpp>
#include <pliant/material/membrane_hooke.hpp>
#include <pliant/material/membrane_neo_hookean.hpp>
#include <pliant/material/membrane_strain_limited.hpp>

namespace pliant {

using MembraneLaws =
    TypeList<StvkMembrane, StableNeoHookeanMembrane, OrthotropicMembrane, StrainLimitedMembrane>;

template <MembraneLaw... L>
constexpr std::array<MembraneInfo, sizeof...(L)> membrane_infos_of(TypeList<L...>) {
  return {MembraneInfo{L::name, L::source}...};
}
inline constexpr auto membrane_infos = membrane_infos_of(MembraneLaws{});

// visitor(std::type_identity<Law>{}) for the membrane law of that name, which must be one.
template <class Visitor>
decltype(auto) visit_membrane_law(std::string_view name, Visitor&& visitor) {
  return visit_law_in(MembraneLaws{}, name, std::forward<Visitor>(visitor));
}

}  // namespace pliant
