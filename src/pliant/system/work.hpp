// The work that comes into a system from outside beyond what its potentials account for: by pins
// that move, by loads that change in time and by loads without a potential (wind, pressure on an
// open surface), and by motors and constraints whose targets move (work_of_constraints.hpp). With E
// the total energy,
//   E(t) − E(0) = work − dissipated,
// so what damping and the integrator take is known without knowing them.
//
// From each step, second order in its length whatever the integrator:
//   loads without a potential   ½ (f₀ + f₁)·(q₁ − q₀)
//   loads that change in time   ½ [U(t₁, q₀) − U(t₀, q₀) + U(t₁, q₁) − U(t₀, q₁)]
//   pins                        ½ (v₀ + v₁)·M (v₁ − v₀) − f̄·(q₁ − q₀) at pinned coordinates
// with f̄ the mean of the forces as the method has it (State::mean_force), so that an impact within
// the step is seen, and ½ (f₀ + f₁) where it does not tell.
// Where a pin changes a velocity at once (it takes hold of what moves, its curve ends with a slope)
// the last holds for a lumped mass matrix only: what a consistent one couples to the neighbours is
// then found in `dissipated`.
#pragma once

#include <pliant/system/work_of_constraints.hpp>

namespace pliant {

class WorkMeter {
 public:
  // Contacts at a state may be known, see Configuration; null: they are found.
  WorkMeter(const System& system, const State& start, const ContactSet* contacts = nullptr);

  // The contacts outlive the next step.
  void go_on(const State& state, double work, const ContactSet* contacts = nullptr);
  void go_on_with(double more) { work_ += more; }  // J, done between two steps
  // The step from the state before to this one.
  void add_step(const State& state, const ContactSet* contacts = nullptr);
  double work() const { return work_; }  // J, since the start
  // J: what pins and driven constraints did in the last step is in doubt by this much, since forces
  // that are known at its ends alone changed so much over it.
  double doubt() const { return doubt_; }

 private:
  double work_of_load(const Term& load, const State& state);
  double work_of_pins(const State& state, const ContactSet* contacts);
  Vector mean_force(const State& state, const ContactSet* contacts);
  void find_force(const State& state, const ContactSet* contacts, Vector& f) const;

  const System& system_;
  std::vector<const Term*> loads_;  // those that do work beyond their potential
  std::vector<bool> held_;          // coordinates
  double work_ = 0, doubt_ = 0;
  State before_;                          // the state before
  const ContactSet* contacts_ = nullptr;  // there, see Configuration
  Vector f_;                              // there, once it was asked for; else empty
  Vector f0_, f1_, v_, swing_;
  WorkOfConstraints of_constraints_;
};

}  // namespace pliant
