// Where the energy of a run went, step by step. With E the total energy,
//   E₁ − E₀ = work − damped − rubbed − flowed + created,
// where the work came in from outside (system/work.hpp), damping, friction and plastic flow took
// what they took, and `created` is what is left over, the method's own: below zero it took energy,
// above zero energy came from nothing.
//
// What damping and friction took is −f̄·(q₁ − q₀) with the mean f̄ of their forces as the method made
// it of its stages (State::taken), and −½ (f₀ + f₁)·(q₁ − q₀) where it does not tell.
#pragma once

#include <pliant/system/work.hpp>

namespace pliant {

// J, since the start.
struct EnergySums {
  double work = 0, damped = 0, rubbed = 0, flowed = 0, created = 0;
  // All that damping, friction, flow and the method took.
  double dissipated() const { return damped + rubbed + flowed - created; }
};

// How much came from nothing.
struct EnergyCreated {
  // J: `created` above the lowest it ever was before; at most, and now. Losses pay for gains that
  // follow as far as these make up for gains before them.
  double total = 0, now = 0;
  double worst_step = 0, time = 0;  // J, s: the step that made most, and when it ended
  double scale = 0;                 // J: the largest energy that moved, strained or pressed
};

class EnergyLedger {
 public:
  EnergyLedger(const System& system, const State& start);

  // The step from the state before to this one, whose energies are known.
  void add_step(const State& state, const Energies& energies);
  // Done from outside between two steps.
  void add_work(double work) { sums_.work += work, energy_ += work; }
  // Another state follows, with these sums; its energy is found, or the one that is told, J.
  void go_on(const State& state, const EnergySums& sums, const EnergyCreated& created,
             std::optional<double> energy = std::nullopt);
  double energy() const { return energy_; }  // J, of the last state

  const EnergySums& sums() const { return sums_; }
  const EnergyCreated& created() const { return created_; }
  double last_gain() const { return gain_; }  // J, by the last step, as far as there is no doubt

 private:
  EnergyTaken taken(const State& state);
  double flowed(const State& state) const;
  void judge(const State& state, const Energies& energies, double created, double rounding);

  const System& system_;
  WorkMeter meter_;
  State before_;
  double energy_ = 0;  // J, there
  double doubt_ = 0;   // J, of what damping and friction took in the last step
  double gain_ = 0;
  double largest_ = 0;  // J, that moved, strained or pressed
  double longest_ = 0;  // s, of all steps
  EnergySums sums_;
  EnergyCreated created_;
};

}  // namespace pliant
