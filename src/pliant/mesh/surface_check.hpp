// Whether triangles form a surface that encloses a body: closed, every edge between exactly two
// triangles that agree on which side is out, and the triangles around every point in one ring.
// Intersections of distant triangles are the mesher's to find.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct SurfaceReport {
  using Edge = std::array<Index, 2>;
  std::vector<Edge> open_edges;         // one triangle only
  std::vector<Edge> crowded_edges;      // three triangles or more
  std::vector<Edge> disoriented_edges;  // two triangles that run along it the same way
  std::vector<Index> touching_points;   // where parts of the surface meet in a point
  std::vector<Index> flat_triangles;    // no area, or a repeated node

  bool closed_manifold() const {
    return open_edges.empty() && crowded_edges.empty() && disoriented_edges.empty() &&
           touching_points.empty() && flat_triangles.empty();
  }
};
SurfaceReport check_surface(std::span<const Vec3> points,
                            std::span<const std::array<Index, 3>> triangles);

// Throws InputError, beginning with `source`, that names the first faults of the first kind found.
void require_closed(const SurfaceReport& report, std::string_view source);

}  // namespace pliant
