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

}  // namespace pliant
