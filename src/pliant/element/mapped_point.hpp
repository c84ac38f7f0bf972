// A point carried by an element: x(q) = Σ_a N_a x_a with constant weights. Probes, point masses
// and constraints are written in terms of it. Without nodes it is nowhere.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <array>

namespace pliant {

struct MappedPoint {
  int count = 0;
  // As many as an element of second order has, or four frames of four particles.
  std::array<Index, 16> nodes{};
  std::array<double, 16> weights{};

  static MappedPoint of_node(Index n) {
    MappedPoint point;
    point.count = 1, point.nodes[0] = n, point.weights[0] = 1;
    return point;
  }
  Vec3 at(std::span<const double> q) const {
    Vec3 x = Vec3::Zero();
    for (int a = 0; a < count; ++a) x += weights[a] * node(q, nodes[a]);
    return x;
  }
};

struct PointSearch {
  MappedPoint point;
  double distance = 0;  // m, from the point asked for to the one found; 0 inside
  Index element = 0;    // that holds it, over the blocks of the mesh's top dimension in turn
};

// The element of the mesh that holds x, or the one nearest to it. Node numbers are the mesh's own.
PointSearch find_point(const Mesh& mesh, const Vec3& x);

// The same for a point that may be outside and goes along nevertheless: the nearest solid element
// carries it as an affine map of four of its corners. `distance` still says how far outside it is;
// near triangles and segments, which carry nothing beside themselves, the point is the nearest one.
PointSearch attach_point(const Mesh& mesh, const Vec3& x);

}  // namespace pliant
