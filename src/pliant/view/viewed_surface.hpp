// The surface of all bodies, and of the obstacles behind them, as the viewer's page draws it: the
// vertices of the boundary alone, numbered anew, with the triangles, the wireframe and what carries
// a value per cell to them. Made once per run; frames hold what moves. The binary form is that of
// docs/viewer-protocol.md.
#pragma once

#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/tubes.hpp>

#include <cstdint>
#include <string>

namespace pliant {

struct BodyNodes {
  std::string name;
  Index first = 0, end = 0;  // nodes of the system
};

struct ViewedBody {
  std::string name;
  std::uint32_t vertices = 0, triangles = 0;
};

struct ViewedSurface {
  // Of each vertex of a body: those of surfaces, ascending, then those of the tubes of cables.
  std::vector<Index> nodes;
  std::vector<float> rest;                              // m, three per vertex
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of vertices
  std::vector<std::array<std::uint32_t, 2>> edges;      // of the elements' faces, no diagonals
  // Of each vertex; obstacles follow bodies, and threads have numbers from kFirstThread on.
  std::vector<std::uint32_t> body;
  std::vector<std::uint8_t> pinned;  // at the start, one per vertex
  std::vector<ViewedBody> bodies;
  // The cells around vertex k are cells[cell_start[k]] up to cells[cell_start[k + 1] − 1].
  std::vector<Index> cell_start, cells;
  std::size_t first_cable = 0, first_thread = 0;  // vertices of tubes

  std::size_t vertices() const { return rest.size() / 3; }
  // Those of obstacles stand behind, and behind these those of threads.
  std::size_t body_vertices() const { return nodes.size(); }
  // A value per cell as one per vertex of a body: the mean of the cells around it.
  void to_vertices(std::span<const double> of_cells, std::span<float> out) const;
  // Values of the bodies' vertices as values of all: obstacles get one that is there already, so
  // that the range stays that of the bodies.
  void extend(std::vector<float>& values) const;
};

// The `body` of vertices of springs, tendons, muscles and rods: this, and the number of their kind.
constexpr std::uint32_t kFirstThread = 0xffffff00;

// A mesh with its surface whose nodes are those of the system from `first_node` on; the cells of
// the parts are counted one part after the other.
struct SurfacePart {
  const Mesh* mesh = nullptr;
  const Surface* surface = nullptr;
  Index first_node = 0;
};

// Tubes, those of cables first. Their points are the nodes of the system, and then others.
struct ViewedTubes {
  const Tubes* tubes = nullptr;
  std::span<const Vec3> vertices;
};

// Tubes of cables become vertices of their bodies; those of other threads are left out.
ViewedSurface make_viewed_surface(std::span<const SurfacePart> parts,
                                  std::span<const BodyNodes> bodies, const ViewedTubes& tubes = {});

// Triangles that stand in the way: places where they are drawn first, and the obstacle of each.
struct ViewedObstacles {
  std::span<const Vec3> points;
  std::span<const std::array<Index, 3>> triangles;
  std::vector<Index> first_points;  // of each obstacle, ascending
};
// To be called once, after the bodies.
void add_obstacles(const ViewedObstacles& obstacles, ViewedSurface& surface);
// Writes the places of obstacles behind those of the bodies' vertices.
void place_obstacles(const ViewedSurface& surface, std::span<const Vec3> points,
                     std::vector<float>& positions);

// The tubes that no body has: to be called once, after the obstacles.
void add_threads(const ViewedTubes& tubes, ViewedSurface& surface);
// Writes the places of all tubes; those of all other vertices are there.
void place_tubes(const ViewedSurface& surface, std::span<const Vec3> vertices,
                 std::vector<float>& positions);

std::string encode_surface(const ViewedSurface& surface);

}  // namespace pliant
