#include <pliant/sparse/graph_parts.hpp>

#include <algorithm>

namespace pliant {
namespace {

class Halving {
 public:
  Halving(const BlockPattern& pattern, Index most, Index least)
      : pattern_(pattern),
        most_(most),
        least_(least),
        label_(static_cast<std::size_t>(pattern.rows), 0) {
    out_.part.assign(label_.size(), -1);
    out_.start = {0};
  }

  // Ranges of `order_` wait in a list; those of the same range have the same label.
  GraphParts run() {
    order_.resize(label_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<Index>(i);
    waiting_.push_back({0, order_.size()});
    while (!waiting_.empty()) {
      const Range range = waiting_.back();
      waiting_.pop_back();
      split(range);
    }
    return std::move(out_);
  }

 private:
  struct Range {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
  };

  void mark(const Range& range) {
    ++marks_;
    for (std::size_t k = range.begin; k < range.end; ++k) label_[at(k)] = marks_;
  }
  std::size_t at(std::size_t k) const { return static_cast<std::size_t>(order_[k]); }

  // Everything with the label `from` that hangs together with `seed`, in the order of the walk; it
  // gets a new label.
  void walk(Index seed, Index from) {
    ++marks_;
    walk_.assign(1, seed);
    label_[static_cast<std::size_t>(seed)] = marks_;
    for (std::size_t k = 0; k < walk_.size(); ++k) {
      const auto r = static_cast<std::size_t>(walk_[k]);
      for (Index e = pattern_.row_start[r]; e < pattern_.row_start[r + 1]; ++e) {
        const Index n = pattern_.column[static_cast<std::size_t>(e)];
        Index& label = label_[static_cast<std::size_t>(n)];
        if (label != from) continue;
        label = marks_;
        walk_.push_back(n);
      }
    }
  }

  // Takes what hangs together with the first node off the range, whole or in two halves.
  void split(Range range) {
    mark(range);
    walk(order_[range.begin], marks_);
    const std::size_t together = walk_.size();
    if (together > static_cast<std::size_t>(most_)) {
      for (int k = 0; k < 2; ++k) walk(Index(walk_.back()), marks_);
    }
    if (together < range.size()) {  // the rest goes behind
      auto rest = std::stable_partition(
          order_.begin() + static_cast<std::ptrdiff_t>(range.begin),
          order_.begin() + static_cast<std::ptrdiff_t>(range.end),
          [&](Index n) { return label_[static_cast<std::size_t>(n)] == marks_; });
      waiting_.push_back({static_cast<std::size_t>(rest - order_.begin()), range.end});
    }
    std::copy(walk_.begin(), walk_.end(),
              order_.begin() + static_cast<std::ptrdiff_t>(range.begin));
    const std::size_t end = range.begin + together;
    if (together <= static_cast<std::size_t>(most_)) return finish({range.begin, end});
    const std::size_t middle = range.begin + together / 2;
    waiting_.push_back({middle, end});
    waiting_.push_back({range.begin, middle});
  }

  void finish(const Range& range) {
    if (range.size() < static_cast<std::size_t>(least_)) return;
    const Index part = out_.count();
    for (std::size_t k = range.begin; k < range.end; ++k) {
      out_.node.push_back(order_[k]);
      out_.part[at(k)] = part;
    }
    std::sort(out_.node.begin() + out_.start.back(), out_.node.end());
    out_.start.push_back(static_cast<Index>(out_.node.size()));
  }

  const BlockPattern& pattern_;
  Index most_, least_;
  std::vector<Index> label_, order_, walk_;
  std::vector<Range> waiting_;
  Index marks_ = 0;
  GraphParts out_;
};

}  // namespace

GraphParts part_graph(const BlockPattern& pattern, Index most, Index least) {
  return Halving(pattern, most, least).run();
}

}  // namespace pliant
