// Damping of a body as one says it, and from it a term of the system. The list of models is what
// the scene reader, `pliant list damping`, the docs and the tests walk.
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>
#include <pliant/dissipation/viscous_modifiers.hpp>
#include <pliant/material/constants.hpp>
#include <pliant/mesh/mesh.hpp>

#include <memory>

namespace pliant {

struct DampingModelInfo {
  std::string_view name, description;
};
std::span<const DampingModelInfo> damping_models();

// A quadratic law and what is laid over it. Strengths are one for all elements, or one for each.
struct DampingLaw {
  enum class Base { strain_rate, rayleigh, principal_strain };
  Base base = Base::strain_rate;
  std::vector<double> psi, phi;  // strain_rate: shear and bulk, Pa s
  std::vector<double> beta;      // the others, s
  ViscousModifiers over;
  StageTreatment treatment = StageTreatment::force;
};

// Throws InputError, starting with the name of what is wrong, where numbers are out of range or
// parts do not fit each other.
void check(const DampingLaw& damping);

// The elements that are damped, as of an elastic batch.
struct DampedElements {
  ElementType type = ElementType::tet4;
  std::string_view law;                      // their elastic law, a name from material/laws.hpp
  std::vector<Index> connectivity;           // nodes of the system, flat
  std::vector<MaterialConstants> constants;  // one per element, or one for all
  double depth = 1;  // of cloth its thickness, m, of a cable its section, m²
};

// The stencils must be in the system's pattern already. `rest` holds the rest position of every
// node.
std::unique_ptr<DissipationTerm> make_damping(DampedElements elements, const DampingLaw& damping,
                                              std::span<const Vec3> rest);

}  // namespace pliant
