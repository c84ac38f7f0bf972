#include <pliant/mesh/statistics.hpp>

#include <pliant/mesh/surface.hpp>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

void widen(std::optional<AngleRange>& range, const AngleRange& next) {
  if (!range) range = next;
  range = AngleRange{std::min(range->min, next.min), std::max(range->max, next.max)};
}

void add_quality(ElementType type, std::span<const Vec3> x, MeshStatistics& s) {
  if (type == ElementType::tet4 || type == ElementType::tet10)
    widen(s.dihedral, dihedral_angles(x.first(4)));
  if (type == ElementType::hex8)
    s.scaled_jacobian = std::min(s.scaled_jacobian.value_or(1), scaled_jacobian(x));
  if (dimension(type) == 2) widen(s.corner, corner_angles(x));
}

void add_edges(const Mesh& mesh, MeshStatistics& s) {
  std::vector<std::array<Index, 2>> edges;
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e)
      for (const auto& [i, j] : edges_of(block.type)) {
        const auto nodes = block.element(e);
        const auto [a, b] =
            std::minmax(nodes[static_cast<std::size_t>(i)], nodes[static_cast<std::size_t>(j)]);
        edges.push_back({a, b});
      }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.empty()) return;
  s.edge_min = std::numeric_limits<double>::infinity();
  for (const auto& [a, b] : edges) {
    const double length =
        (mesh.points[static_cast<std::size_t>(a)] - mesh.points[static_cast<std::size_t>(b)])
            .norm();
    s.edge_min = std::min(s.edge_min, length);
    s.edge_max = std::max(s.edge_max, length);
    s.edge_mean += length / static_cast<double>(edges.size());
  }
}

void add_box(const Mesh& mesh, MeshStatistics& s) {
  if (mesh.points.empty()) return;
  s.min = s.max = mesh.points[0];
  for (const Vec3& x : mesh.points) {
    s.min = s.min.cwiseMin(x);
    s.max = s.max.cwiseMax(x);
  }
}

}  // namespace

MeshStatistics statistics_of(const Mesh& mesh) {
  MeshStatistics s;
  s.points = mesh.point_count();
  s.elements = mesh.element_count();
  for (const std::string& name : mesh.region_names) s.per_region.emplace_back(name, 0);
  const int top = mesh.top_dimension();
  Vec3 moment = Vec3::Zero();
  for (const ElementBlock& block : mesh.blocks) {
    s.per_type.emplace_back(block.type, block.size());
    for (Index e = 0; e < block.size(); ++e) {
      const ElementPoints points = gather(mesh, block, e);
      add_quality(block.type, points.span(), s);
      if (dimension(block.type) != top) continue;
      s.measure += measure(block.type, points.span());
      moment += first_moment(block.type, points.span());
      if (!block.region.empty())
        ++s.per_region[static_cast<std::size_t>(block.region[static_cast<std::size_t>(e)])].second;
    }
  }
  if (s.measure != 0) s.centroid = moment / s.measure;
  add_box(mesh, s);
  add_edges(mesh, s);
  s.surface_area = surface_area(mesh.points, make_surface(mesh).triangles);
  return s;
}

}  // namespace pliant
