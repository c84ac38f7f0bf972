// Obstacles as nodes of the system, and the contact term over bodies and obstacles. Private to the
// module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

struct ObstacleNodes {
  std::vector<Vec3> nodes;  // of all obstacles, in order
  struct Part {
    Index first = 0, count = 0;  // among the nodes
    Surface surface;             // of boxes and meshes
  };
  std::vector<Part> parts;  // one per obstacle
};

// Reads and makes what obstacles are made of. Throws InputError.
ObstacleNodes make_obstacles(const SceneDescription& scene, const Log& log);

// Pins the obstacles' nodes, which stand behind those of the bodies, and adds contact: as a term of
// the force, or as rules for the correction of steps.
void add_contact(const SceneDescription& scene, const ObstacleNodes& obstacles, BuiltScene& built);

// Throws InfeasibleStart where bodies touch or pass through something at the start.
void require_apart(const BuiltScene& built);

}  // namespace pliant
