// A tree of boxes: which of many boxes overlap a given one. Its shape comes from a median split and
// is kept while the boxes move (bodies deform, neighbours stay neighbours); only the boxes of the
// inner nodes are made anew. Once moving has made it bad, it is built again. Nodes stand in the
// order of a walk through the tree, each with the place where the walk goes on if the node is
// passed over, so that a search needs no stack.
#pragma once

#include <pliant/core/types.hpp>

#include <limits>
#include <vector>

namespace pliant {

struct Box {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vec3& x) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  void add(const Box& box) {
    lower = lower.cwiseMin(box.lower);
    upper = upper.cwiseMax(box.upper);
  }
  void grow(double by) {
    lower.array() -= by;
    upper.array() += by;
  }
  bool overlaps(const Box& other) const {
    return (lower.array() <= other.upper.array()).all() &&
           (other.lower.array() <= upper.array()).all();
  }
  double half_area() const {
    const Vec3 s = upper - lower;
    return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
  }
};

class BoxTree {
 public:
  // The same boxes as before, moved; or others, for which the tree is built. A box with a
  // coordinate that is not finite is in nobody's way: it overlaps nothing.
  void update(std::span<const Box> boxes);

  // take(i) for every box i > after that overlaps, in an order that depends on the tree alone.
  template <class Take>
  void for_each_overlap(const Box& box, Take&& take, Index after = -1) const {
    for (std::size_t k = 0; k < nodes_.size();) {
      const Node& node = nodes_[k];
      if (node.last <= after || !node.box.overlaps(box)) {
        k = static_cast<std::size_t>(node.next);
        continue;
      }
      for (Index i = node.first; i < node.end; ++i) {
        const Index item = order_[static_cast<std::size_t>(i)];
        if (item > after && boxes_[static_cast<std::size_t>(item)].overlaps(box)) take(item);
      }
      ++k;
    }
  }

  std::size_t size() const { return boxes_.size(); }
  int builds() const { return builds_; }

 private:
  struct Node {
    Box box;
    Index next = 0;            // where a walk goes on that passes this node over
    Index first = 0, end = 0;  // of order_; empty for inner nodes
    Index last = -1;           // the greatest number of a box in it
  };
  void build();
  void split(Index first, Index end);
  void refit();

  std::vector<Box> boxes_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
  double built_area_ = 0;
  int builds_ = 0;
};

}  // namespace pliant
