// The surface φ = 0 of a function that is negative inside, as a closed mesh of triangles: marching
// tetrahedra (A. Doi, A. Koide, 1991) over a lattice of cubes, each cut into six tetrahedra about
// its diagonal, which fit together from cube to cube. Two triangles meet at every edge, whatever
// the function; what it does between the points of the lattice is not seen.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <functional>

namespace pliant {

struct PolygonizeSpec {
  Eigen::AlignedBox3d bounds;  // m; what reaches out of it is cut off there
  double size = 0;             // m, of a cube, at most
};

// Triangles face to where φ is positive. InputError, which begins with `where`, where the surface
// is nowhere in the bounds, where the function is not a number, and where there would be more than
// 2²⁴ cubes.
Mesh polygonize(const std::function<double(const Vec3&)>& phi, const PolygonizeSpec& spec,
                std::string_view where);

}  // namespace pliant
