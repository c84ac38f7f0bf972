#include <pliant/scene/build_materials.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/material/law_names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

Vec3 center_of(const Mesh& mesh, std::span<const Index> nodes) {
  Vec3 sum = Vec3::Zero();
  for (const Index n : nodes) sum += mesh.points[n];
  return sum / static_cast<double>(nodes.size());
}

void require_law(const BodyDescription& body, const std::string& name, const std::string& law,
                 const CustomLaws& laws) {
  if (laws.contains(law) && body.type != "cloth") return;
  if (body.type == "cloth" && !is_membrane_law(law)) {
    std::vector<std::string_view> laws;
    for (const MembraneInfo& info : membrane_laws()) laws.push_back(info.name);
    refuse(Refusal::cloth_law, body.where + "/material", name, law,
           fmt::format("{}", fmt::join(laws, ", ")));
  }
  if ((body.type == "solid" || body.type == "frames") && !is_solid_law(law))
    refuse(Refusal::solid_law, body.where + "/material", name, law);
}

// A strength for every element, from a formula.
std::vector<double> strengths_of(const Expression& formula, const Mesh& mesh,
                                 const std::string& where) {
  std::vector<double> strengths;
  for (const ElementBlock& block : mesh.blocks) {
    if (dimension(block.type) != 3) continue;
    for (Index e = 0; e < block.size(); ++e) {
      strengths.push_back(formula(center_of(mesh, block.element(e))));
      if (!(strengths.back() >= 0) || !std::isfinite(strengths.back()))
        throw InputError(
            fmt::format("{}: the formula gives {} in element {}; it must not be "
                        "negative anywhere",
                        where, strengths.back(), e));
    }
  }
  return strengths;
}

bool is_of_custom_law(const SceneDescription& scene, const BodyDescription& body,
                      const CustomLaws& laws) {
  const auto is_custom = [&](const std::string& name) {
    const auto found = scene.materials.find(name);
    return found != scene.materials.end() && laws.contains(found->second.model);
  };
  return !body.rigid && (is_custom(body.material.standard) ||
                         std::any_of(body.material.regions.begin(), body.material.regions.end(),
                                     [&](const auto& entry) { return is_custom(entry.second); }));
}

}  // namespace

void assign_materials(const SceneDescription& scene, const BodyDescription& body,
                      const std::vector<std::string>& names, const CustomLaws& laws,
                      SolidInput& solid) {
  for (const std::string& name : names) {
    const MaterialDescription& material = scene.materials.at(name);
    solid.materials.push_back({material.model, material.constants});
  }
  const auto number_of = [&](const std::string& name) {
    return static_cast<Index>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (const auto& [region, material] : body.material.regions)
    if (std::find(solid.mesh.region_names.begin(), solid.mesh.region_names.end(), region) ==
        solid.mesh.region_names.end())
      throw InputError(fmt::format(
          "{}/material/regions/{}: the mesh has no such region, {}it has: {}", body.where, region,
          solid.mesh.node_sets.count(region) > 0 ? "that is one of its node sets; " : "",
          fmt::join(solid.mesh.region_names, ", ")));
  bool any_field = body.material.young.has_value();
  std::vector<double> young;
  for (const ElementBlock& block : solid.mesh.blocks) {
    if (dimension(block.type) != solid.mesh.top_dimension()) continue;
    for (Index e = 0; e < block.size(); ++e) {
      const Index region = block.region.empty() ? 0 : block.region[e];
      const auto it = body.material.regions.find(solid.mesh.region_names[region]);
      const std::string& name =
          it == body.material.regions.end() ? body.material.standard : it->second;
      const MaterialDescription& material = scene.materials.at(name);
      require_law(body, name, material.model, laws);
      solid.material_of_element.push_back(number_of(name));
      const auto& field = body.material.young ? body.material.young : material.young_field;
      any_field = any_field || field.has_value();
      young.push_back(field ? (*field)(center_of(solid.mesh, block.element(e)))
                            : material.constants.young);
      if (!(young.back() > 0) || !std::isfinite(young.back()))
        throw InputError(
            fmt::format("{}/material: the formula for young gives {} in element {}; it "
                        "must be above 0 everywhere",
                        body.where, young.back(), e));
    }
  }
  if (any_field) solid.young = std::move(young);
}

DampingLaw make_damping_law(const DampingDescription& damping, const Mesh& mesh) {
  DampingLaw law = *damping.law;
  if (damping.psi) law.psi = strengths_of(*damping.psi, mesh, damping.where + "/psi");
  if (damping.phi) law.phi = strengths_of(*damping.phi, mesh, damping.where + "/phi");
  if (damping.beta_field)
    law.beta = strengths_of(*damping.beta_field, mesh, damping.where + "/beta");
  return law;
}

void require_custom_laws_make_sense(const SceneDescription& scene, const CustomLaws& laws) {
  if (laws.empty()) return;
  for (const BodyDescription& body : scene.bodies) {
    if (!is_of_custom_law(scene, body, laws)) continue;
    const char* what = body.plasticity               ? "plasticity"
                       : body.coarsen                ? "coarsen"
                       : scene.solver.type == "admm" ? "solver admm"
                       : body.material.young         ? "a formula for \"young\""
                                                     : nullptr;
    if (what)
      throw InputError(fmt::format(
          "{}: {} does not go with a material whose law the program brings", body.where, what));
  }
}

}  // namespace pliant
