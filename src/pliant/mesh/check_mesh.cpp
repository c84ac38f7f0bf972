// check(): finds faults, judges nothing.
#include <pliant/mesh/element_geometry.hpp>
#include <pliant/mesh/faces.hpp>
#include <pliant/mesh/validate.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

// Volumes below this multiple of the cubed (areas: squared) longest edge are rounding.
constexpr double flat_tolerance = 1e-12;

void check_indices(const Mesh& mesh, MeshReport& report) {
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e) {
      const auto nodes = block.element(e);
      const auto at = static_cast<std::size_t>(e);
      bool bad = at < block.region.size() &&
                 (block.region[at] < 0 ||
                  block.region[at] >= static_cast<Index>(mesh.region_names.size()));
      for (const Index n : nodes) bad = bad || n < 0 || n >= mesh.point_count();
      if (bad) report.out_of_range.push_back({block.type, e});
      bool repeats = false;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) repeats = repeats || nodes[i] == nodes[j];
      if (repeats) report.repeated_nodes.push_back({block.type, e});
    }
}

void check_points(const Mesh& mesh, MeshReport& report) {
  for (Index n = 0; n < mesh.point_count(); ++n)
    if (!mesh.points[static_cast<std::size_t>(n)].allFinite()) report.nonfinite_points.push_back(n);
}

void check_unused(const Mesh& mesh, MeshReport& report) {
  std::vector<char> used(mesh.points.size(), 0);
  for (const ElementBlock& block : mesh.blocks)
    for (const Index n : block.nodes) used[static_cast<std::size_t>(n)] = 1;
  for (Index n = 0; n < mesh.point_count(); ++n)
    if (!used[static_cast<std::size_t>(n)]) report.unused_points.push_back(n);
}

// Elements are compared by their sorted nodes, in buckets of equal smallest node.
void check_duplicates(const Mesh& mesh, MeshReport& report) {
  for (const ElementBlock& block : mesh.blocks) {
    const auto per = static_cast<std::size_t>(nodes_per_element(block.type));
    std::vector<Index> sorted = block.nodes;
    for (std::size_t i = 0; i < sorted.size(); i += per)
      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(i),
                sorted.begin() + static_cast<std::ptrdiff_t>(i + per));
    const auto key = [&](Index e) {
      return std::span<const Index>(sorted).subspan(static_cast<std::size_t>(e) * per, per);
    };
    std::vector<Index> order(static_cast<std::size_t>(block.size()));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      const auto x = key(a), y = key(b);
      const auto [p, q] = std::mismatch(x.begin(), x.end(), y.begin());
      return p != x.end() ? *p < *q : a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
      if (std::ranges::equal(key(order[i - 1]), key(order[i])))
        report.duplicates.push_back({ElementId{block.type, order[i - 1]}, {block.type, order[i]}});
  }
  std::sort(report.duplicates.begin(), report.duplicates.end());
}

ElementId id_of(const Mesh& mesh, Index element) {
  for (const ElementBlock& block : mesh.blocks) {
    if (element < block.size()) return {block.type, element};
    element -= block.size();
  }
  return {};
}

void check_faces(const Mesh& mesh, MeshReport& report) {
  const FaceTable table = make_faces(mesh);
  for (std::size_t g = 0; g + 1 < table.group_begin.size(); ++g) {
    const auto first = static_cast<std::size_t>(table.group_begin[g]);
    if (table.group_begin[g + 1] - table.group_begin[g] > 2)
      report.crowded_faces.push_back({id_of(mesh, table.uses[first].element),
                                      id_of(mesh, table.uses[first + 1].element),
                                      id_of(mesh, table.uses[first + 2].element)});
  }
  std::sort(report.crowded_faces.begin(), report.crowded_faces.end());
}

bool badly_shaped(ElementType type, std::span<const Vec3> x, const JacobianRange& jacobian) {
  if (jacobian.all_min <= 0) return true;
  if (type == ElementType::hex8) return scaled_jacobian(x) < sliver_scaled_jacobian;
  return dihedral_angles(x.first(4)).min < sliver_dihedral;
}

void check_solids(const Mesh& mesh, const ElementBlock& block, MeshReport& report) {
  std::vector<ElementId> inverted;
  Index inside_out = 0;
  for (Index e = 0; e < block.size(); ++e) {
    const ElementPoints points = gather(mesh, block, e);
    const JacobianRange jacobian = jacobian_range(block.type, points.span());
    const double tolerance = flat_tolerance * std::pow(longest_edge(block.type, points.span()), 3);
    if (std::abs(jacobian.inside_min) <= tolerance || std::abs(jacobian.inside_max) <= tolerance)
      report.flat.push_back({block.type, e});
    else if (jacobian.inside_min < 0)
      inverted.push_back({block.type, e});
    else if (badly_shaped(block.type, points.span(), jacobian))
      report.slivers.push_back({block.type, e});
    if (jacobian.inside_max < -tolerance) ++inside_out;
  }
  if (inside_out == block.size() && block.size() > 0)
    report.flipped.push_back(block.type);
  else
    report.inverted.insert(report.inverted.end(), inverted.begin(), inverted.end());
}

void check_flat(const Mesh& mesh, const ElementBlock& block, MeshReport& report) {
  for (Index e = 0; e < block.size(); ++e) {
    const ElementPoints points = gather(mesh, block, e);
    const double longest = longest_edge(block.type, points.span());
    const double scale = dimension(block.type) == 1 ? 0 : longest * longest;
    if (!(measure(block.type, points.span()) > flat_tolerance * scale))
      report.flat.push_back({block.type, e});
  }
}

}  // namespace

MeshReport check(const Mesh& mesh) {
  MeshReport report;
  report.empty = mesh.points.empty() || mesh.element_count() == 0;
  check_points(mesh, report);
  check_indices(mesh, report);
  if (!report.topology_sound()) return report;
  check_unused(mesh, report);
  check_duplicates(mesh, report);
  check_faces(mesh, report);
  for (const ElementBlock& block : mesh.blocks)
    if (dimension(block.type) == 3)
      check_solids(mesh, block, report);
    else
      check_flat(mesh, block, report);
  return report;
}

}  // namespace pliant
