#include <pliant/dissipation/modal_law.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {

void check(const ModalLaw& law) {
  if (law.modes < 1 || law.modes > kMostDampedModes)
    throw InputError(
        fmt::format("modes: must be from 1 to {}, got {}", kMostDampedModes, law.modes));
  if (law.ratios.size() != 1 && law.ratios.size() != static_cast<std::size_t>(law.modes))
    throw InputError(fmt::format("ratio: one for all modes or {}, one for each, got {}", law.modes,
                                 law.ratios.size()));
  for (const double ratio : law.ratios)
    if (!(ratio >= 0) || !std::isfinite(ratio))
      throw InputError(fmt::format("ratio: must not be negative, got {}", ratio));
  if (law.curve && law.curve->first() < 0)
    throw InputError(
        fmt::format("knots: an amplitude has no sign, and the curve begins at {} m; 0 is rest",
                    law.curve->first()));
}

}  // namespace pliant
