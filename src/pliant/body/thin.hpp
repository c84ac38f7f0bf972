// Cloth and cables: bodies with two or one dimensions, from a mesh of triangles or segments to the
// terms and masses of a System. What is theirs beside what solids have: a thickness or a radius,
// and bending.
#pragma once

#include <pliant/element/elastic_term.hpp>
#include <pliant/mesh/mesh.hpp>

#include <optional>

namespace pliant {

enum class BendingModel { automatic, quadratic, shell };  // automatic: quadratic where it is flat

struct ThinInput {
  double thickness = 1e-3;        // m; of a cable, its radius
  std::optional<double> bending;  // N·m, of a cable N·m²; nothing: that of the material
  BendingModel model = BendingModel::automatic;
};

// One batch of elements before it is made; `batch.law` is a membrane's, or of a cable any.
std::unique_ptr<ElasticTerm> make_thin(ElasticBatchInput batch, const ThinInput& thin,
                                       std::span<const Vec3> rest);

// Bending of all elements of a body, triangles or segments: nodes of the system, law and constants
// of each. Null where nothing bends.
struct ThinElements {
  ElementType type = ElementType::tri3;
  std::vector<Index> connectivity;
  std::vector<std::string_view> law;
  std::vector<MaterialConstants> constants;
};
std::unique_ptr<Term> make_thin_bending(const ThinElements& elements, const ThinInput& thin,
                                        std::span<const Vec3> rest);

// kg/m² or kg/m of a material of that density (kg/m³).
double thin_density(ElementType type, const ThinInput& thin, double density);

}  // namespace pliant
