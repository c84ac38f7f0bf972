// What keeps the weights of edges from making energy. A pair of edges weighs as much as its
// directions at the start of the step say (contact_set.hpp), and within a step the potential is one
// function whose gradient is the force. From one step to the next it becomes another: where the
// same pair, as near as before, weighs more than it did, its energy has grown and nothing has paid
// for that, however short the step. So a pair that presses keeps the energy it had, as a share of
// what its new weight would give; less is taken at once. It gets more only where there is energy
// to pay for it with, such as what the step has lost.
#pragma once

#include <pliant/core/types.hpp>

#include <array>
#include <span>
#include <vector>

namespace pliant {

struct ContactSet;

struct EdgeShare {
  std::array<Index, 4> nodes = {0, 0, 0, 0};  // of both edges, as a contact has them
  double share = 1;                           // of its weight, below 1
};

struct EdgeShares {
  std::vector<EdgeShare> pairs;  // by their nodes; those that are not here have all of it

  double of(const std::array<Index, 4>& nodes) const;
};

// The pairs of edges at q, near each other by less than δ: what they had at the end of the step and
// what the next one would give them.
class EdgeRise {
 public:
  EdgeRise() = default;
  EdgeRise(const ContactSet& ended, const ContactSet& next, std::span<const double> q,
           double delta);
  double total() const { return total_; }  // J, that all of them would gain together
  // Where the part `paid` of it is paid for, in [0, 1].
  EdgeShares shares(double paid) const;

 private:
  struct Pair {
    std::array<Index, 4> nodes;
    double had, gets;  // J
  };
  std::vector<Pair> pairs_;  // those that would gain
  double total_ = 0;
};

}  // namespace pliant
