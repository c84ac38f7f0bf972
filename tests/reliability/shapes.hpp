// Bodies and obstacles of the reliability scenes that the library's generators do not make: shapes
// with sharp corners and edges, and thin surfaces with holes.
#pragma once

#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/surface.hpp>

namespace pliant::reliability {

// Four corners, made to face outwards.
Mesh make_tet(const std::array<Vec3, 4>& corners);
// A pyramid of height 1 over a square of side 1 with its tip at the origin, pointing down; `levels`
// times refined, every tetrahedron into eight.
Mesh make_spike(int levels = 0);
// A prism of height 1 and length 1 with an edge along z at the bottom, through the origin.
Mesh make_wedge(int levels = 0);
// Eight corners in the order of hex8, as one element.
Mesh make_stone(const std::array<Vec3, 8>& corners);
Mesh make_cube(double side, Index cells, ElementType element = ElementType::tet4);

void move(Mesh& mesh, const Vec3& by);
void turn(Mesh& mesh, const Vec3& axis, double angle);  // rad, about the origin
Mesh moved(Mesh mesh, const Vec3& by);
Mesh turned(Mesh mesh, const Vec3& axis, double angle);

// A thin surface, or a closed one, of an obstacle.
struct Sheet {
  std::vector<Vec3> points;
  std::vector<std::array<Index, 3>> triangles;

  void add(const Sheet& other);
  void add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
  Surface surface() const;
};

// In the plane y = 0, from −half to half along x and z.
Sheet flat_sheet(double half, Index cells);
// The same with its inner points moved at random and its diagonals at random.
Sheet irregular_sheet(double half, Index cells, unsigned seed);
// A disc of radius `outer` with a hole of radius `inner` in n corners.
Sheet plate_with_hole(double inner, double outer, Index n);
// Two half plates with a crack of this width along z.
Sheet plate_with_crack(double width, double half);
Sheet box_sheet(const Vec3& center, const Vec3& size);
// Around the axis along y, open at both ends: radii at heights, n corners.
Sheet tube(const std::vector<std::array<double, 2>>& radius_and_height, Index n);

}  // namespace pliant::reliability
