#include <pliant/contact/box_tree.hpp>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kLeaf = 4;     // boxes in a leaf
constexpr double kWorn = 2.0;  // a tree whose inner nodes have grown so much is built anew

Vec3 middle(const Box& box) { return 0.5 * (box.lower + box.upper); }

}  // namespace

void BoxTree::update(std::span<const Box> boxes) {
  bool same = boxes.size() == boxes_.size() && !nodes_.empty();
  boxes_.assign(boxes.begin(), boxes.end());
  std::size_t known = 0;
  for (Box& box : boxes_)
    if (box.lower.allFinite() && box.upper.allFinite())
      ++known;
    else
      box = Box();
  same = same && known == order_.size() && std::all_of(order_.begin(), order_.end(), [&](Index i) {
           return boxes_[static_cast<std::size_t>(i)].lower.allFinite();
         });
  if (!same) return build();
  refit();
  double area = 0;
  for (const Node& node : nodes_) area += node.first == node.end ? node.box.half_area() : 0;
  if (area > kWorn * built_area_) build();
}

void BoxTree::build() {
  ++builds_;
  nodes_.clear();
  order_.clear();
  for (Index i = 0; i < static_cast<Index>(boxes_.size()); ++i)
    if (boxes_[static_cast<std::size_t>(i)].lower.allFinite()) order_.push_back(i);
  if (!order_.empty()) split(0, static_cast<Index>(order_.size()));
  refit();
  built_area_ = 0;
  for (const Node& node : nodes_) built_area_ += node.first == node.end ? node.box.half_area() : 0;
}

// By the median of the middles along the axis on which they are spread most; ties by number, so
// that the tree is the same everywhere.
void BoxTree::split(Index first, Index end) {
  const std::size_t k = nodes_.size();
  nodes_.emplace_back();
  if (end - first <= kLeaf) {
    nodes_[k].first = first, nodes_[k].end = end;
  } else {
    Box middles;
    for (Index i = first; i < end; ++i)
      middles.add(middle(boxes_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]));
    Eigen::Index axis = 0;
    (middles.upper - middles.lower).maxCoeff(&axis);
    const auto before = [&](Index a, Index b) {
      const double x = middle(boxes_[static_cast<std::size_t>(a)])[axis];
      const double y = middle(boxes_[static_cast<std::size_t>(b)])[axis];
      return x < y || (x == y && a < b);
    };
    const Index half = first + (end - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + end, before);
    split(first, half);
    split(half, end);
  }
  nodes_[k].next = static_cast<Index>(nodes_.size());
}

// Children stand behind their parent: from the back every child is ready before its parent.
void BoxTree::refit() {
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    Node& node = nodes_[k];
    node.box = Box();
    for (Index i = node.first; i < node.end; ++i) {
      const Index item = order_[static_cast<std::size_t>(i)];
      node.box.add(boxes_[static_cast<std::size_t>(item)]);
      node.last = std::max(node.last, item);
    }
    if (node.first != node.end) continue;
    for (std::size_t child = k + 1; child < static_cast<std::size_t>(node.next);
         child = static_cast<std::size_t>(nodes_[child].next)) {
      node.box.add(nodes_[child].box);
      node.last = std::max(node.last, nodes_[child].last);
    }
  }
}

}  // namespace pliant
