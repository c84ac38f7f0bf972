// The seam between tetrahedralize.cpp, which checks and finishes, and the mesher of the build:
// tetrahedralize_cgal.cpp or tetrahedralize_none.cpp. Private to the module.
#pragma once

#include <pliant/mesh/mesh.hpp>
#include <pliant/mesh/sdf.hpp>

#include <array>

namespace pliant::mesher {

struct Limits {
  double size = 0;               // m, wished mean edge length
  std::size_t max_vertices = 0;  // give up beyond
};

struct TriangleSoup {
  std::span<const Vec3> points;
  std::span<const std::array<Index, 3>> triangles;
};

// Both throw InputError with a reason that does not yet name the source.
Mesh fill(const TriangleSoup& surface, const Limits& limits);
Mesh fill(const Sdf& body, const SdfBounds& bounds, const Limits& limits);

}  // namespace pliant::mesher
