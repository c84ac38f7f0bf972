// Around a point the corners of triangles fall into groups: two that share an edge which is not
// sharp belong together. Each group becomes a vertex.
#include <pliant/exports/shading.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace pliant::exports {
namespace {

const double smooth_cosine = std::cos(40 * std::numbers::pi / 180);  // flatter edges are rounded

class Groups {  // disjoint sets
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::size_t> parent_;
};

Vec3 area_normal(const std::vector<Vec3>& x, const std::array<Index, 3>& t,
                 const std::vector<Index>& points) {
  const auto at = [&](std::size_t i) -> const Vec3& {
    return x[static_cast<std::size_t>(points[static_cast<std::size_t>(t[i])])];
  };
  return (at(1) - at(0)).cross(at(2) - at(0));
}

// Joins corners (3 × triangle + place) at both ends of every smooth edge.
void join_smooth(const BodySurface& surface, const std::vector<Vec3>& normals, Groups& corners) {
  struct Side {
    Index low, high;
    std::size_t low_corner, high_corner;
  };
  std::vector<Side> sides;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const Index a = surface.triangles[t][i], b = surface.triangles[t][j];
      sides.push_back(a < b ? Side{a, b, 3 * t + i, 3 * t + j} : Side{b, a, 3 * t + j, 3 * t + i});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.low_corner) < std::tie(b.low, b.high, b.low_corner);
  });
  for (std::size_t k = 1; k < sides.size(); ++k) {
    const Side &a = sides[k - 1], &b = sides[k];
    if (a.low != b.low || a.high != b.high) continue;
    if (normals[a.low_corner / 3].dot(normals[b.low_corner / 3]) < smooth_cosine) continue;
    corners.join(a.low_corner, b.low_corner);
    corners.join(a.high_corner, b.high_corner);
  }
}

}  // namespace

ShadedSurface make_shaded(const BodySurface& surface, const std::vector<Vec3>& frame_points) {
  std::vector<Vec3> normals;
  for (const std::array<Index, 3>& t : surface.triangles)
    normals.push_back(area_normal(frame_points, t, surface.points).stableNormalized());
  Groups corners(3 * surface.triangles.size());
  join_smooth(surface, normals, corners);
  ShadedSurface shaded;
  shaded.name = surface.name;
  std::map<std::size_t, Index> vertex;  // by the first corner of its group
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    std::array<Index, 3>& out = shaded.triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [place, added] =
          vertex.emplace(corners.find(3 * t + i), static_cast<Index>(shaded.points.size()));
      if (added)
        shaded.points.push_back(surface.points[static_cast<std::size_t>(surface.triangles[t][i])]);
      out[i] = place->second;
    }
  }
  return shaded;
}

std::vector<Vec3> ShadedSurface::normals(const std::vector<Vec3>& frame_points) const {
  std::vector<Vec3> sums(points.size(), Vec3::Zero());
  for (const std::array<Index, 3>& t : triangles) {
    const Vec3 normal = area_normal(frame_points, t, points);
    for (const Index v : t) sums[static_cast<std::size_t>(v)] += normal;
  }
  for (Vec3& normal : sums) {
    const double scale = normal.lpNorm<Eigen::Infinity>();
    normal = scale > 0 ? (normal / scale).normalized() : Vec3::UnitY();  // flattened: any will do
  }
  return sums;
}

}  // namespace pliant::exports
