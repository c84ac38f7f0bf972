// What a step changed, against what may change: I2, I3, I6, I7 (contact_method.hpp).
#pragma once

#include <reliability/trial.hpp>

#include <pliant/integrate/stepper.hpp>
#include <pliant/io/checkpoint.hpp>
#include <pliant/run/energy_watch.hpp>

namespace pliant::reliability {

class Ledger {
 public:
  Ledger(const World& world, const Combination& combination, Outcome& outcome);

  // After each step; empty where nothing is wrong.
  std::string enter(const State& state, const StepReport& report);

  // What later steps are compared with.
  void save(Checkpoint& checkpoint) const;
  void restore(const Checkpoint& checkpoint, const State& state);

 private:
  std::string check_shape(const State& state);
  std::string check_guard(const State& state, const StepReport& report);
  std::string check_account(const State& state);
  std::string check_momentum(const State& state);

  const World& world_;
  Combination combination_;
  Outcome& outcome_;
  Energies energies_;
  EnergyLedger account_;  // of methods without a barrier
  EnergyWatch watch_;
  Momentum momentum_;
  double scale_ = 0, gained_ = 0, mass_ = 0, speed_ = 0;
  double lifted_ = 0;  // J, by keeping gaps without a barrier, at most
};

}  // namespace pliant::reliability
