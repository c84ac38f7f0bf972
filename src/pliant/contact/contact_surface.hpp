// Everything that can touch, as points, edges and triangles over nodes of the system: the surfaces
// of bodies and of obstacles, which are nodes with a prescribed motion. Each comes as a patch with
// its own properties; a patch may be thicker than its geometry (a ball is a point with a radius).
#pragma once

#include <pliant/mesh/surface.hpp>
#include <pliant/sparse/followers.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace pliant {

struct ContactPatch {
  std::string name;
  double radius = 0;      // m, around the geometry
  double modulus = 0;     // Pa, the pressure that it bears; 0 for obstacles
  bool obstacle = false;  // prescribed; two of them never touch
  bool bends = false;     // an obstacle whose nodes move against each other
  bool self = true;       // may it touch itself?
  // Patches that share a group pass through each other.
  std::vector<std::string> ignored_groups = {};
};

// The pressure that contact of a body must bear, for ContactPatch::modulus: that of its material,
// or of the impact of a body of that density (kg/m³) at that speed (m/s) where it is more.
inline double bearing_pressure(double young, double density, double speed) {
  return std::max(young, density * speed * speed);
}

// An infinite plane: a node of the system on it and a fixed normal.
struct ContactPlane {
  std::string name;
  Index node = 0;
  Vec3 normal = Vec3::UnitY();
  std::vector<std::string> ignored_groups = {};
};

// An item by its number in a list.
template <class T>
const T& at(const std::vector<T>& list, Index k) {
  return list[static_cast<std::size_t>(k)];
}

struct ContactSurface {
  std::vector<ContactPatch> patches;
  const Followers* followers = nullptr;  // of the system; null: nothing follows
  std::vector<ContactPlane> planes;

  std::vector<Index> points;  // nodes
  std::vector<Index> point_patch;
  std::vector<double> point_area;  // m², a third of the triangles around it, at rest

  std::vector<std::array<Index, 2>> edges;
  std::vector<std::array<Index, 2>> edge_points;  // numbers of its ends among `points`
  std::vector<Index> edge_patch;
  std::vector<double> edge_length2;  // m², at rest
  std::vector<double> edge_area;     // m², a third of the triangles at it
  std::vector<std::array<Index, 3>> triangles;
  std::vector<Index> triangle_patch;
  std::vector<std::array<Index, 3>> triangle_edges;   // 01, 12, 20
  std::vector<std::array<Index, 3>> triangle_points;  // numbers of its corners among `points`
  // 1 + triangles − edges around it: 1 inside of a surface, 0 at its border, others where sheets
  // meet. Where each triangle near a point counts once, this and the triangles of an edge after its
  // first, taken away, leave one part in all.
  std::vector<int> corner_weight;
  // Inside a flat region of an obstacle: without it the obstacle would be the same, so it touches
  // nothing first. Points of a body bear on the region's triangles, exactly along their normal.
  std::vector<char> flat_point, flat_edge;
  std::vector<Index> wires, lone_points;  // edges without triangles, points without edges

  // Adds triangles, or edges or points alone where there are none, over nodes of the system.
  // `rest` holds all nodes.
  void add(const ContactPatch& patch, const Surface& surface, Index first_node,
           std::span<const double> rest);
  void add_points(const ContactPatch& patch, std::span<const Index> nodes);
  void add_edges(const ContactPatch& patch, std::span<const std::array<Index, 2>> edges,
                 std::span<const double> rest);

  bool empty() const { return points.empty(); }
  // The nodes across its triangles: mostly two, one at a border, none of a wire.
  std::span<const Index> wings_of(Index edge) const {
    const auto e = static_cast<std::size_t>(edge);
    const auto begin = static_cast<std::size_t>(wing_start_[e]);
    return std::span(wing_nodes_)
        .subspan(begin, static_cast<std::size_t>(wing_start_[e + 1]) - begin);
  }
  // May these patches touch at all?
  bool may_touch(Index a, Index b) const {
    return touching_[static_cast<std::size_t>(a) * patches.size() + static_cast<std::size_t>(b)];
  }
  bool meets_plane(Index patch, std::size_t plane) const {
    return plane_touching_[static_cast<std::size_t>(patch) * planes.size() + plane];
  }
  // Is this node's motion prescribed for good, as part of an obstacle?
  bool is_fixed(Index node) const { return std::binary_search(fixed_.begin(), fixed_.end(), node); }
  // What stands for a node in the equations.
  std::span<const LeaderWeight> leaders_of(Index node, LeaderWeight& own) const {
    if (followers) return followers->leaders_of(node, own);
    own = {node, 1};
    return {&own, 1};
  }
  // To be called when all patches are there.
  void finish();

 private:
  Index add_patch(const ContactPatch& patch);
  void add_wings(Index first_edge, const std::vector<std::vector<Index>>& wings);
  void weigh_corners(Index first_edge, std::size_t first_triangle);
  void find_lone_parts();
  void find_flat_parts(Index first_edge, std::span<const double> rest);
  std::vector<Index> wing_start_ = {0}, wing_nodes_;
  std::vector<char> touching_, plane_touching_;
  std::vector<Index> fixed_;  // sorted
};

}  // namespace pliant
