#include <pliant/body/thin.hpp>

#include <pliant/element/bending.hpp>
#include <pliant/element/cable.hpp>
#include <pliant/element/membrane.hpp>

#include <numbers>

namespace pliant {
namespace {

double section(double radius) { return std::numbers::pi * radius * radius; }  // m²

// D = E t³/(12 (1 − ν²)) of a plate; the membrane has E/(1 − ν²).
double plate_stiffness(const ThinElements& elements, std::size_t e, const ThinInput& thin) {
  return thin.bending.value_or(membrane_stiffness(elements.law[e], elements.constants[e]) *
                               std::pow(thin.thickness, 3) / 12);
}

std::unique_ptr<Term> make_cloth_bending(const ThinElements& elements, const ThinInput& thin,
                                         std::span<const Vec3> rest) {
  BendingInput input{find_hinges(elements.connectivity), {}};
  if (input.hinges.empty() || thin.bending == 0.0) return nullptr;
  for (const Hinge& hinge : input.hinges)
    input.stiffness.push_back(
        0.5 * (plate_stiffness(elements, static_cast<std::size_t>(hinge.triangles[0]), thin) +
               plate_stiffness(elements, static_cast<std::size_t>(hinge.triangles[1]), thin)));
  const bool quadratic = thin.model == BendingModel::automatic
                             ? is_flat(input.hinges, rest)
                             : thin.model == BendingModel::quadratic;
  if (quadratic) return std::make_unique<QuadraticBending>(std::move(input), rest);
  return std::make_unique<ShellBending>(std::move(input), rest);
}

// E I = E π r⁴/4, of the first element: a cable is of one piece.
std::unique_ptr<Term> make_cable_bending(const ThinElements& elements, const ThinInput& thin,
                                         std::span<const Vec3> rest) {
  CableBendingInput input{find_joints(elements.connectivity), {}};
  const double own =
      elements.constants[0].young * section(thin.thickness) * thin.thickness * thin.thickness / 4;
  if (input.joints.empty() || thin.bending == 0.0) return nullptr;
  input.stiffness.assign(input.joints.size(), thin.bending.value_or(own));
  return std::make_unique<CableBending>(std::move(input), rest);
}

}  // namespace

std::unique_ptr<ElasticTerm> make_thin(ElasticBatchInput batch, const ThinInput& thin,
                                       std::span<const Vec3> rest) {
  if (batch.type != ElementType::segment2)
    return make_membrane(std::move(batch), thin.thickness, rest);
  CableStretchInput input{std::move(batch.connectivity), {}, section(thin.thickness)};
  for (std::size_t e = 0; e < input.connectivity.size() / 2; ++e)
    input.young.push_back(batch.constants[batch.constants.size() == 1 ? 0 : e].young);
  return std::make_unique<CableStretch>(std::move(input), rest);
}

std::unique_ptr<Term> make_thin_bending(const ThinElements& elements, const ThinInput& thin,
                                        std::span<const Vec3> rest) {
  return elements.type == ElementType::segment2 ? make_cable_bending(elements, thin, rest)
                                                : make_cloth_bending(elements, thin, rest);
}

double thin_density(ElementType type, const ThinInput& thin, double density) {
  return density * (type == ElementType::segment2 ? section(thin.thickness) : thin.thickness);
}

}  // namespace pliant
