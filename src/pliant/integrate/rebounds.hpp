// How fast what hit comes off again, where a scene limits restitution. Methods of higher order
// reflect within a step what a barrier meets in it, with whatever speed their stages make of it;
// backward Euler stops it. A step that comes off faster than e times the speed at which things met
// is made with backward Euler, and the velocities of what the contact holds together are moved
// towards those that the method has found, until the contacts part with that speed: Newton's law of
// impact. Both are velocities after the same push, and energy is convex in them, so that no more
// can come of it than the method itself had.
//
// The speed of the meeting is that at the start of the step, or of an earlier one since when the
// contact has pressed. Impacts slower than a few times what weight adds in a step do not bounce, so
// that things come to rest.
#pragma once

#include <pliant/contact/friction_set.hpp>
#include <pliant/system/system.hpp>

#include <map>

namespace pliant {

class Rebounds {
 public:
  // After a step of the method with contact: what presses, and how fast it may come apart. True
  // where any comes apart faster.
  bool find(const System& system, const State& before, const State& after, double h);
  // The velocities of `stopped`, made from `before` in place of that step, as they should be.
  void give_back(const System& system, const State& before, const Vector& method, State& stopped);
  // After a step that was taken, which ended at `after`.
  void remember(const System& system, const State& before, const State& after);

  std::vector<double> memory() const;
  std::span<const double> restore(std::span<const double> memory);  // what is left of it

 private:
  struct Parting {
    FrictionContact contact;
    double allowed = 0;  // m/s
  };
  double met(const FrictionContact& contact, const State& before) const;
  void add_partings(const System& system, const State& before, const State& where, double h);
  std::vector<Parting> partings_;
  double h_ = 0;                                // s
  std::map<std::array<Index, 5>, double> met_;  // m/s, of what pressed where the last step ended
};

}  // namespace pliant
