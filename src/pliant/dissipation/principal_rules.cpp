// Damping of principal strains, for every elastic law that depends on them alone.
#include <pliant/dissipation/damping_rules.hpp>
#include <pliant/dissipation/stiffness_parameters.hpp>

#include <pliant/core/refusals.hpp>

namespace pliant {

std::unique_ptr<const ViscousRule> make_principal_rule(const DampedElements& elements,
                                                       const DampingLaw& damping) {
  return visit_law(elements.law,
                   [&]<class L>(std::type_identity<L>) -> std::unique_ptr<const ViscousRule> {
                     if constexpr (L::promises.isotropic && L::promises.frame_indifferent) {
                       using Law = PrincipalRate<L>;
                       return std::make_unique<ViscousRuleOf<Law>>(
                           make_stiffness_parameters<Law, L>(elements, damping), damping.over);
                     } else {
                       throw InputError(words_of(Refusal::principal_damping_law, L::name));
                     }
                   });
}

}  // namespace pliant
