#include <pliant/contact/point_features.hpp>

#include <pliant/contact/axis_gap.hpp>
#include <pliant/contact/contact_set.hpp>

#include <algorithm>
#include <tuple>

namespace pliant {
namespace {

void sort_unique(std::vector<Index>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

double PointFeatures::thickness(Index point, Index patch) const {
  return at(surface_.patches, at(surface_.point_patch, point)).radius +
         at(surface_.patches, patch).radius;
}

PointFeatures::PointFeatures(const ContactSurface& surface, double delta,
                             std::span<const CandidatePair> triangles, std::span<const double> q,
                             Lists& lists)
    : surface_(surface), delta_(delta), lists_(lists) {
  lists_.features.clear(), lists_.edges.clear(), lists_.corners.clear();
  const Index point = triangles.front().first;
  for (const CandidatePair& pair : triangles) add_triangle(point, pair.second, q);
  sort_unique(lists_.edges);
  sort_unique(lists_.corners);
  for (const Index edge : lists_.edges) add_edge(point, edge, q);
  for (const Index corner : lists_.corners) add_corner(point, corner, q);
  merge();
}

void PointFeatures::add_triangle(Index point, Index t, std::span<const double> q) {
  const ContactSurface& s = surface_;
  const Index n = at(s.points, point);
  const auto& corner = at(s.triangles, t);
  const PairPoints x = gather(q, {n, corner[0], corner[1], corner[2]});
  const double thick = thickness(point, at(s.triangle_patch, t));
  if (axis_gap(PairKind::point_triangle, x) - thick >= std::max(delta_, smallest_)) return;
  const Nearest nearest = find_nearest(PairKind::point_triangle, x);
  const double gap = nearest.connection(x).norm() - thick;
  smallest_ = std::min(smallest_, gap);
  if (gap >= delta_) return;
  const auto& w = nearest.w;
  if (nearest.parameters == 2) {
    lists_.features.push_back({PairKind::point_triangle, t, 1});
  } else if (nearest.parameters == 1) {
    const std::size_t side = w[3] == 0 ? 0 : w[1] == 0 ? 1 : 2;
    lists_.features.push_back({PairKind::point_edge, at(s.triangle_edges, t)[side], 1});
  } else {
    const std::size_t k = w[1] != 0 ? 0 : w[2] != 0 ? 1 : 2;
    lists_.features.push_back({PairKind::point_point, at(s.triangle_points, t)[k], 1});
  }
  if (gap < guard_range * delta_) {
    lists_.features.push_back(lists_.features.back());
    lists_.features.back().range = guard_range;
  }
  note_parts(n, t);
}

// Edges and corners of a triangle that is near and shares them, without those that the point is
// part of.
void PointFeatures::note_parts(Index node, Index t) {
  const ContactSurface& s = surface_;
  for (const Index edge : at(s.triangle_edges, t)) {
    const auto& ends = at(s.edges, edge);
    if (s.wings_of(edge).size() > 1 && ends[0] != node && ends[1] != node)
      lists_.edges.push_back(edge);
  }
  for (const Index corner : at(s.triangle_points, t))
    if (at(s.corner_weight, corner) != 0 && at(s.points, corner) != node)
      lists_.corners.push_back(corner);
}

void PointFeatures::add_edge(Index point, Index edge, std::span<const double> q) {
  const auto [i, j] = at(surface_.edges, edge);
  const PairPoints x = gather(q, {at(surface_.points, point), i, j, j});
  const Nearest nearest = find_nearest(PairKind::point_edge, x);
  if (nearest.connection(x).norm() - thickness(point, at(surface_.edge_patch, edge)) >= delta_)
    return;
  const double weight = 1 - static_cast<double>(surface_.wings_of(edge).size());
  if (nearest.parameters == 1)
    lists_.features.push_back({PairKind::point_edge, edge, weight});
  else
    lists_.features.push_back(
        {PairKind::point_point, at(surface_.edge_points, edge)[nearest.w[1] != 0 ? 0 : 1], weight});
}

void PointFeatures::add_corner(Index point, Index corner, std::span<const double> q) {
  const Vec3 r = node(q, at(surface_.points, point)) - node(q, at(surface_.points, corner));
  if (r.norm() - thickness(point, at(surface_.point_patch, corner)) < delta_)
    lists_.features.push_back(
        {PairKind::point_point, corner, static_cast<double>(at(surface_.corner_weight, corner))});
}

// Equal features become one; those that cancel go.
void PointFeatures::merge() {
  const auto key = [](const PointFeature& f) { return std::tuple(f.range, f.kind, f.number); };
  std::sort(lists_.features.begin(), lists_.features.end(),
            [&key](const auto& a, const auto& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < lists_.features.size();) {
    PointFeature sum = lists_.features[k];
    for (++k; k < lists_.features.size() && key(lists_.features[k]) == key(sum); ++k)
      sum.weight += lists_.features[k].weight;
    if (sum.weight != 0) lists_.features[kept++] = sum;
  }
  lists_.features.resize(kept);
}

}  // namespace pliant
