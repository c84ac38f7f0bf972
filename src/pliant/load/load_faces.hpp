// The surface of a body as weighted triangles whose sums are right for its elements: a third of
// each triangle on each of its corners then gives the work-equivalent load of a constant traction.
//   tet4:  the face itself;
//   hex8:  both ways of cutting the quadrilateral, half each: a quarter of the load on each corner;
//   tet10: 4/3 of its four small triangles less 1/3 of the large one (Richardson's extrapolation):
//   a
//          third of the load on each middle node, none on the corners.
#pragma once

#include <pliant/mesh/surface.hpp>

namespace pliant {

struct LoadFaces {
  std::vector<std::array<Index, 3>> triangles;
  std::vector<double> weights;
  void add(Index a, Index b, Index c, double weight) {
    triangles.push_back({a, b, c});
    weights.push_back(weight);
  }
};

// Faces all of whose nodes are chosen; node numbers become the mesh's plus `first_node`.
LoadFaces make_load_faces(const Mesh& mesh, const Surface& surface, const std::vector<bool>& chosen,
                          Index first_node);

}  // namespace pliant
