// The faces of all solid elements, gathered into groups that share the same corners: one element in
// a group means boundary, two an interior face. Private to the module.
#pragma once

#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct FaceUse {
  std::array<Index, 3> others;  // the corners but the smallest, ascending; −1 first for a triangle
  Index element = 0;            // counted over the blocks in order
  std::int8_t face = 0;         // local number, see local_faces()
};

struct FaceTable {
  std::vector<FaceUse> uses;       // grouped: equal faces are neighbours
  std::vector<Index> group_begin;  // first use of each group, and the end
};
FaceTable make_faces(const Mesh& mesh);

// Nodes of the faces of one element, outward; corners only, four or (with −1 last) three.
std::span<const std::array<int, 4>> local_faces(ElementType type);

}  // namespace pliant
