// Where surfaces pass through each other or touch: edges through triangles, decided by exact
// orientations; what is thick or beyond a plane, by its distance. For the start of a run, which
// must be free of it.
#pragma once

#include <pliant/contact/contact_surface.hpp>

namespace pliant {

struct Intersection {
  std::string first, second;  // patches or planes
  Vec3 place;                 // m
  // How far the two have to move apart, m. Of an edge through a triangle: along the normal of the
  // triangle until one end of the edge is no longer behind it; 0 and below: they only touch.
  double depth = 0;
  Vec3 away = Vec3::Zero();  // the way that the first would go, of length one; 0: unknown
  Index first_patch = -1, second_patch = -1;               // −1: a plane
  std::vector<Index> first_nodes = {}, second_nodes = {};  // of the features that meet
};

// In a fixed order; pairs that share a node or may pass through each other are left out. What is
// nearer than `near`, m, counts as touching.
std::vector<Intersection> find_intersections(const ContactSurface& surface,
                                             std::span<const double> q, double near = 0);

// The sign of the volume of the tetrahedron a, b, c, d, exactly: positive where d sees a, b, c
// clockwise.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Do the closed segment and the closed triangle have a point in common? Exact but for segments in
// the plane of the triangle, which count as touching where they come nearer than rounding.
bool segment_meets_triangle(const std::array<Vec3, 2>& segment,
                            const std::array<Vec3, 3>& triangle);

}  // namespace pliant
