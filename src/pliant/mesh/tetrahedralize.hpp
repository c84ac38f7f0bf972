// Fills a closed surface or a signed-distance body with tetrahedra of a wished edge length. The
// mesher itself is CGAL's Mesh_3 (Delaunay refinement, then removal of slivers), an option of the
// build; it runs on one thread from a fixed seed and asks no clock, so the same input gives the
// same mesh. The result is valid (validate.hpp) and numbered along a space-filling curve
// (locality.hpp).
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct Sdf;

constexpr double tet_count_limit = 5e6;  // estimates above are refused

bool mesher_available();

// `surface` is made of tri3 and quad4; it must be closed, manifold, consistently oriented and free
// of self-intersections. A surface that faces inwards is turned. Edges sharper than 60° are kept.
// Throws InputError, beginning with `source`, for bad input and for a build without the mesher.
Mesh fill_surface(const Mesh& surface, double size, std::string_view source, const Log& log = {});

// Edges of the body are rounded off at the scale of `size`.
Mesh fill_sdf(const Sdf& body, double size, std::string_view source, const Log& log = {});

// How many tetrahedra of mean edge length `size` fill a volume, and the other way round.
double estimate_tet_count(double volume, double size);
double size_for_tet_count(double volume, double count);

}  // namespace pliant
