// Solids moved by a few frames, the meshless bodies of TOURNIER Figure 6 (Gilles et al. 2011):
// every node of the mesh goes along with the frames near it,
//   x(X) = Σ_j w_j(X) A_j(X),      Σ_j w_j = 1,
// each A_j an affine map. Since a frame is four particles that carry its map (as those of a rigid
// body carry theirs), x is linear in the particles: nodes follow them, and elements, masses, loads
// and contact are those of any solid, pulled back. All affine motions are reproduced exactly.
#pragma once

#include <pliant/element/mapped_point.hpp>
#include <pliant/sparse/followers.hpp>

#include <vector>

namespace pliant {

struct FramesInput {
  std::vector<Vec3> places;  // m, in the undeformed body
  int power = 2;             // of the weights: larger ones make the parts more of a piece
  double size = 1;           // m, of the body, for a frame that is alone
};

// `count` places among these points, each as far from the others as can be, from the one nearest to
// the middle on.
std::vector<Vec3> spread_frames(std::span<const Vec3> points, std::size_t count);

class FrameSkin {
 public:
  // Four nodes of the system for each frame, from `first` on.
  FrameSkin(const FramesInput& input, Index first);

  Index first() const { return first_; }
  Index end() const { return first_ + 4 * static_cast<Index>(places_.size()); }
  const std::vector<Vec3>& places() const { return places_; }
  std::vector<Vec3> corners() const;  // where the particles are at rest, m

  // A point of the undeformed body by the particles of at most four frames. The weights are those
  // of Franke and Little, w_j ~ (1/d_j − 1/R)^power with R the distance of the fifth frame: they go
  // to zero where another frame takes the place of one.
  MappedPoint point(const Vec3& x) const;

 private:
  std::vector<Vec3> places_;
  std::vector<double> reach_;  // m, of the particles of each frame from its place
  int power_;
  Index first_;
};

}  // namespace pliant
