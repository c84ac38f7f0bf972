// Says what becomes of the corrections of coarse bodies as a run goes on: where the acceptance test
// of CHEN §3.5 fails and passes again, and where modes change places.
#pragma once

#include <pliant/coarsen/eigenfit_term.hpp>
#include <pliant/core/log.hpp>
#include <pliant/system/state.hpp>

namespace pliant {

// Of all corrected bodies together: the worst of them.
struct CoarseRow {
  double known = 1;     // part of the modes that are known again
  double near = 1;      // part of them that are about as stiff as at rest
  double crossed = 0;   // modes that have changed places
  double strength = 1;  // of the correction
};

struct CoarseCounts {  // steps of the run
  std::int64_t failed = 0, crossed = 0, refreshed = 0;
};

class CoarseWatch {
 public:
  // Looks at the state after a step. The reason to stop, where that is what a body wants.
  std::string look(std::span<const EigenFitTerm* const> corrections, const State& state,
                   const Log& log);
  const CoarseCounts& counts() const { return counts_; }
  CoarseCounts& counts() { return counts_; }
  static CoarseRow row(std::span<const EigenFitTerm* const> corrections, const State& state);

 private:
  struct Said {
    bool failed = false;
    std::string permutation;
  };
  std::vector<Said> said_;
  CoarseCounts counts_;
};

}  // namespace pliant
