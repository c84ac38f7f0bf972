#include <pliant/dissipation/damping_law.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/dissipation/damping_rules.hpp>
#include <pliant/dissipation/strain_rate.hpp>
#include <pliant/dissipation/viscous_batch.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pliant {
namespace {

constexpr std::array<DampingModelInfo, 7> kModels = {{
    {"rayleigh",
     "D = alpha M + beta K, K at the start of the step or, implicit, at the present position "
     "(Rayleigh 1877, BROWN (45))"},
    {"strain-rate", "viscosity: stress from the rate of Green's strain (BROWN (41))"},
    {"principal-strain", "damps principal strains, blind to rotation (BROWN (53))"},
    {"power-law", "a force like the velocity to the power p, over another model (BROWN (54))"},
    {"spline", "another model times a curve over strain or strain rate (BROWN (57))"},
    {"modal", "single modes of a solid, by ratios and a curve over amplitude (BROWN §8)"},
    {"drag", "resistance of the space around: a force against velocity and mass"},
}};

void require_strengths(std::span<const double> values, std::string_view name) {
  if (values.empty()) throw InputError(fmt::format("{}: is missing", name));
  for (const double x : values)
    if (!(x >= 0) || !std::isfinite(x))
      throw InputError(fmt::format("{}: must not be negative, got {}", name, x));
}

void check_power(const PowerLaw& power) {
  if (!(power.p >= 0 && power.p <= 4))
    throw InputError(fmt::format("p: must be from 0 to 4, got {}", power.p));
  if (!(power.strength > 0) || !std::isfinite(power.strength))
    throw InputError(fmt::format("strength: must be above 0, got {}", power.strength));
  if (!(power.epsilon > 0) || !std::isfinite(power.epsilon))
    throw InputError(fmt::format("epsilon: must be above 0, got {}", power.epsilon));
}

std::vector<StrainRate::Parameters> make_strain_rate_parameters(const DampingLaw& damping) {
  std::vector<StrainRate::Parameters> parameters(std::max(damping.psi.size(), damping.phi.size()));
  for (std::size_t e = 0; e < parameters.size(); ++e)
    parameters[e] = {damping.psi[damping.psi.size() == 1 ? 0 : e],
                     damping.phi[damping.phi.size() == 1 ? 0 : e]};
  return parameters;
}

std::unique_ptr<const ViscousRule> make_rule(const DampedElements& elements,
                                             const DampingLaw& damping) {
  switch (damping.base) {
    case DampingLaw::Base::rayleigh:
      return make_stiffness_rule(elements, damping);
    case DampingLaw::Base::principal_strain:
      return make_principal_rule(elements, damping);
    default:
      return std::make_unique<ViscousRuleOf<StrainRate>>(make_strain_rate_parameters(damping),
                                                         damping.over);
  }
}

std::string_view name_of(DampingLaw::Base base) {
  switch (base) {
    case DampingLaw::Base::rayleigh:
      return "rayleigh";
    case DampingLaw::Base::principal_strain:
      return "principal-strain";
    default:
      return "strain-rate";
  }
}

// Sheets and cables have no elastic law over F that damping by stiffness could be made of.
void require_thin(const DampingLaw& damping) {
  if (damping.base == DampingLaw::Base::strain_rate) return;
  throw InputError(words_of(Refusal::thin_damping, damping.base == DampingLaw::Base::rayleigh
                                                       ? "rayleigh with \"implicit\""
                                                       : "principal-strain"));
}

}  // namespace

std::span<const DampingModelInfo> damping_models() { return kModels; }

void check(const DampingLaw& damping) {
  const bool principal = damping.base == DampingLaw::Base::principal_strain;
  if (damping.base == DampingLaw::Base::strain_rate) {
    require_strengths(damping.psi, "psi");
    require_strengths(damping.phi, "phi");
  } else {
    require_strengths(damping.beta, "beta");
  }
  if (damping.over.power) check_power(*damping.over.power);
  if (damping.over.each_strain && !principal)
    throw InputError(
        "over: \"each-strain\" needs the base principal-strain; \"strain\" goes with "
        "every base");
  if (damping.treatment == StageTreatment::second_order && principal)
    throw InputError(
        "second_order: principal-strain damping is a potential of the stage already, "
        "there is nothing to correct");
}

std::unique_ptr<DissipationTerm> make_damping(DampedElements elements, const DampingLaw& damping,
                                              std::span<const Vec3> rest) {
  check(damping);
  const int dimension = pliant::dimension(elements.type);
  if (dimension < 3) require_thin(damping);
  DampingLaw law = damping;
  law.over.strains = dimension;
  ViscousBatchInput input{name_of(law.base), {}, make_rule(elements, law), law.treatment};
  if (input.rule->has_stage_form()) input.treatment = StageTreatment::objective;
  const std::vector<Index>& nodes = input.connectivity = std::move(elements.connectivity);
  const auto count = static_cast<Index>(rest.size());
  const auto batch = [&]<class Geometry>(Geometry geometry) -> std::unique_ptr<DissipationTerm> {
    return std::make_unique<ViscousBatch<Geometry>>(std::move(input), std::move(geometry), count);
  };
  if (elements.type == ElementType::segment2)
    return batch(ThinGeometry<2>(nodes, rest, elements.depth));
  if (elements.type == ElementType::tri3)
    return batch(ThinGeometry<3>(nodes, rest, elements.depth));
  if (elements.type == ElementType::quad4)
    return batch(ThinGeometry<4>(nodes, rest, elements.depth));
  std::unique_ptr<DissipationTerm> term;
  visit_shape(elements.type, [&]<class S>(S) { term = batch(RestGeometry<S>(nodes, rest)); });
  return term;
}

}  // namespace pliant
