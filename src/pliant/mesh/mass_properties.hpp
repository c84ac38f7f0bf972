// Volume, centre and inertia of the body that a closed surface of triangles encloses, of density
// one. By the divergence theorem each triangle stands for the tetrahedron it spans with a point
// inside, with a sign; moments of tetrahedra are polynomials of their corners, so the result is
// exact for polyhedra but for rounding.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct MassProperties {
  double volume = 0;            // m³; the mass of density one
  Vec3 centre = Vec3::Zero();   // of mass, m
  Mat3 inertia = Mat3::Zero();  // about the centre, along the axes of the points, m⁵
};

// Throws InputError, beginning with `source`, that names edges where the surface is open or its
// triangles disagree, and says so where it is inside out or encloses nothing.
MassProperties mass_properties(std::span<const Vec3> points,
                               std::span<const std::array<Index, 3>> triangles,
                               std::string_view source);

struct PrincipalAxes {
  Mat3 axes = Mat3::Identity();  // a rotation; its columns are the axes
  Vec3 moments = Vec3::Zero();   // ascending; inertia = axes · diag(moments) · axesᵀ
};
// Of a symmetric inertia tensor. Each of the first two axes points along its largest entry, so that
// the same tensor always gives the same rotation.
PrincipalAxes principal_axes(const Mat3& inertia);

}  // namespace pliant
