// What touches or intersects before a run begins: told apart by pair, with place, depth and the
// triangles, or, where the scene allows it, moved apart.
#pragma once

#include <pliant/core/error.hpp>
#include <pliant/io/vtp.hpp>
#include <pliant/scene/build.hpp>

namespace pliant {

// Names every pair. `triangles` are those that meet, with the number of the `pair` as the words
// list them from 0, and of the `body`: bodies as in the scene, obstacles behind them.
class IntersectingStart final : public InfeasibleStart {
 public:
  IntersectingStart(const std::string& words, VtpSurface meeting)
      : InfeasibleStart(words), triangles(std::move(meeting)) {}
  VtpSurface triangles;
};

// Throws IntersectingStart; with contact.allow_initial_intersections only where bodies cannot be
// moved apart. What was moved goes into the log and into built.notes.
void settle_start(const SceneDescription& scene, const Log& log, BuiltScene& built);

}  // namespace pliant
