// A mesh in numbers, for `pliant mesh info` and for reports.
#pragma once

#include <pliant/mesh/element_geometry.hpp>
#include <pliant/mesh/mesh.hpp>

#include <optional>

namespace pliant {

struct MeshStatistics {
  Index points = 0, elements = 0;
  std::vector<std::pair<ElementType, Index>> per_type;
  std::vector<std::pair<std::string, Index>> per_region;  // elements of the top dimension

  Vec3 min = Vec3::Zero(), max = Vec3::Zero();  // m, bounding box
  double measure = 0;                           // m³, m² or m, over elements of the top dimension
  Vec3 centroid = Vec3::Zero();                 // m, of the same elements
  double surface_area = 0;                      // m²

  double edge_min = 0, edge_mean = 0, edge_max = 0;  // m, edges between corners, each once

  std::optional<AngleRange> dihedral;     // degrees, over all tetrahedra
  std::optional<double> scaled_jacobian;  // smallest over all hexahedra
  std::optional<AngleRange> corner;       // degrees, over all triangles and quadrilaterals
};
MeshStatistics statistics_of(const Mesh& mesh);

}  // namespace pliant
