// Pins: coordinates that follow a prescribed motion and are not solved for, between two times. A
// pin takes hold of its nodes where they are when it begins, so nothing jumps; the place and time
// of that belong to the state of the simulation.
#pragma once

#include <pliant/core/curve.hpp>
#include <pliant/sparse/block_matrix.hpp>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace pliant {

class PointTracks;  // system/point_tracks.hpp

// A rigid motion x(t) = c + V τ + exp(τ ω) (x₀ − c), τ the time since the pin took hold, until it
// stops; or a curve
// of displacements over the scene's time; or a track of its own for each node, over the scene's
// time as well: its places, or its displacements from where the pin took hold.
struct Motion {
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  // m/s, rad/s
  Vec3 center = Vec3::Zero();                                     // m
  std::optional<Curve> curve;                                     // m
  double until = std::numeric_limits<double>::infinity();         // s, rests from then on
  std::shared_ptr<const PointTracks> tracks = nullptr;            // one per node of the pin
  bool tracks_are_places = true;

  bool at_rest() const {
    return !curve && !tracks && velocity.isZero(0) && angular_velocity.isZero(0);
  }
  // Of the k-th node of the pin.
  Curve::Sample at(const Vec3& anchor, double since, double t, std::size_t k = 0) const;
};

struct Pin {
  std::vector<Index> nodes;
  std::array<bool, 3> axes = {true, true, true};
  Motion motion;
  double from = -std::numeric_limits<double>::infinity();  // s
  double until = std::numeric_limits<double>::infinity();
  bool active_during(double begin, double end) const {
    const double middle = 0.5 * (begin + end);  // it changes at the step's end nearest to its time
    return from <= middle && middle < until;
  }
  // One that rests from the beginning does no work.
  bool works() const { return from > 0 || !motion.at_rest(); }
};

struct PinState {
  bool active = false;
  double since = 0;           // s, when it took hold
  std::vector<Vec3> anchors;  // m, where; one per node of the pin
};

}  // namespace pliant
