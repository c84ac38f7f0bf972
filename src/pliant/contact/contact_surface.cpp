#include <pliant/contact/contact_surface.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

constexpr double kFlat = 1e-6;  // the sine between two triangles that counts as none

bool share_a_group(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&b](const std::string& group) {
    return std::find(b.begin(), b.end(), group) != b.end();
  });
}

// Edges without triangles: a cable is as wide as it is thick.
void add_areas_of_lines(double radius, Index first_edge, ContactSurface& s) {
  for (auto e = static_cast<std::size_t>(first_edge); e < s.edges.size(); ++e) {
    if (!s.wings_of(static_cast<Index>(e)).empty()) continue;
    s.edge_area[e] = 2 * radius * std::sqrt(s.edge_length2[e]);
    for (const Index k : s.edge_points[e])
      s.point_area[static_cast<std::size_t>(k)] += 0.5 * s.edge_area[e];
  }
}

}  // namespace

Index ContactSurface::add_patch(const ContactPatch& patch) {
  patches.push_back(patch);
  return static_cast<Index>(patches.size()) - 1;
}

void ContactSurface::finish() {
  touching_.assign(patches.size() * patches.size(), 0);
  for (std::size_t a = 0; a < patches.size(); ++a)
    for (std::size_t b = 0; b < patches.size(); ++b)
      touching_[a * patches.size() + b] =
          a == b ? patches[a].self && !patches[a].obstacle
                 : !(patches[a].obstacle && patches[b].obstacle) &&
                       !share_a_group(patches[a].ignored_groups, patches[b].ignored_groups);
  plane_touching_.clear();
  for (const ContactPatch& patch : patches)
    for (const ContactPlane& plane : planes)
      plane_touching_.push_back(!patch.obstacle &&
                                !share_a_group(patch.ignored_groups, plane.ignored_groups));
  fixed_.clear();
  for (const ContactPlane& plane : planes) fixed_.push_back(plane.node);
  for (std::size_t p = 0; p < points.size(); ++p)
    if (at(patches, point_patch[p]).obstacle) fixed_.push_back(points[p]);
  std::sort(fixed_.begin(), fixed_.end());
  find_lone_parts();
}

void ContactSurface::find_lone_parts() {
  wires.clear(), lone_points.clear();
  std::vector<Index> with_edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (wings_of(static_cast<Index>(e)).empty()) wires.push_back(static_cast<Index>(e));
    with_edges.insert(with_edges.end(), edges[e].begin(), edges[e].end());
  }
  std::sort(with_edges.begin(), with_edges.end());
  for (std::size_t p = 0; p < points.size(); ++p)
    if (!std::binary_search(with_edges.begin(), with_edges.end(), points[p]))
      lone_points.push_back(static_cast<Index>(p));
}

void ContactSurface::add_points(const ContactPatch& patch, std::span<const Index> nodes) {
  const Index number = add_patch(patch);
  for (const Index n : nodes) {
    points.push_back(n);
    point_patch.push_back(number);
    point_area.push_back(0);
    corner_weight.push_back(0);
    flat_point.push_back(0);
  }
}

