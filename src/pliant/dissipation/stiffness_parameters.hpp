// Parameters of damping that is laid over an elastic law. Whoever reads this reads all laws: two
// files do, which are compiled by themselves.
#pragma once

#include <pliant/dissipation/damping_law.hpp>
#include <pliant/material/laws.hpp>

#include <algorithm>
#include <vector>

namespace pliant {

// β beside the constants of the elastic law, for each element or once for all.
template <class Law, class Elastic>
std::vector<typename Law::Parameters> make_stiffness_parameters(const DampedElements& elements,
                                                                const DampingLaw& damping) {
  std::vector<typename Law::Parameters> parameters;
  const std::size_t count = std::max(elements.constants.size(), damping.beta.size());
  for (std::size_t e = 0; e < count; ++e)
    parameters.push_back(
        {damping.beta[damping.beta.size() == 1 ? 0 : e],
         Elastic::make_parameters(elements.constants[elements.constants.size() == 1 ? 0 : e])});
  return parameters;
}

}  // namespace pliant
