// Checks that all generators share. Private to the module.
#pragma once

#include <pliant/core/error.hpp>
#include <pliant/mesh/generators.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant::generate {

inline void require_positive(std::string_view shape, std::string_view key, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{}/{}: must be above 0, got {}", shape, key, value));
}

inline void require_count(std::string_view shape, std::string_view key, Index value) {
  if (value < 1)
    throw InputError(fmt::format("{}/{}: must be at least 1, got {}", shape, key, value));
}

inline void require_solid(std::string_view shape, ElementType element) {
  if (dimension(element) != 3)
    throw InputError(
        fmt::format("{}/element: must be tet4, tet10 or hex8, got {}", shape, name_of(element)));
}

inline void require_below_limit(std::string_view shape, double elements) {
  if (!(elements <= generated_element_limit))
    throw InputError(fmt::format("{}: would have about {:.3g} elements, the limit is {:.3g}", shape,
                                 elements, generated_element_limit));
}

}  // namespace pliant::generate
