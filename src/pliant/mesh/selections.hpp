// Sets of nodes chosen by place or by name, in the mesh's own coordinates. Boundaries belong to the
// set, with a tolerance of 1e-9 of the mesh's diagonal, so that a number typed with a few digits
// meets a coordinate that was computed.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <variant>

namespace pliant {

struct SelectAll {};
struct SelectBox {
  Vec3 min, max;  // m
};
struct SelectSphere {
  Vec3 center;
  double radius = 0;  // m
};
struct SelectPlane {  // the side that the normal points to
  Vec3 point, normal;
};
struct SelectRegion {
  std::string name;
};
struct SelectNodeSet {
  std::string name;
};
struct SelectNodes {
  std::vector<Index> ids;
};
using Selection = std::variant<SelectAll, SelectBox, SelectSphere, SelectPlane, SelectRegion,
                               SelectNodeSet, SelectNodes>;

// Ascending, each node once; may be empty. Throws InputError, beginning with `where`, for unknown
// names, node numbers out of range, and shapes that cannot hold anything.
std::vector<Index> select_nodes(const Mesh& mesh, const Selection& selection,
                                std::string_view where = "selection");

// Elements of a region, counted over the blocks in order.
std::vector<Index> select_elements(const Mesh& mesh, std::string_view region,
                                   std::string_view where = "selection");

}  // namespace pliant
