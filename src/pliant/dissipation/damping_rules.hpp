// From a description of damping to its rule; each family of laws is compiled in a file of its own.
// Private to the module.
#pragma once

#include <pliant/dissipation/damping_law.hpp>
#include <pliant/dissipation/viscous_rule.hpp>

#include <memory>

namespace pliant {

std::unique_ptr<const ViscousRule> make_stiffness_rule(const DampedElements& elements,
                                                       const DampingLaw& damping);
std::unique_ptr<const ViscousRule> make_principal_rule(const DampedElements& elements,
                                                       const DampingLaw& damping);

}  // namespace pliant
