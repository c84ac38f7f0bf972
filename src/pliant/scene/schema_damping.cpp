// Damping of bodies: the models, and what another model may be laid over.
#include <pliant/dissipation/modal_law.hpp>
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

Field strength(const char* key, const char* unit, const char* doc) {
  return required(key, either({nonnegative(unit), named("field")}), doc);
}
Field strength_or_none(const char* key, const char* unit, const char* doc) {
  return fallback(key, "0.0", either({nonnegative(unit), named("field")}), doc);
}

std::vector<Member> strain_rate_members() {
  return {strength("psi", "Pa s", "viscosity of changes of shape, or its field"),
          strength_or_none("phi", "Pa s", "viscosity of changes of volume, or its field")};
}

std::vector<Member> principal_strain_members() {
  return {strength("beta", "s", "coefficient of the stiffness, or its field")};
}

std::vector<Member> rayleigh_members() {
  return {fallback("alpha", "0.0", nonnegative("1/s"), "coefficient of the mass matrix"),
          strength_or_none("beta", "s", "coefficient of the stiffness matrix, or its field"),
          fallback("implicit", "false", boolean(),
                   "stiffness of the present position, not that of the step's start")};
}

std::vector<Member> power_law_members() {
  return {required("p", within({0, 4}), "the force grows with the velocity to this power"),
          required("strength", positive("W/m³"),
                   "dissipation per volume at which the law is as strong as its base"),
          fallback("epsilon", "0.001", positive("1/s"),
                   "for p < 1: the strain rate below which the force fades to zero"),
          required("base", named("damping_base"), "the model it is a power of")};
}

std::vector<Member> spline_damping_members() {
  const Names over = {{"strain", "the factor of the principal stretch that has the largest"},
                      {"each-strain", "each principal strain by its own factor"},
                      {"rate", "the factor of the strain rate (1/s)"}};
  return {required("knots", list(list(number(), 2, 2), 2),
                   "knots [x, factor], x rising, factors not negative"),
          fallback("over", "\"strain\"", make(ChoiceSchema{"quantity", over}),
                   "what x is: a stretch (1 at rest) or a strain rate (1/s)"),
          required("base", named("damping_base"), "the model that is multiplied")};
}

std::vector<Member> modal_members() {
  const SchemaRef ratio = nonnegative();
  return {required("ratio", either({ratio, list(ratio, 1, kMostDampedModes)}),
                   "damping over critical damping: of all these modes, or a list, one for each"),
          optional("modes", integer(1, kMostDampedModes),
                   "how many of the lowest modes that deform the body are damped; as many as there "
                   "are ratios unless given, and 10 where there is one for all"),
          optional("knots", list(list(number(), 2, 2), 2),
                   "knots [x, factor] of a curve that multiplies it; x is the amplitude of the "
                   "mode: how far it displaces the node that it moves most (m)")};
}

std::vector<Member> with_objective(std::vector<Member> members) {
  members.push_back(
      fallback("objective", "false", boolean(),
               "minimise an objective in each stage instead of solving for the force"));
  members.push_back(
      fallback("second_order", "false", boolean(), "that objective, corrected to second order"));
  return members;
}

// What the models that act on elements have in common.
std::vector<Member> with_treatment(std::vector<Member> members) {
  const Names forms = {{"projection", "out of the rate of deformation, for any element"},
                       {"velocity-gradient", "by the symmetric part of the velocity gradient"}};
  members.push_back(fallback("conserve_momentum", "false", boolean(),
                             "take rigid motion out, so that no angular momentum is lost"));
  members.push_back(fallback("momentum_form", "\"projection\"", make(ChoiceSchema{"form", forms}),
                             "how it is taken out"));
  return with_objective(std::move(members));
}

Definition damping_definition(const Vocabulary& vocabulary) {
  Variants variants{"model", {}};
  const auto add = [&](const std::string& name, std::vector<Member> members) {
    const Name* found = find_name(vocabulary.damping, name);
    if (found && found->available) variants.variants.push_back({{name}, std::move(members)});
  };
  add("rayleigh", with_treatment(rayleigh_members()));
  add("strain-rate", with_treatment(strain_rate_members()));
  add("principal-strain", principal_strain_members());
  add("power-law", with_treatment(power_law_members()));
  add("spline", with_treatment(spline_damping_members()));
  add("modal", with_objective(modal_members()));
  add("drag", {required("drag", nonnegative("1/s"), "force over mass and velocity")});
  return {
      "damping", "A force that takes energy out of a body.",
      record({required("model",
                       make(ChoiceSchema{"damping model", vocabulary.damping, "damping models"}),
                       "the law"),
              variants})};
}

Definition base_definition() {
  const Names names = {{"rayleigh", "beta K, K at the present position"},
                       {"strain-rate", "the rate of Green's strain"},
                       {"principal-strain", "the rates of the principal strains"}};
  Variants variants{"model",
                    {{{"strain-rate"}, strain_rate_members()},
                     {{"rayleigh", "principal-strain"}, principal_strain_members()}}};
  return {
      "damping_base", "A model that is linear in the velocities, to lay another over.",
      record({required("model", make(ChoiceSchema{"base of a damping model", names}), "the law"),
              variants})};
}

}  // namespace

std::vector<Definition> damping_definitions(const Vocabulary& vocabulary) {
  return {damping_definition(vocabulary), base_definition()};
}

}  // namespace pliant
