#include <pliant/mesh/sharp_edges.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace pliant::mesher {
namespace {

using SharpEdge = std::array<Index, 2>;
using Graph = std::map<Index, std::vector<Index>>;  // sharp neighbours of each point, ascending

Vec3 normal_of(const TriangleSoup& s, std::size_t t) {
  const auto& [a, b, c] = s.triangles[t];
  const auto at = [&](Index n) -> const Vec3& { return s.points[static_cast<std::size_t>(n)]; };
  return (at(b) - at(a)).cross(at(c) - at(a)).normalized();
}

double length(const TriangleSoup& s, Index a, Index b) {
  return (s.points[static_cast<std::size_t>(a)] - s.points[static_cast<std::size_t>(b)]).norm();
}

std::vector<SharpEdge> sharp_edges(const TriangleSoup& surface, double cosine) {
  std::vector<std::pair<SharpEdge, std::size_t>> sides;  // edge and triangle
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(surface.triangles[t][k], surface.triangles[t][(k + 1) % 3]);
      sides.push_back({{a, b}, t});
    }
  std::sort(sides.begin(), sides.end());
  std::vector<SharpEdge> sharp;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i)
    if (sides[i].first == sides[i + 1].first &&
        normal_of(surface, sides[i].second).dot(normal_of(surface, sides[i + 1].second)) < cosine)
      sharp.push_back(sides[i].first);
  return sharp;
}

// Removes connected sets whose edges are shorter in all than `min_length`.
void drop_short(const TriangleSoup& surface, double min_length, Graph& graph) {
  std::map<Index, bool> seen;
  std::vector<Index> dropped;
  for (const auto& [start, unused] : graph) {
    if (seen[start]) continue;
    seen[start] = true;
    std::vector<Index> members = {start};
    double doubled = 0;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const Index n : graph.at(members[i])) {
        doubled += length(surface, members[i], n);
        if (seen[n]) continue;
        seen[n] = true;
        members.push_back(n);
      }
    if (doubled / 2 < min_length) dropped.insert(dropped.end(), members.begin(), members.end());
  }
  for (const Index n : dropped) graph.erase(n);
}

bool is_corner(const TriangleSoup& s, Index n, const std::vector<Index>& around, double cosine) {
  if (around.size() != 2) return true;
  const Vec3& x = s.points[static_cast<std::size_t>(n)];
  const Vec3 in = x - s.points[static_cast<std::size_t>(around[0])];
  const Vec3 out = s.points[static_cast<std::size_t>(around[1])] - x;
  return in.normalized().dot(out.normalized()) < cosine;
}

void remove_edge(Graph& graph, Index a, Index b) {
  std::erase(graph.at(a), b);
  std::erase(graph.at(b), a);
}

// Follows the edges from `start` to the next corner, or around to `start`, and takes them away.
std::vector<Index> walk(Graph& graph, const std::map<Index, bool>& corner, Index start) {
  std::vector<Index> line = {start};
  Index at = start;
  do {
    const Index next = graph.at(at).front();
    remove_edge(graph, at, next);
    line.push_back(next);
    at = next;
  } while (!corner.at(at) && at != start);
  return line;
}

}  // namespace

std::vector<std::vector<Vec3>> sharp_polylines(const TriangleSoup& surface,
                                               const SharpEdges& choice) {
  const double cosine = std::cos(choice.angle * std::numbers::pi / 180);
  Graph graph;
  for (const auto& [a, b] : sharp_edges(surface, cosine)) {
    graph[a].push_back(b);
    graph[b].push_back(a);
  }
  drop_short(surface, choice.min_length, graph);
  std::map<Index, bool> corner;
  for (const auto& [n, around] : graph) corner[n] = is_corner(surface, n, around, cosine);

  std::vector<std::vector<Vec3>> lines;
  const auto take = [&](Index start) {
    std::vector<Vec3>& line = lines.emplace_back();
    for (const Index n : walk(graph, corner, start))
      line.push_back(surface.points[static_cast<std::size_t>(n)]);
  };
  for (const auto& [n, is_end] : corner)
    while (is_end && !graph.at(n).empty()) take(n);
  for (const auto& [n, is_end] : corner)  // what is left are rings without a corner
    if (!graph.at(n).empty()) take(n);
  return lines;
}

}  // namespace pliant::mesher
