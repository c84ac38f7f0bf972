#include <pliant/mesh/surface_check.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

using Triangle = std::array<Index, 3>;
using Edge = SurfaceReport::Edge;

struct HalfEdge {
  Edge edge;  // lower node first
  bool forward = true;
  auto operator<=>(const HalfEdge&) const = default;
};

std::vector<HalfEdge> half_edges(std::span<const Triangle> triangles) {
  std::vector<HalfEdge> halves;
  halves.reserve(triangles.size() * 3);
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      halves.push_back({{std::min(a, b), std::max(a, b)}, a < b});
    }
  std::sort(halves.begin(), halves.end());
  return halves;
}

void check_edges(std::span<const Triangle> triangles, SurfaceReport& report) {
  const std::vector<HalfEdge> halves = half_edges(triangles);
  for (std::size_t i = 0; i < halves.size();) {
    std::size_t j = i;
    while (j < halves.size() && halves[j].edge == halves[i].edge) ++j;
    if (j - i == 1) report.open_edges.push_back(halves[i].edge);
    if (j - i > 2) report.crowded_edges.push_back(halves[i].edge);
    if (j - i == 2 && halves[i].forward == halves[i + 1].forward)
      report.disoriented_edges.push_back(halves[i].edge);
    i = j;
  }
}

// Around a point of a closed manifold the opposite edges (b, c) of its triangles form one cycle.
// They are walked from the first; a second cycle means that two parts touch here.
bool one_ring(std::vector<Edge>& links) {
  std::sort(links.begin(), links.end());
  Index at = links[0][1];
  std::size_t steps = 1;
  while (at != links[0][0] && steps <= links.size()) {
    const auto next = std::lower_bound(links.begin(), links.end(), Edge{at, -1});
    if (next == links.end() || (*next)[0] != at)
      return true;  // open or disoriented: said elsewhere
    at = (*next)[1];
    ++steps;
  }
  return steps == links.size();
}

void check_points(std::size_t point_count, std::span<const Triangle> triangles,
                  SurfaceReport& report) {
  std::vector<Index> begin(point_count + 1, 0);
  for (const Triangle& t : triangles)
    for (const Index n : t) ++begin[static_cast<std::size_t>(n) + 1];
  for (std::size_t n = 1; n < begin.size(); ++n) begin[n] += begin[n - 1];
  std::vector<Edge> links(triangles.size() * 3);
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k)
      links[static_cast<std::size_t>(next[static_cast<std::size_t>(t[k])]++)] = {t[(k + 1) % 3],
                                                                                 t[(k + 2) % 3]};
  for (std::size_t n = 0; n < point_count; ++n) {
    std::vector<Edge> ring(links.begin() + begin[n], links.begin() + begin[n + 1]);
    if (!ring.empty() && !one_ring(ring)) report.touching_points.push_back(static_cast<Index>(n));
  }
}

void check_triangles(std::span<const Vec3> points, std::span<const Triangle> triangles,
                     SurfaceReport& report) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec3& a = points[static_cast<std::size_t>(triangles[t][0])];
    const Vec3 u = points[static_cast<std::size_t>(triangles[t][1])] - a;
    const Vec3 v = points[static_cast<std::size_t>(triangles[t][2])] - a;
    const double longest = std::max(u.squaredNorm(), v.squaredNorm());
    // Twice the area over the squared length: a height below 1e-12 of the length is rounding.
    if (!(u.cross(v).norm() > 1e-12 * longest))
      report.flat_triangles.push_back(static_cast<Index>(t));
  }
}

std::string list_edges(const std::vector<Edge>& edges) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(edges.size(), 4); ++i)
    text += fmt::format("{}{}-{}", i ? ", " : "", edges[i][0], edges[i][1]);
  return text + (edges.size() > 4 ? ", …" : "");
}

std::string list_numbers(const std::vector<Index>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 4); ++i)
    text += fmt::format("{}{}", i ? ", " : "", numbers[i]);
  return text + (numbers.size() > 4 ? ", …" : "");
}

}  // namespace

SurfaceReport check_surface(std::span<const Vec3> points, std::span<const Triangle> triangles) {
  SurfaceReport report;
  check_edges(triangles, report);
  check_points(points.size(), triangles, report);
  check_triangles(points, triangles, report);
  return report;
}

void require_closed(const SurfaceReport& report, std::string_view source) {
  const auto refuse = [&](std::string_view fault, std::size_t count, const std::string& which) {
    throw InputError(fmt::format("{}: {} ({} in all: {}; points are counted from 0)", source, fault,
                                 count, which));
  };
  if (!report.open_edges.empty())
    refuse("the surface is open, it has edges with only one triangle", report.open_edges.size(),
           list_edges(report.open_edges));
  if (!report.crowded_edges.empty())
    refuse("the surface is not manifold, it has edges with more than two triangles",
           report.crowded_edges.size(), list_edges(report.crowded_edges));
  if (!report.disoriented_edges.empty())
    refuse("the surface is not consistently oriented, neighbours disagree across edges",
           report.disoriented_edges.size(), list_edges(report.disoriented_edges));
  if (!report.touching_points.empty())
    refuse("the surface touches itself in points", report.touching_points.size(),
           list_numbers(report.touching_points));
  if (!report.flat_triangles.empty())
    refuse("the surface has triangles without area", report.flat_triangles.size(),
           list_numbers(report.flat_triangles));
}

}  // namespace pliant
