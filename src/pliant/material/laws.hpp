// The list of laws. The scene reader, `pliant list materials`, the docs and the tests walk it: a
// new law is one file and one entry here.
#pragma once

#include <pliant/material/arap.hpp>
#include <pliant/material/corotated.hpp>
#include <pliant/material/fixed_corotated.hpp>
#include <pliant/material/law_names.hpp>
#include <pliant/material/linear.hpp>
#include <pliant/material/mooney_rivlin.hpp>
#include <pliant/material/neo_hookean.hpp>
#include <pliant/material/orthotropic.hpp>
#include <pliant/material/spline.hpp>
#include <pliant/material/stable_neo_hookean.hpp>
#include <pliant/material/stvk.hpp>

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pliant {

template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
};

using Laws = TypeList<Linear, Corotated, FixedCorotated, Stvk, NeoHookean, StableNeoHookean,
                      MooneyRivlin, Arap, Spline, Orthotropic>;

template <MaterialLaw... L>
constexpr std::array<LawInfo, sizeof...(L)> infos_of(TypeList<L...>) {
  return {LawInfo{L::name, L::source, L::promises}...};
}
inline constexpr auto law_infos = infos_of(Laws{});

// visitor(std::type_identity<Law>{}) for the law of that name, and what it returns; an InputError
// with a suggestion where there is none.
template <class Visitor, class First, class... Rest>
decltype(auto) visit_law_in(TypeList<First, Rest...>, std::string_view name, Visitor&& visitor) {
  if constexpr (sizeof...(Rest) == 0) {
    if (name != First::name) throw_unknown_law(name);
    return visitor(std::type_identity<First>{});
  } else {
    if (name == First::name) return visitor(std::type_identity<First>{});
    return visit_law_in(TypeList<Rest...>{}, name, std::forward<Visitor>(visitor));
  }
}
template <class Visitor>
decltype(auto) visit_law(std::string_view name, Visitor&& visitor) {
  return visit_law_in(Laws{}, name, std::forward<Visitor>(visitor));
}

}  // namespace pliant
