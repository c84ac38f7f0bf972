#include <pliant/sparse/pattern.hpp>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

// Diagonals and mirrors of a pattern whose columns are there.
void link(BlockPattern& pattern) {
  // Rows are visited in order, so the mirrors of column j appear in order too: one sweep suffices.
  pattern.mirror.resize(pattern.column.size());
  std::vector<Index> next(pattern.row_start.begin(), pattern.row_start.end() - 1);
  for (Index i = 0; i < pattern.rows; ++i) {
    for (Index k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(pattern.column[k]);
      pattern.mirror[k] = next[j]++;
      if (static_cast<Index>(j) == i) pattern.diagonal[j] = k;
    }
  }
}

}  // namespace

Index BlockPattern::find(Index i, Index j) const {
  const auto begin = column.begin() + row_start[i];
  const auto end = column.begin() + row_start[i + 1];
  const auto it = std::lower_bound(begin, end, j);
  return it != end && *it == j ? static_cast<Index>(it - column.begin()) : -1;
}

void PatternBuilder::add(std::span<const Index> connectivity, int stencil) {
  stencils_.push_back({{connectivity.begin(), connectivity.end()}, stencil});
}

BlockPattern PatternBuilder::build() const {
  // Which stencils touch each node, as a compressed list: (set, first entry) pairs.
  const auto n = static_cast<std::size_t>(nodes_);
  std::vector<Index> count(n + 1, 0);
  for (const Stencils& s : stencils_)
    for (const Index node : s.nodes) ++count[node + 1];
  std::partial_sum(count.begin(), count.end(), count.begin());
  struct Touch {
    Index set, entry;
  };
  std::vector<Touch> touches(count[n]);
  std::vector<Index> fill(count.begin(), count.end() - 1);
  for (std::size_t k = 0; k < stencils_.size(); ++k) {
    const Stencils& s = stencils_[k];
    for (std::size_t e = 0; e < s.nodes.size(); ++e) {
      const auto entry = static_cast<Index>(e) - static_cast<Index>(e) % s.size;
      touches[static_cast<std::size_t>(fill[s.nodes[e]]++)] = {static_cast<Index>(k), entry};
    }
  }

  BlockPattern pattern;
  pattern.rows = nodes_;
  pattern.row_start.reserve(n + 1);
  pattern.row_start.push_back(0);
  pattern.diagonal.resize(n);
  std::vector<Index> row;
  for (std::size_t i = 0; i < n; ++i) {
    row.assign(1, static_cast<Index>(i));
    for (Index t = count[i]; t < count[i + 1]; ++t) {
      const Touch touch = touches[t];
      const Stencils& s = stencils_[touch.set];
      const auto first = s.nodes.begin() + touch.entry;
      row.insert(row.end(), first, first + s.size);
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.row_start.push_back(pattern.blocks());
  }
  pattern.column.shrink_to_fit();

  link(pattern);
  return pattern;
}

PatternExtension extend_pattern(const BlockPattern& old,
                                std::vector<std::array<Index, 2>> couplings) {
  const std::size_t given = couplings.size();
  for (std::size_t k = 0; k < given; ++k) couplings.push_back({couplings[k][1], couplings[k][0]});
  std::sort(couplings.begin(), couplings.end());
  couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
  PatternExtension out;
  BlockPattern& pattern = out.pattern;
  pattern.rows = old.rows;
  pattern.row_start.push_back(0);
  pattern.diagonal.resize(old.diagonal.size());
  out.place.resize(old.column.size());
  auto next = couplings.begin();
  for (Index i = 0; i < old.rows; ++i) {
    for (Index k = old.row_start[i]; k < old.row_start[i + 1]; ++k) {
      const Index j = old.column[k];
      for (; next != couplings.end() && (*next)[0] == i && (*next)[1] <= j; ++next)
        if ((*next)[1] < j) pattern.column.push_back((*next)[1]);
      out.place[k] = pattern.blocks();
      pattern.column.push_back(j);
    }
    for (; next != couplings.end() && (*next)[0] == i; ++next) pattern.column.push_back((*next)[1]);
    pattern.row_start.push_back(pattern.blocks());
  }
  link(pattern);
  return out;
}

}  // namespace pliant
