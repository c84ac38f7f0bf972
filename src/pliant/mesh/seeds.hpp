// The first points that the mesher puts on a surface: at least a few on every connected part, apart
// by about the wished edge length, or by a fraction of the part where that is smaller. Refinement
// spreads from them, so a part without any would be left out. Private to the module.
#pragma once

#include <pliant/mesh/mesher.hpp>

namespace pliant::mesher {

struct Seed {
  Vec3 inside, outside;  // m, the ends of a short segment that crosses the surface
};
std::vector<Seed> make_seeds(const TriangleSoup& surface, double size);

// From the edges of a lattice over the bounds that cross the surface; parts smaller than 1/96 of
// the bounds or half the size may be missed.
std::vector<Seed> make_seeds(const Sdf& body, const SdfBounds& bounds, double size);

}  // namespace pliant::mesher
