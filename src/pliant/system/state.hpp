// All that a simulation carries from one step to the next; what a checkpoint saves.
#pragma once

#include <pliant/system/acting_forces.hpp>
#include <pliant/system/pins.hpp>
#include <pliant/term/term.hpp>

namespace pliant {

struct State {
  double t = 0;          // s
  Vector q, v;           // m, m/s; three per node
  Vector a;              // m/s², valid where a_known
  bool a_known = false;  // a satisfies M a = f(t, q, v) for the step that comes
  std::vector<PinState> pins;
  std::shared_ptr<const FrictionSet> friction;  // of the last step; null where there was none
  std::shared_ptr<const Vector> plastic;        // strains, likewise
  TermMemories memories;                        // likewise; empty where no term remembers
  std::shared_ptr<const EdgeShares> shares;     // of pairs of edges that press; null: all of it
  // N on the nodes, where contact is no term but corrected the last step; it decides nothing.
  std::shared_ptr<const Vector> contact_force;
  // Where somebody asks and the method knows: what acted on an average over the last step, so that
  // M (v₁ − v₀)/h less all of it is what pins bore; and at its end, where `a` is from.
  std::shared_ptr<const ActingForces> mean_force, end_force;
  std::optional<EnergyTaken> taken;  // over the last step, where the method knows
  double rubbed_apart = 0;           // J, by friction where contact corrected the last step
  // Of the stages of the next step, relative, where whoever paces it says so (StageTolerance); 0:
  // that of the stage solver.
  double tolerance = 0;
};

}  // namespace pliant
