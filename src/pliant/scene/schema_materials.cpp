// Materials. Most laws take E, ν and ρ, so a new one needs no word here; the few with
// constants of their own are listed.
#include <pliant/scene/scene_schema.hpp>

#include <algorithm>

namespace pliant {

using namespace schema;

namespace {

std::vector<std::string> names_without(const Names& names,
                                       const std::vector<std::string>& special) {
  std::vector<std::string> rest = available_names(names);
  std::erase_if(rest, [&](const std::string& name) {
    return std::find(special.begin(), special.end(), name) != special.end();
  });
  return rest;
}

Field density() {
  return fallback("density", "1000.0", positive("kg/m³"), "mass per undeformed volume");
}

Field poisson() {
  return fallback("poisson", "0.4", within({-1, 0.5, true, true}), "Poisson's ratio");
}

std::vector<Member> isotropic_members() {
  return {
      required("young", either({positive("Pa"), named("field")}), "Young's modulus, or its field"),
      fallback("poisson", "0.4", within({-1, 0.5, true, true}), "Poisson's ratio"), density()};
}

std::vector<Member> mooney_rivlin_members() {
  return {OneOf{"set of constants",
                {{required("c10", nonnegative("Pa"), "coefficient of the first invariant"),
                  {required("c01", nonnegative("Pa"), "coefficient of the second invariant"),
                   required("bulk", positive("Pa"), "bulk modulus")}},
                 {required("young", either({positive("Pa"), named("field")}),
                           "Young's modulus instead; c10 : c01 is then 4 : 1"),
                  {poisson()}}}},
          density()};
}

std::vector<Member> orthotropic_members() {
  return {required("young", triple(positive("Pa")), "Young's moduli along the three axes"),
          required("poisson", triple(number()), "Poisson's ratios xy, yz, zx"),
          required("shear", triple(positive("Pa")), "shear moduli xy, yz, zx"),
          fallback("axes", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", matrix(),
                   "the material's axes, one per row, at right angles, right-handed"),
          density()};
}

std::vector<Member> spline_members() {
  const SchemaRef knots = list(list(number(), 2, 2), 2);
  std::vector<Member> members = isotropic_members();
  members.push_back(
      optional("f", knots, "knots [σ, f'/young] of the slope of f over the stretches σ₁, σ₂, σ₃"));
  members.push_back(optional("g", knots, "the same of g over products of two stretches"));
  members.push_back(optional("h", knots, "the same of h over the product of all three"));
  return members;
}

std::vector<Member> strain_limited_members() {
  std::vector<Member> members = isotropic_members();
  members.push_back(fallback("limits", "[0.95, 1.05]", list(nonnegative(), 2, 2),
                             "the least and the largest stretch"));
  return members;
}

Definition material_definition(const Vocabulary& vocabulary) {
  Variants variants{"model", {}};
  const auto add = [&](const std::string& name, std::vector<Member> members) {
    const Name* found = find_name(vocabulary.materials, name);
    if (found && found->available) variants.variants.push_back({{name}, std::move(members)});
  };
  const std::vector<std::string> plain = names_without(
      vocabulary.materials, {"mooney-rivlin", "orthotropic", "spline", "strain-limited"});
  if (!plain.empty()) variants.variants.push_back({plain, isotropic_members()});
  add("mooney-rivlin", mooney_rivlin_members());
  add("orthotropic", orthotropic_members());
  add("spline", spline_members());
  add("strain-limited", strain_limited_members());
  return {"material", "What a body is made of.",
          record({required("model",
                           make(ChoiceSchema{"material model", vocabulary.materials, "materials"}),
                           "the law"),
                  variants})};
}

}  // namespace

std::vector<Definition> material_definitions(const Vocabulary& vocabulary) {
  return {material_definition(vocabulary),
          {"field", "A quantity that varies in space.",
           record({required("field", text(TextSchema::Form::expression),
                            "formula in x, y, z (m), the undeformed position; its value has the "
                            "quantity's unit: Pa for young")})}};
}

}  // namespace pliant
