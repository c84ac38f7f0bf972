// How rigid bodies get from one place to another: four nodes that keep their shape move by a
// translation, a rotation and what little they are deformed, x = c + R S X. A change δx of their
// positions, which is straight, means the rotation exp(skew(Rᵀ δA)) and the strain sym(Rᵀ δA); gone
// along straight lines instead, a turn by θ would stretch them by θ²/2, and nothing that is stiff
// lets Newton's method go so far. To first order both ways are the same.
#pragma once

#include <pliant/core/types.hpp>

#include <array>
#include <span>
#include <vector>

namespace pliant {

class RigidPath {
 public:
  // Four nodes, the first of which is given, and where they are at rest.
  void add(Index first, const std::array<Vec3, 4>& rest);
  bool empty() const { return frames_.empty(); }
  // `to` was reached from `from` along straight lines and is brought to where the rotations lead.
  void bend(std::span<const double> from, std::span<double> to) const;

 private:
  struct Frame {
    Index first = 0;
    Mat3 inverse = Mat3::Identity();  // of the edges at rest
  };
  std::vector<Frame> frames_;
};

}  // namespace pliant
