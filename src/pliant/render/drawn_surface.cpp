#include <pliant/render/drawn_surface.hpp>

#include <pliant/core/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr std::size_t kBlock = 4096;  // triangles

Vec3 area_vector(const std::array<Index, 3>& t, std::span<const Vec3> points) {
  const auto at = [&](int k) -> const Vec3& {
    return points[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
  };
  return 0.5 * (at(1) - at(0)).cross(at(2) - at(0));
}

// Whether two nodes of an element are joined by one of its own edges, or by half of one.
bool joined(ElementType type, int i, int j) {
  if (i > j) std::swap(i, j);
  switch (type) {
    case ElementType::hex8: {
      constexpr std::array<std::array<int, 2>, 12> edges = {{{0, 1},
                                                             {1, 2},
                                                             {2, 3},
                                                             {0, 3},
                                                             {4, 5},
                                                             {5, 6},
                                                             {6, 7},
                                                             {4, 7},
                                                             {0, 4},
                                                             {1, 5},
                                                             {2, 6},
                                                             {3, 7}}};
      return std::find(edges.begin(), edges.end(), std::array<int, 2>{i, j}) != edges.end();
    }
    case ElementType::quad4:
      return j - i != 2;
    case ElementType::tet10:
      return i < 4;  // from a corner; between two middles lies an inner line
    default:
      return true;
  }
}

struct Element {
  ElementType type = ElementType::tet4;
  std::span<const Index> nodes;
};
Element element_of(const Mesh& mesh, Index e) {
  for (const ElementBlock& block : mesh.blocks) {
    if (e < block.size()) return {block.type, block.element(e)};
    e -= block.size();
  }
  return {};
}

std::uint8_t wires_of(const Element& element, const std::array<Index, 3>& triangle) {
  std::array<int, 3> local{};
  for (std::size_t k = 0; k < 3; ++k)
    local[k] = static_cast<int>(std::find(element.nodes.begin(), element.nodes.end(), triangle[k]) -
                                element.nodes.begin());
  unsigned bits = 0;
  for (std::size_t k = 0; k < 3; ++k)
    bits |= static_cast<unsigned>(joined(element.type, local[k], local[(k + 1) % 3])) << k;
  return static_cast<std::uint8_t>(bits);
}

// The corners around each point, in the order of the triangles.
struct Fans {
  std::vector<std::uint32_t> first;
  std::vector<Index> triangles;
};
Fans make_fans(std::span<const std::array<Index, 3>> triangles, Index points) {
  Fans fans;
  fans.first.assign(static_cast<std::size_t>(points) + 1, 0);
  for (const auto& t : triangles)
    for (const Index n : t) ++fans.first[static_cast<std::size_t>(n) + 1];
  for (std::size_t n = 1; n < fans.first.size(); ++n) fans.first[n] += fans.first[n - 1];
  fans.triangles.resize(3 * triangles.size());
  std::vector<std::uint32_t> next(fans.first.begin(), fans.first.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const Index n : triangles[t])
      fans.triangles[next[static_cast<std::size_t>(n)]++] = static_cast<Index>(t);
  return fans;
}

void add_tubes(const Tubes& tubes, Index first, DrawnSurface& drawn) {
  for (std::size_t t = 0; t < tubes.triangles().size(); ++t) {
    const auto& [a, b, c] = tubes.triangles()[t];
    const Thread& thread = tubes.threads()[static_cast<std::size_t>(tubes.thread_of_triangle()[t])];
    drawn.triangles.push_back({first + a, first + b, first + c});
    drawn.wires.push_back(0);
    drawn.body.push_back(thread.body >= 0 ? thread.body : body_of_thread(thread.kind));
  }
}

void find_skins(std::span<const Vec3> points, double crease, DrawnSurface& drawn) {
  const double least = std::cos(crease * std::numbers::pi / 180);
  std::vector<Vec3> normals;
  for (const auto& t : drawn.triangles)
    normals.push_back(area_vector(t, points).stableNormalized());
  const Fans fans = make_fans(drawn.triangles, drawn.points);
  drawn.first.push_back(0);
  for (std::size_t t = 0; t < drawn.triangles.size(); ++t)
    for (const Index n : drawn.triangles[t]) {
      const auto node = static_cast<std::size_t>(n);
      for (std::uint32_t k = fans.first[node]; k < fans.first[node + 1]; ++k) {
        const auto other = static_cast<std::size_t>(fans.triangles[k]);
        if (other == t || normals[t].dot(normals[other]) > least)
          drawn.smooth.push_back(static_cast<Index>(other));
      }
      drawn.first.push_back(static_cast<std::uint32_t>(drawn.smooth.size()));
    }
}

}  // namespace

DrawnSurface make_drawn_surface(const Mesh& mesh, const Surface& surface,
                                std::span<const Index> first_nodes,
                                const ObstacleTriangles& obstacles, const TubeTriangles& threads,
                                double crease) {
  DrawnSurface drawn;
  drawn.triangles = surface.triangles;
  drawn.points = mesh.point_count();
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const std::array<Index, 3>& triangle = surface.triangles[t];
    drawn.wires.push_back(wires_of(element_of(mesh, surface.element[t]), triangle));
    const auto body = std::upper_bound(first_nodes.begin(), first_nodes.end(), triangle[0]);
    drawn.body.push_back(
        static_cast<Index>(std::max<std::ptrdiff_t>(0, body - first_nodes.begin() - 1)));
  }
  for (const auto& [a, b, c] : obstacles.triangles) {
    drawn.triangles.push_back({drawn.points + a, drawn.points + b, drawn.points + c});
    drawn.wires.push_back(0);
    drawn.body.push_back(-1);
  }
  std::vector<Vec3> points = mesh.points;
  points.insert(points.end(), obstacles.points.begin(), obstacles.points.end());
  if (threads.tubes) add_tubes(*threads.tubes, static_cast<Index>(points.size()), drawn);
  points.insert(points.end(), threads.vertices.begin(), threads.vertices.end());
  drawn.points = static_cast<Index>(points.size());
  find_skins(points, crease, drawn);
  return drawn;
}

std::vector<Eigen::Vector3f> corner_normals(const DrawnSurface& surface,
                                            std::span<const Vec3> points) {
  // Weighted by area: small slivers at the seams of a mesh then say little.
  std::vector<Vec3> areas(surface.triangles.size());
  parallel_for_each(areas.size(), kBlock,
                    [&](std::size_t t) { areas[t] = area_vector(surface.triangles[t], points); });
  std::vector<Eigen::Vector3f> normals(3 * surface.triangles.size());
  parallel_for_each(normals.size(), kBlock, [&](std::size_t c) {
    Vec3 sum = Vec3::Zero();
    for (std::uint32_t k = surface.first[c]; k < surface.first[c + 1]; ++k)
      sum += areas[static_cast<std::size_t>(surface.smooth[k])];
    normals[c] = sum.stableNormalized().cast<float>();
  });
  return normals;
}

}  // namespace pliant
