// A motion run forward for a gradient: its states, and what the objective feels of each of them.
#pragma once

#include <pliant/gradient/scene_gradient.hpp>
#include <pliant/scene/description.hpp>

namespace pliant {

struct MotionRecord {
  std::vector<State> states;             // the start first
  std::vector<StateGradient> objective;  // of each; empty vectors where it feels nothing
  double value = 0;
};

// Refuses in words what has no gradient here.
void require_gradient_exists(const SceneDescription& scene, const BuiltScene& built);

// `keep`: whether the states are wanted, or the value alone.
MotionRecord record_motion(const SceneDescription& scene, const BuiltScene& built,
                           const GradientInput& input, bool keep, const Log& log);

}  // namespace pliant
