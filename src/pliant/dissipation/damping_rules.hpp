// From a description of damping to its rule; each family of laws is compiled in a file of its own.
// Private to the module.
#pragma once

#include <pliant/dissipation/damping_law.hpp>
#include <pliant/dissipation/viscous_rule.hpp>
#include <pliant/material/laws.hpp>

#include <algorithm>

namespace pliant {

std::unique_ptr<const ViscousRule> make_stiffness_rule(const DampedElements& elements,
                                                       const DampingLaw& damping);
std::unique_ptr<const ViscousRule> make_principal_rule(const DampedElements& elements,
                                                       const DampingLaw& damping);

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
