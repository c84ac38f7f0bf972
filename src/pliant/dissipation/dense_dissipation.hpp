// Damping that couples all of a body: a part of its tangent is dense and of low rank, that of an
// objective of the stage as well.
#pragma once

#include <pliant/dissipation/dissipation_term.hpp>

namespace pliant {

class DenseDissipation : public DissipationTerm {
 public:
  using DissipationTerm::DissipationTerm;
  bool has_low_rank() const override { return true; }
  // What add_stage_tangent leaves out: columns behind those that are there.
  virtual void add_stage_low_rank(const Configuration& c, const StageForm& form, Tangent scale,
                                  LowRank& out) const = 0;
};

}  // namespace pliant
