// A state as the last stage of its step left it. The friction that the state carries is that of the
// step's start; stages find its forces and directions anew at their solution, so that what acted at
// the end is found there once more: where bodies have met within the step, it was not there at all
// at the start.
#pragma once

#include <pliant/contact/friction_set.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

class StepEnd {
 public:
  // Contacts at the state may be known, see Configuration; null: they are found.
  StepEnd(const System& system, const State& state, const ContactSet* contacts = nullptr);
  StepEnd(const StepEnd&) = delete;
  StepEnd& operator=(const StepEnd&) = delete;

  const Configuration& configuration() const { return c_; }

 private:
  Configuration c_;
  FrictionSet friction_;
};

}  // namespace pliant
