// Rayleigh damping over every elastic law.
#include <pliant/dissipation/damping_rules.hpp>
#include <pliant/dissipation/stiffness_parameters.hpp>

namespace pliant {

std::unique_ptr<const ViscousRule> make_stiffness_rule(const DampedElements& elements,
                                                       const DampingLaw& damping) {
  return visit_law(elements.law,
                   [&]<class L>(std::type_identity<L>) -> std::unique_ptr<const ViscousRule> {
                     using Law = StiffnessRate<L>;
                     return std::make_unique<ViscousRuleOf<Law>>(
                         make_stiffness_parameters<Law, L>(elements, damping), damping.over);
                   });
}

}  // namespace pliant
