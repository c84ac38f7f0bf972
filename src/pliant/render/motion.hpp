// A run at any moment, between its frames too: positions follow the cubic that has the positions
// and velocities of both neighbours (Hermite), so slow motion does not jerk; what colours is
// interpolated straight.
#pragma once

#include <pliant/io/results.hpp>

#include <map>
#include <memory>

namespace pliant {

ResultFrame between(const ResultFrame& before, const ResultFrame& after, double time);

class RunMotion {
 public:
  explicit RunMotion(const Results& results) : results_(&results) {}

  double begin() const { return results_->times().front(); }
  double end() const { return results_->times().back(); }
  ResultFrame at(double time);  // before and after the run: its first and its last state

 private:
  const ResultFrame& frame(std::size_t k);

  const Results* results_;
  std::map<std::size_t, ResultFrame> kept_;  // the neighbours of the one read last
};

}  // namespace pliant
