// What makes a mesh fit to simulate, and what is repaired on the way in. Readers call
// require_valid() with the file's name; generators and meshers are held to it by their tests.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/mesh/mesh.hpp>

namespace pliant {

struct ElementId {
  ElementType type = ElementType::tet4;
  Index e = 0;  // within the block of its type, from 0
  auto operator<=>(const ElementId&) const = default;
};

// Everything found; lists are ascending. Geometry is looked at only if the topology is sound.
struct MeshReport {
  bool empty = false;  // no points or no elements
  std::vector<Index> nonfinite_points;
  std::vector<ElementId> out_of_range;    // elements with a node or a region that does not exist
  std::vector<ElementId> repeated_nodes;  // elements that use a node twice
  std::vector<std::array<ElementId, 2>> duplicates;
  std::vector<std::array<ElementId, 3>> crowded_faces;  // a face with three solid elements
  std::vector<Index> unused_points;
  std::vector<ElementType> flipped;  // solid blocks in which every element is inside out
  std::vector<ElementId> inverted;   // det J < 0 somewhere inside, not in a flipped block
  std::vector<ElementId> flat;       // no volume, area or length
  std::vector<ElementId> slivers;    // fit to simulate, but badly shaped

  bool topology_sound() const {
    return !empty && nonfinite_points.empty() && out_of_range.empty() && repeated_nodes.empty();
  }
};

constexpr double sliver_dihedral = 2;            // degrees: tetrahedra below are slivers
constexpr double sliver_scaled_jacobian = 0.02;  // hexahedra below are badly shaped

MeshReport check(const Mesh& mesh);

// Throws InputError for what the file got wrong and InfeasibleStart for inverted or flat elements,
// with one sentence that begins with `source`. Repairs what is unambiguous and says so in the log:
// blocks that are inside out altogether are turned, unused points dropped. Returns the new number
// of every old point (−1: dropped), empty where the numbers stayed.
std::vector<Index> require_valid(Mesh& mesh, std::string_view source, const Log& log = {});

// Turns all elements of a solid block inside out.
void flip(ElementBlock& block);

}  // namespace pliant
