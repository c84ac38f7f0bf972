// What a point is near: triangles, edges and corners of the surface, each counted as often as it
// should be. A sum over all triangles near a point would count the edge or corner that it is near
// once for every triangle around it, and push sideways over flat regions, where the neighbours of
// the nearest triangle are seen at a slant. Inclusion and exclusion over the surface,
//   Σ_triangles − Σ_edges (t − 1) + Σ_corners (1 + t − e),    each standing for its nearest part,
// t and e the triangles and edges at it, so that inner edges and corners of a surface count once,
// leaves the nearest part alone with weight 1 (after Li et al., Convergent Incremental Potential
// Contact, 2023). Parts seen across a valley may keep a negative weight: the sum changes smoothly
// when the nearest part changes, and that needs it. Very near, all triangles are guarded for
// themselves (contact_set.hpp).
#pragma once

#include <pliant/contact/broad_phase.hpp>
#include <pliant/contact/nearest.hpp>

namespace pliant {

inline constexpr double guard_range = 0.1;  // of δ

struct PointFeature {
  PairKind kind = PairKind::point_triangle;
  Index number = 0;  // of a triangle, an edge or a point of the surface
  double weight = 0;
  double range = 1;  // of δ: the distance within which it acts
};

class PointFeatures {
 public:
  struct Lists {  // memory that goes from one point to the next
    std::vector<PointFeature> features;
    std::vector<Index> edges, corners;  // parts of the triangles at hand
  };

  // Of all triangles that may be near one point, within δ. The lists must outlive this.
  PointFeatures(const ContactSurface& surface, double delta,
                std::span<const CandidatePair> triangles, std::span<const double> q, Lists& lists);
  std::span<const PointFeature> features() const { return lists_.features; }
  double smallest_gap() const { return smallest_; }

 private:
  void add_triangle(Index point, Index triangle, std::span<const double> q);
  void note_parts(Index node, Index triangle);
  void add_edge(Index point, Index edge, std::span<const double> q);
  void add_corner(Index point, Index corner, std::span<const double> q);
  void merge();
  double thickness(Index point, Index patch) const;

  const ContactSurface& surface_;
  double delta_;
  Lists& lists_;
  double smallest_ = std::numeric_limits<double>::infinity();  // gap so far
};

}  // namespace pliant
