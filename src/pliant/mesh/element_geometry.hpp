// Size and shape of single elements: measure (volume, area or length), the range of the Jacobian
// determinant, and the quality numbers that reports and warnings use.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

// The corner points of an element, gathered from the mesh.
struct ElementPoints {
  std::array<Vec3, 10> x;
  int count = 0;

  std::span<const Vec3> span() const { return {x.data(), static_cast<std::size_t>(count)}; }
};
ElementPoints gather(const Mesh& mesh, const ElementBlock& block, Index e);

// m³ (signed), m² or m. Exact for every solid element, also with bent edges and faces.
double measure(ElementType type, std::span<const Vec3> x);

// ∫ x over the element, so that dividing by measure() gives its centroid; tet10 with straight
// edges.
Vec3 first_moment(ElementType type, std::span<const Vec3> x);

// det ∂x/∂ξ over the reference element, for solids only. Inside: at quadrature points of the degree
// that elements use. All: those and the nodes, where it can turn negative first.
struct JacobianRange {
  double inside_min = 0, inside_max = 0;
  double all_min = 0;
};
JacobianRange jacobian_range(ElementType type, std::span<const Vec3> x);

double longest_edge(ElementType type, std::span<const Vec3> x);

// The edges between corners, as pairs of local nodes.
std::span<const std::array<int, 2>> edges_of(ElementType type);

struct AngleRange {
  double min = 0, max = 0;  // degrees
};
AngleRange dihedral_angles(std::span<const Vec3> tet);
AngleRange corner_angles(std::span<const Vec3> polygon);

// The smallest, over the corners, of the determinant of the three unit edge vectors: 1 for a box,
// 0 or less for a corner that is flat or inverted.
double scaled_jacobian(std::span<const Vec3> hex);

}  // namespace pliant
