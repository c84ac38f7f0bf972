// Contacts while a stage is solved: a list of the pairs that are near serves the collision
// detection along a way that Newton's method goes, every configuration on it, and the ways that
// follow while they stay near. The matrix of the stage gets the blocks that contacts couple beside
// those of the system; they stay for a while, so that a solver need not analyse a new pattern
// whenever a contact comes or goes.
#pragma once

#include <pliant/contact/friction_term.hpp>
#include <pliant/contact/near_pairs.hpp>
#include <pliant/system/system.hpp>

#include <optional>

namespace pliant {

class ContactDetector {
 public:
  using Couplings = std::vector<std::array<Index, 2>>;

  ContactDetector(const BarrierTerm& term, std::shared_ptr<const BlockPattern> pattern);

  // Before another stage: what follows is the same whatever came before.
  void start_anew();
  // The way from q to q + dq, or q alone where dq is empty.
  void look_along(std::span<const double> q, std::span<const double> dq);
  // How much of the way is safe to go.
  double safe_step(std::span<const double> q, std::span<const double> dq) const;
  // The contacts at a configuration on the way; valid until the next call. A tangent follows the
  // residual at the same place: they are not searched for twice.
  const ContactSet& contacts(const Configuration& c);

  // Of these contacts the one with the smallest gap, by the names of what meets.
  std::string nearest_pair(const Configuration& c);

  // A pattern with blocks for these contacts: the last one while it has them. `friction` may be
  // null.
  const std::shared_ptr<const BlockPattern>& pattern_for(const ContactSet& set,
                                                         const FrictionSet* friction);
  // What the pattern has beside the system's own, so that a resumed run goes on with the same.
  const Couplings& couplings() const { return couplings_; }
  void set_couplings(Couplings couplings);
  // A += scale · base, `base` over the system's own pattern and A over pattern_for's.
  void add_base(const BlockMatrix& base, BlockMatrix& A) const;

 private:
  const BarrierTerm& term_;
  NearPairs near_;
  ContactSet set_;
  std::vector<double> found_at_;  // q of set_; empty: of none
  Couplings couplings_;
  std::shared_ptr<const BlockPattern> base_, pattern_;
  std::vector<Index> place_;  // of the base's blocks in pattern_; empty while they are the same
};

// As numbers of a checkpoint, [c, pairs…]; what is taken goes from the front of `memory`.
void append(const ContactDetector::Couplings& couplings, std::vector<double>& memory);
ContactDetector::Couplings take_couplings(std::span<const double>& memory);

}  // namespace pliant
