// The surface of a run's bodies as pictures need it: what does not change while it moves. Which
// faces are shaded as one smooth skin is decided once, on the first shape, so that no edge
// appears or vanishes in the course of a film.
#pragma once

#include <pliant/mesh/mesh.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/tubes.hpp>

#include <cstdint>

namespace pliant {

struct DrawnSurface {
  std::vector<std::array<Index, 3>> triangles;
  std::vector<std::uint8_t> wires;  // of each triangle: bit k, corner k to k + 1 is a mesh edge
  // Of each triangle; −1: an obstacle; −2 and below: a thread of the kind −2 − body.
  std::vector<Index> body;
  // Corner 3 t + k takes its normal from the triangles smooth[first[c]] … smooth[first[c + 1]].
  std::vector<std::uint32_t> first;
  std::vector<Index> smooth;
  Index points = 0;
};

// What stands in the bodies' way: drawn in grey, without the lines of a mesh.
struct ObstacleTriangles {
  std::vector<Vec3> points;                     // follow those of the bodies
  std::vector<std::array<Index, 3>> triangles;  // of these points
};

constexpr Index body_of_thread(ThreadKind kind) { return -2 - static_cast<Index>(kind); }

// What is too thin for a surface of its own.
struct TubeTriangles {
  const Tubes* tubes = nullptr;
  std::vector<Vec3> vertices;  // follow those of obstacles
};

// Bodies given by the first of their points, ascending. Faces that meet at less than `crease`
// degrees are one skin. Triangles are those of `surface`, whose `element` counts cells of `mesh`.
DrawnSurface make_drawn_surface(const Mesh& mesh, const Surface& surface,
                                std::span<const Index> first_nodes,
                                const ObstacleTriangles& obstacles = {},
                                const TubeTriangles& threads = {}, double crease = 60);

// A unit normal per corner for one shape, three per triangle.
std::vector<Eigen::Vector3f> corner_normals(const DrawnSurface& surface,
                                            std::span<const Vec3> points);

}  // namespace pliant
