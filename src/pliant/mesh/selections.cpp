#include <pliant/mesh/selections.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

double tolerance_of(const Mesh& mesh) {
  if (mesh.points.empty()) return 0;
  Vec3 low = mesh.points[0], high = mesh.points[0];
  for (const Vec3& x : mesh.points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return 1e-9 * (high - low).norm();
}

Index region_index(const Mesh& mesh, std::string_view name, std::string_view where) {
  const auto found = std::find(mesh.region_names.begin(), mesh.region_names.end(), name);
  if (found == mesh.region_names.end() && mesh.node_sets.count(std::string(name)) > 0)
    throw InputError(fmt::format(
        "{}: \"{}\" is a node set of the mesh, not a region: select it with \"node_set\"", where,
        name));
  if (found == mesh.region_names.end())
    throw InputError(
        fmt::format("{}: no region \"{}\"{}", where, name, suggestion(name, mesh.region_names)));
  return static_cast<Index>(found - mesh.region_names.begin());
}

class Selector {
 public:
  Selector(const Mesh& mesh, std::string_view where) : mesh_(mesh), where_(where) {}

  std::vector<Index> operator()(const SelectAll&) const {
    return where([](const Vec3&) { return true; });
  }

  std::vector<Index> operator()(const SelectBox& s) const {
    if (!(s.min.array() <= s.max.array()).all())
      throw InputError(fmt::format("{}/box: min must not exceed max", where_));
    const Vec3 slack = Vec3::Constant(tolerance_of(mesh_));
    const Vec3 low = s.min - slack, high = s.max + slack;
    return where([&](const Vec3& x) {
      return (x.array() >= low.array()).all() && (x.array() <= high.array()).all();
    });
  }

  std::vector<Index> operator()(const SelectSphere& s) const {
    if (!(s.radius >= 0))
      throw InputError(
          fmt::format("{}/sphere/radius: must not be negative, got {}", where_, s.radius));
    if (!s.center.allFinite())
      throw InputError(fmt::format("{}/sphere/center: must be finite", where_));
    const double radius = s.radius + tolerance_of(mesh_);
    return where([&](const Vec3& x) { return (x - s.center).norm() <= radius; });
  }

  std::vector<Index> operator()(const SelectPlane& s) const {
    if (!s.normal.allFinite() || !(s.normal.norm() > 0))
      throw InputError(fmt::format("{}/plane/normal: must be finite and not zero", where_));
    if (!s.point.allFinite())
      throw InputError(fmt::format("{}/plane/point: must be finite", where_));
    const Vec3 normal = s.normal.normalized();
    const double slack = tolerance_of(mesh_);
    return where([&](const Vec3& x) { return normal.dot(x - s.point) >= -slack; });
  }

  std::vector<Index> operator()(const SelectRegion& s) const {
    const Index region = region_index(mesh_, s.name, where_);
    std::vector<Index> nodes;
    for (const ElementBlock& block : mesh_.blocks)
      for (Index e = 0; e < block.size(); ++e)
        if (block.region[static_cast<std::size_t>(e)] == region)
          nodes.insert(nodes.end(), block.element(e).begin(), block.element(e).end());
    return unique(std::move(nodes));
  }

  std::vector<Index> operator()(const SelectNodeSet& s) const {
    if (const auto found = mesh_.node_sets.find(s.name); found != mesh_.node_sets.end())
      return unique(found->second);
    if (std::find(mesh_.region_names.begin(), mesh_.region_names.end(), s.name) !=
        mesh_.region_names.end())
      throw InputError(fmt::format(
          "{}: \"{}\" is a region of the mesh, not a node set: select it with \"region\"", where_,
          s.name));
    std::vector<std::string> names;
    for (const auto& [name, set] : mesh_.node_sets) names.push_back(name);
    if (names.empty())
      throw InputError(fmt::format("{}: no node set \"{}\", the mesh has none", where_, s.name));
    throw InputError(
        fmt::format("{}: no node set \"{}\"{}", where_, s.name, suggestion(s.name, names)));
  }

  std::vector<Index> operator()(const SelectNodes& s) const {
    for (const Index n : s.ids)
      if (n < 0 || n >= mesh_.point_count())
        throw InputError(fmt::format("{}/nodes: must be from 0 to {}, got {}", where_,
                                     mesh_.point_count() - 1, n));
    return unique(s.ids);
  }

 private:
  template <class Predicate>
  std::vector<Index> where(Predicate&& holds) const {
    std::vector<Index> nodes;
    for (Index n = 0; n < mesh_.point_count(); ++n)
      if (holds(mesh_.points[static_cast<std::size_t>(n)])) nodes.push_back(n);
    return nodes;
  }
  static std::vector<Index> unique(std::vector<Index> nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  const Mesh& mesh_;
  std::string_view where_;
};

}  // namespace

std::vector<Index> select_nodes(const Mesh& mesh, const Selection& selection,
                                std::string_view where) {
  return std::visit(Selector(mesh, where), selection);
}

std::vector<Index> select_elements(const Mesh& mesh, std::string_view region,
                                   std::string_view where) {
  const Index wanted = region_index(mesh, region, where);
  std::vector<Index> elements;
  Index first = 0;
  for (const ElementBlock& block : mesh.blocks) {
    for (Index e = 0; e < block.size(); ++e)
      if (block.region[static_cast<std::size_t>(e)] == wanted) elements.push_back(first + e);
    first += block.size();
  }
  return elements;
}

}  // namespace pliant
