// Objectives that scenes and the command line can say: where a probe ends, and how far from where
// it should.
#pragma once

#include <pliant/gradient/scene_gradient.hpp>

#include <optional>

namespace pliant {

struct ProbeGoal {
  std::string column;            // "tip.y"
  std::optional<double> target;  // m; then half the square of the distance to it counts
};

// Throws InputError where the scene has no such probe of a point.
Objective probe_objective(const BuiltScene& built, const ProbeGoal& goal);

// Where a probe was seen, as a camera has it: half the sum of the squares of the distances to where
// it is at the nearest steps.
struct ProbeTrack {
  std::string probe;
  double dt = 0;           // s, of the steps
  std::vector<double> t;   // s
  std::vector<Vec3> seen;  // m; coordinates that are not finite were not seen
};
Objective track_objective(const BuiltScene& built, const ProbeTrack& track);

}  // namespace pliant
