#include <pliant/sparse/followers.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace pliant {
namespace {

// act(k, i, j) for all blocks of a pattern in which a follower has part.
template <class Act>
void for_follower_blocks(const BlockPattern& pattern, const Followers& followers, Act&& act) {
  std::vector<char> follows(static_cast<std::size_t>(pattern.rows), 0);
  for (const Index n : followers.nodes()) follows[static_cast<std::size_t>(n)] = 1;
  for (Index i = 0; i < pattern.rows; ++i)
    for (Index k = pattern.row_start[static_cast<std::size_t>(i)];
         k < pattern.row_start[static_cast<std::size_t>(i) + 1]; ++k) {
      const Index j = pattern.column[static_cast<std::size_t>(k)];
      if (follows[static_cast<std::size_t>(i)] || follows[static_cast<std::size_t>(j)])
        act(k, i, j);
    }
}

}  // namespace

void Followers::add(Index follower, std::span<const LeaderWeight> leaders) {
  nodes_.push_back(follower);
  leaders_.insert(leaders_.end(), leaders.begin(), leaders.end());
  first_.push_back(static_cast<Index>(leaders_.size()));
  if (static_cast<std::size_t>(follower) >= number_.size())
    number_.resize(static_cast<std::size_t>(follower) + 1, -1);
  number_[static_cast<std::size_t>(follower)] = static_cast<Index>(nodes_.size()) - 1;
}

std::span<const LeaderWeight> Followers::leaders_of(Index node, LeaderWeight& own) const {
  const auto n = static_cast<std::size_t>(node);
  if (n >= number_.size() || number_[n] < 0) {
    own = {node, 1};
    return {&own, 1};
  }
  const auto k = static_cast<std::size_t>(number_[n]);
  return std::span(leaders_).subspan(static_cast<std::size_t>(first_[k]),
                                     static_cast<std::size_t>(first_[k + 1] - first_[k]));
}

void Followers::follow(std::span<double> x) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    Vec3 sum = Vec3::Zero();
    for (Index a = first_[k]; a < first_[k + 1]; ++a) {
      const LeaderWeight& leader = leaders_[static_cast<std::size_t>(a)];
      sum += leader.weight * node(x, leader.node);
    }
    node(x, nodes_[k]) = sum;
  }
}

void Followers::pull_back(std::span<double> f) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Vec3 own = node(f, nodes_[k]);
    if (own.isZero(0)) continue;
    node(f, nodes_[k]).setZero();
    for (Index a = first_[k]; a < first_[k + 1]; ++a) {
      const LeaderWeight& leader = leaders_[static_cast<std::size_t>(a)];
      node(f, leader.node) += leader.weight * own;
    }
  }
}

BlockPattern FollowerPlan::extend(BlockPattern pattern, const Followers& followers) {
  if (followers.empty()) return pattern;
  std::vector<std::array<Index, 2>> couplings;
  for_follower_blocks(pattern, followers, [&](Index, Index i, Index j) {
    if (j > i) return;  // each coupling stands for its mirror
    LeaderWeight one, other;
    for (const LeaderWeight& a : followers.leaders_of(i, one))
      for (const LeaderWeight& b : followers.leaders_of(j, other))
        couplings.push_back({a.node, b.node});
  });
  std::sort(couplings.begin(), couplings.end());
  couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
  return extend_pattern(pattern, std::move(couplings)).pattern;
}

FollowerPlan::FollowerPlan(const Followers& followers, const BlockPattern& pattern) {
  for_follower_blocks(pattern, followers, [&](Index k, Index i, Index j) {
    from_.push_back(k);
    LeaderWeight one, other;
    for (const LeaderWeight& a : followers.leaders_of(i, one))
      for (const LeaderWeight& b : followers.leaders_of(j, other)) {
        moves_.push_back({pattern.find(a.node, b.node), a.weight * b.weight});
        assert(moves_.back().to >= 0);
      }
    first_.push_back(static_cast<Index>(moves_.size()));
  });
}

void FollowerPlan::pull_back(BlockMatrix& A) const {
  using Block = Eigen::Map<Mat3>;
  for (std::size_t k = 0; k < from_.size(); ++k) {
    Block from(A.block(from_[k]));
    if (from.isZero(0)) continue;
    for (const Move& move : moves_of(k)) Block(A.block(move.to)) += move.weight * from;
    from.setZero();
  }
}

void FollowerPlan::pull_back(NodeMatrix& M) const {
  const std::span<double> m = M.values();
  for (std::size_t k = 0; k < from_.size(); ++k) {
    const double own = std::exchange(m[static_cast<std::size_t>(from_[k])], 0.0);
    for (const Move& move : moves_of(k)) m[static_cast<std::size_t>(move.to)] += move.weight * own;
  }
}

}  // namespace pliant
