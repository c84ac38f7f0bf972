// Obstacles as nodes of the system, and the contact term over bodies and obstacles. Private to the
// module.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

struct ObstacleNodes {
  std::vector<Vec3> nodes;  // of all obstacles, in order
  struct Part {
    Index first = 0, count = 0;  // among the nodes
    Surface surface;             // of boxes, meshes and formulas
  };
  std::vector<Part> parts;  // one per obstacle
};

// Reads and makes what obstacles are made of; `bodies` is the box around all bodies. Throws
// InputError.
ObstacleNodes make_obstacles(const SceneDescription& scene, const Eigen::AlignedBox3d& bodies,
                             const Log& log);

// Pins the obstacles' nodes, which stand behind those of the bodies, and adds contact: as a term of
// the force, or as rules for the correction of steps.
void add_contact(const SceneDescription& scene, const ObstacleNodes& obstacles, BuiltScene& built);

}  // namespace pliant
