// Meshes of simple shapes, centred on the origin. Solids come as tet4, tet10 or hex8: a regular
// grid for the box, and for round shapes grids with a square core and layers around it (an
// "o-grid"), whose angles stay near those of a cube; tetrahedra come from splitting the hexahedra,
// five to each, so that neighbours agree. All points of a round boundary lie on it, hence volumes
// converge at second order. Every function throws InputError for sizes that are not above zero, for
// element kinds that do not fit the shape, and for more than `generated_element_limit` elements.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

constexpr double generated_element_limit = 2e7;

// Point (i, j, k) is number i + (n_x + 1)(j + (n_y + 1) k), at −L/2 + L i/n along each axis; the
// coordinates of both faces are exact.
struct BoxSpec {
  Vec3 size = Vec3::Ones();  // m
  std::array<Index, 3> cells = {1, 1, 1};
  ElementType element = ElementType::tet4;
  int split =
      5;  // tetrahedra per cell: 5 alternates between neighbours, 6 is the same in all cells
};
Mesh make_box(const BoxSpec& spec);

// For round shapes `size` is the wished mean edge length (of the corner tetrahedra for tet10).
struct SphereSpec {
  double radius = 1, size = 0.25;  // m
  ElementType element = ElementType::tet4;
};
Mesh make_sphere(const SphereSpec& spec);

struct CylinderSpec {                          // along y
  double radius = 1, length = 1, size = 0.25;  // m
  ElementType element = ElementType::tet4;
};
Mesh make_cylinder(const CylinderSpec& spec);

struct CapsuleSpec {                           // along y; `length` of the straight part
  double radius = 1, length = 1, size = 0.25;  // m
  ElementType element = ElementType::tet4;
};
Mesh make_capsule(const CapsuleSpec& spec);

struct TorusSpec {                             // around y; `radius` of the circle of centres
  double radius = 1, tube = 0.25, size = 0.1;  // m
  ElementType element = ElementType::tet4;
};
Mesh make_torus(const TorusSpec& spec);

struct SheetSpec {  // in the plane y = 0, facing +y; triangles with alternating diagonals
  std::array<double, 2> size = {1, 1};  // m, along x and z
  std::array<Index, 2> cells = {1, 1};
  ElementType element = ElementType::tri3;
};
Mesh make_sheet(const SheetSpec& spec);

struct CableSpec {  // the one shape with a place of its own: not centred
  Vec3 from = Vec3::Zero(), to = Vec3::UnitX();  // m
  Index segments = 1;
};
Mesh make_cable(const CableSpec& spec);

// The same mesh with every tet4 made a tet10 whose new nodes are the middles of the edges. Corners
// keep their numbers; middles follow, ordered by the two ends of their edge. A node set takes in
// the middles of edges that have both ends in it.
Mesh make_quadratic(const Mesh& mesh);

}  // namespace pliant
