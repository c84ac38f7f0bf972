// Nodes that go with others: x_i = Σ_a w_a x_a with constant weights, for surfaces of rigid bodies,
// embedded surfaces and skins. Forces and stiffness on a follower go over to its
// leaders; since the mapping is linear it has no geometric stiffness of its own, straight paths
// stay straight, and every linear combination of states in which followers follow is such a state
// again.
#pragma once

#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

struct LeaderWeight {
  Index node = 0;
  double weight = 0;
};

class Followers {
 public:
  // Leaders follow nothing themselves.
  void add(Index follower, std::span<const LeaderWeight> leaders);

  bool empty() const { return nodes_.empty(); }
  std::span<const Index> nodes() const { return nodes_; }
  // What stands for a node: its leaders, or itself alone, kept in `own`.
  std::span<const LeaderWeight> leaders_of(Index node, LeaderWeight& own) const;

  void follow(std::span<double> x) const;     // x_i ← Σ w_a x_a
  void pull_back(std::span<double> f) const;  // f_a += w_a f_i, f_i ← 0

 private:
  std::vector<Index> nodes_, first_ = {0};  // where the leaders of each begin; one more
  std::vector<LeaderWeight> leaders_;
  std::vector<Index> number_;  // of each node among the followers, −1: it is none
};

// Matrices over one pattern: A ← Wᵀ A W with x = W x_leaders, zeros where followers were.
class FollowerPlan {
 public:
  // The pattern with all blocks that pulling back needs.
  static BlockPattern extend(BlockPattern pattern, const Followers& followers);

  FollowerPlan() = default;
  FollowerPlan(const Followers& followers, const BlockPattern& pattern);

  void pull_back(BlockMatrix& A) const;
  void pull_back(NodeMatrix& M) const;

 private:
  struct Move {
    Index to = 0;
    double weight = 0;
  };
  std::span<const Move> moves_of(std::size_t k) const {
    return std::span(moves_).subspan(static_cast<std::size_t>(first_[k]),
                                     static_cast<std::size_t>(first_[k + 1] - first_[k]));
  }

  std::vector<Index> from_, first_ = {0};  // blocks of followers; where their moves begin
  std::vector<Move> moves_;
};

}  // namespace pliant
