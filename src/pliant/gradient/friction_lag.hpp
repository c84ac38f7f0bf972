// How friction depends on where its normal forces and directions were found
// (contact/friction_set.hpp). Each contact feels a handful of nodes, and what it makes of them is a
// smooth function of their places: differences over these nodes alone.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

struct ContactSet;

class FrictionLag {
 public:
  explicit FrictionLag(const System& system) : system_(system) {}

  // ∂f/∂x of the friction at c, with what presses found at x among the contacts `set`: blocks over
  // nodes that follow nothing. A part of f that depends on q or v otherwise is not in it.
  void derivative(const Configuration& c, const Vector& x, const ContactSet& set,
                  std::vector<NodeBlock>& out);

 private:
  void add_group(const Configuration& c, const ContactSet& group, std::vector<NodeBlock>& out);
  void add_block(Index row, Index column, const Mat3& block, std::vector<NodeBlock>& out) const;

  const System& system_;
  Vector x_, f_;
};

}  // namespace pliant
