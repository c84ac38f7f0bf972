// From the vertex caches of a scene to tracks of nodes. Private to the module.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/scene/description.hpp>

namespace pliant {

// Nodes that a cache shall move: numbers among all vertices of a mesh, or, where the cache has but
// the vertices on the surface of a solid, as `pliant export` writes them, among those.
struct CachedNodes {
  std::span<const Index> chosen;  // of the mesh
  std::size_t vertices = 0;       // of the mesh, in all
  const Surface* surface = nullptr;
  std::string_view owner;  // for messages: body "beam"
};

// Throws InputError where the cache cannot be read or has other numbers of vertices.
std::shared_ptr<const PointTracks> make_tracks(const CacheDescription& cache,
                                               const CachedNodes& nodes);

// The motion of a pin, with tracks where a cache gives it. The nodes are the system's.
Motion pin_motion(const PinDescription& pin, const Body& body, std::span<const Index> nodes);
// The same of an obstacle of so many vertices.
Motion obstacle_motion(const ObstacleDescription& obstacle, Index vertices);

}  // namespace pliant
