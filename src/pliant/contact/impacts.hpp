// What is hit on the straight way from q to q + dq, where, and which way it pushes: the rows of
// contact as constraints. A row is linear in the positions,
//   gap(x) = n · Σ_i w_i x_i − thickness,
// with weights and normal of the pair at the moment of the hit: there the pair has not passed
// through itself yet, so the normal points to the right side however deep the end of the way lies.
//
// A pair that slides over a flat region comes near the edges of triangles ahead of it, at a slant.
// Taken as rows these would stop it. So of all hits of a point on a patch only the first is
// reported, which is the one that holds it up; what is still hit once that row is heeded comes up
// when the way that heeds it is looked at. Edges are for the end, once no point brings a row any
// more, for the same reason. What is thick, a ball or a rod, meets many at once, and each at its
// own slant: there all are reported.
#pragma once

#include <pliant/contact/broad_phase.hpp>

namespace pliant {

struct Impact {
  PairKind kind = PairKind::point_triangle;
  bool plane = false;  // then second is the number of a plane, and the row is exact
  CandidatePair pair;
  std::array<Index, 4> nodes = {0, 0, 0, 0};
  Eigen::Vector4d w = Eigen::Vector4d::Zero();
  Vec3 normal = Vec3::Zero();  // from the second side to the first
  double thickness = 0;        // m, the radii of both
  double time = 0;             // in [0, 1]
  double gap_then = 0;         // m
  bool through = false;        // half of the gap that there was, or is wanted, is gone on the way

  int points() const { return plane ? 2 : points_of(kind); }
  double gap(std::span<const double> q) const;
  bool same_pair(const Impact& other) const {
    return kind == other.kind && plane == other.plane && pair == other.pair;
  }
};

// What meets what, by name.
std::string names_of(const ContactSurface& surface, const Impact& impact);

class ImpactFinder {
 public:
  // What comes nearer than `margin`, m, above 0, counts as hit. The surface must outlive this.
  ImpactFinder(const ContactSurface& surface, double margin);

  // What points hit: planes, triangles, balls and rods. In a fixed order, the same for any number
  // of threads. Pairs that are nearer than the margin at q count as hit once they come nearer
  // still.
  void find_points(std::span<const double> q, std::span<const double> dq, std::vector<Impact>& out);
  // What edges hit, on the way that was last looked at for points.
  void find_edges(std::span<const double> q, std::span<const double> dq,
                  std::vector<Impact>& out) const;

  // Whether the points x of its pair come too near on their way dx; then the row is known.
  bool meets(const PairPoints& x, const PairPoints& dx, Impact& impact) const;

  // The distance at q less the radii, negative on the other side than the row's.
  double true_gap(const Impact& impact, std::span<const double> q) const;

 private:
  void find_planes(std::span<const double> q, std::span<const double> dq,
                   std::vector<Impact>& out) const;
  void find_pairs(PairKind kind, std::span<const double> q, std::span<const double> dq,
                  std::vector<Impact>& out) const;
  void keep_first(std::vector<Impact>& hits) const;
  void find_candidates(std::span<const double> q, std::span<const double> dq);

  const ContactSurface& surface_;
  double margin_;
  BroadPhase broad_;
  Candidates candidates_;
  // They serve all ways from near `from_` to near `to_`: those of a correction are alike.
  Vector from_, to_;
  double room_ = -1;  // m, in each coordinate
};

}  // namespace pliant
