// Which pairs may come near each other on the way from q to q + dq: boxes around the way of every
// point, edge and triangle, grown by its radius and the reach, are compared through trees. One list
// serves everything that happens on that way: collision detection, every trial of a line search,
// and the forces at its end.
#pragma once

#include <pliant/contact/box_tree.hpp>
#include <pliant/contact/contact_surface.hpp>
#include <pliant/contact/nearest.hpp>

namespace pliant {

// Numbers of points, edges and triangles in the surface, not nodes.
struct CandidatePair {
  Index first = 0, second = 0;
  friend bool operator==(const CandidatePair&, const CandidatePair&) = default;
};

// The nodes of a pair, the last repeated where there are fewer than four; and the patches that its
// sides belong to.
std::array<Index, 4> nodes_of(const ContactSurface& surface, PairKind kind,
                              const CandidatePair& pair);
std::array<Index, 2> patches_of(const ContactSurface& surface, PairKind kind,
                                const CandidatePair& pair);
// The radii of both sides, m.
double thickness_of(const ContactSurface& surface, PairKind kind, const CandidatePair& pair);

struct Candidates {
  std::vector<CandidatePair> point_triangle;
  std::vector<CandidatePair> edge_edge;    // first < second
  std::vector<CandidatePair> point_edge;   // edges without triangles: cables, capsules
  std::vector<CandidatePair> point_point;  // lone points: particles, balls; first < second

  std::vector<CandidatePair>& of(PairKind kind);
  const std::vector<CandidatePair>& of(PairKind kind) const;
};

class BroadPhase {
 public:
  // `once`: for a single search, which needs no trees over parts of obstacles where no body is.
  enum class Use { often, once };
  // The surface must outlive this.
  explicit BroadPhase(const ContactSurface& surface, Use use = Use::often);
  // Pairs of patches that may touch, without a common node; ordered by the first, and the same for
  // any number of threads. dq may be empty: nothing moves.
  void find(std::span<const double> q, std::span<const double> dq, double reach, Candidates& out);

 private:
  void leave_out_far_obstacles();
  void make_boxes(std::span<const double> q, std::span<const double> dq, double reach);
  // `itself`: the tree holds the queries, and each pair is found once, first < second.
  enum class Among { others, itself };
  template <class Allowed>
  void search(std::span<const Box> queries, const BoxTree& tree, Among among, Allowed&& allowed,
              std::vector<CandidatePair>& out);

  const ContactSurface& surface_;
  Use use_;
  std::vector<Box> points_, edges_, triangles_, wire_boxes_, lone_boxes_;
  Box bodies_;  // around all points of bodies, and so around all that belongs to them
  BoxTree edge_tree_, triangle_tree_, wire_tree_, lone_tree_;
  std::vector<std::vector<CandidatePair>> found_;  // of each block of queries
};

}  // namespace pliant