void ContactSurface::add_edges(const ContactPatch& patch,
                               std::span<const std::array<Index, 2>> more,
                               std::span<const double> rest) {
  std::vector<Index> nodes;
  for (const auto& edge : more) nodes.insert(nodes.end(), edge.begin(), edge.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const auto first_point = static_cast<Index>(points.size());
  add_points(patch, nodes);
  const auto number = [&](Index n) {
    return first_point +
           static_cast<Index>(std::lower_bound(nodes.begin(), nodes.end(), n) - nodes.begin());
  };
  for (const auto& edge : more) {
    edges.push_back(edge);
    edge_points.push_back({number(edge[0]), number(edge[1])});
    edge_patch.push_back(static_cast<Index>(patches.size()) - 1);
    edge_length2.push_back((node(rest, edge[1]) - node(rest, edge[0])).squaredNorm());
    edge_area.push_back(0);
    wing_start_.push_back(static_cast<Index>(wing_nodes_.size()));
    flat_edge.push_back(0);
  }
}

void ContactSurface::add(const ContactPatch& patch, const Surface& surface, Index first_node,
                         std::span<const double> rest) {
  std::vector<std::array<Index, 2>> lines = surface.edges;
  for (auto& edge : lines) edge = {edge[0] + first_node, edge[1] + first_node};
  const auto first_edge = static_cast<Index>(edges.size());
  const std::size_t first_triangle = triangles.size();
  add_edges(patch, lines, rest);

  std::vector<std::vector<Index>> wings(lines.size());
  std::map<std::array<Index, 2>, Index> edge_number;
  for (auto e = static_cast<std::size_t>(first_edge); e < edges.size(); ++e)
    edge_number[edges[e]] = static_cast<Index>(e);
  for (std::array<Index, 3> corners : surface.triangles) {
    for (Index& n : corners) n += first_node;
    const Vec3 a = node(rest, corners[0]), b = node(rest, corners[1]), c = node(rest, corners[2]);
    const double third = (b - a).cross(c - a).norm() / 6;
    std::array<Index, 3> sides{}, numbers{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Index i = corners[k], j = corners[(k + 1) % 3];
      sides[k] = edge_number.at({std::min(i, j), std::max(i, j)});
      const auto e = static_cast<std::size_t>(sides[k]);
      edge_area[e] += third;
      wings[static_cast<std::size_t>(sides[k] - first_edge)].push_back(corners[(k + 2) % 3]);
      numbers[k] = edge_points[e][edges[e][0] == i ? 0 : 1];
      point_area[static_cast<std::size_t>(numbers[k])] += third;
    }
    triangles.push_back(corners);
    triangle_patch.push_back(static_cast<Index>(patches.size()) - 1);
    triangle_edges.push_back(sides);
    triangle_points.push_back(numbers);
  }
  add_wings(first_edge, wings);
  weigh_corners(first_edge, first_triangle);
  add_areas_of_lines(patch.radius, first_edge, *this);
  if (patch.obstacle && !patch.bends) find_flat_parts(first_edge, rest);
}

void ContactSurface::add_wings(Index first_edge, const std::vector<std::vector<Index>>& wings) {
  wing_start_.resize(static_cast<std::size_t>(first_edge) + 1);
  for (const std::vector<Index>& nodes : wings) {
    wing_nodes_.insert(wing_nodes_.end(), nodes.begin(), nodes.end());
    wing_start_.push_back(static_cast<Index>(wing_nodes_.size()));
  }
}

void ContactSurface::weigh_corners(Index first_edge, std::size_t first_triangle) {
  const auto weight = [this](Index point) -> int& {
    return corner_weight[static_cast<std::size_t>(point)];
  };
  for (std::size_t t = first_triangle; t < triangles.size(); ++t)
    for (const Index k : triangle_points[t]) weight(k) = 1;
  for (std::size_t t = first_triangle; t < triangles.size(); ++t)
    for (const Index k : triangle_points[t]) ++weight(k);
  for (auto e = static_cast<std::size_t>(first_edge); e < edges.size(); ++e)
    if (!wings_of(static_cast<Index>(e)).empty())
      for (const Index k : edge_points[e]) --weight(k);
}

void ContactSurface::find_flat_parts(Index first_edge, std::span<const double> rest) {
  const auto first = static_cast<std::size_t>(first_edge);
  for (std::size_t e = first; e < edges.size(); ++e)
    for (const Index k : edge_points[e]) flat_point[static_cast<std::size_t>(k)] = 1;
  for (std::size_t e = first; e < edges.size(); ++e) {
    const Vec3 a = node(rest, edges[e][0]), along = (node(rest, edges[e][1]) - a).normalized();
    const auto inward = [&](Index wing) -> Vec3 {
      const Vec3 r = node(rest, wing) - a;
      return (r - r.dot(along) * along).normalized();
    };
    const std::span<const Index> wings = wings_of(static_cast<Index>(e));
    flat_edge[e] = wings.size() == 2 && (inward(wings[0]) + inward(wings[1])).norm() < kFlat;
    if (flat_edge[e]) continue;
    for (const Index k : edge_points[e]) flat_point[static_cast<std::size_t>(k)] = 0;
  }
}

}  // namespace pliant
