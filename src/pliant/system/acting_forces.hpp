// What acts over a step, as the method that made it has it: for the work of pins and for what
// damping and friction take. Nothing is decided by it.
#pragma once

#include <pliant/core/types.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace pliant {

class System;
struct Configuration;

// N on all nodes, but not what pins bear. A part is empty where nobody asks for it, or where the
// method does not know it.
struct ActingForces {
  Vector all;                // of all terms and constraints
  Vector damping, friction;  // the parts of it that take energy away

  // Zeros where the system is asked for something.
  void set_zero(const System& system);
  // What is not known in one of them is not known in the sum.
  void add(double part, const ActingForces& other);
  void forget();
};

// Forces that states share, made again once no state has them any more.
class SharedForces {
 public:
  std::shared_ptr<ActingForces> take();

 private:
  std::vector<std::shared_ptr<ActingForces>> all_;
};

// J, over a step.
struct EnergyTaken {
  double damping = 0, friction = 0;
};

// By forces that were `mean` on an average over a step, −f̄·(q₁ − q₀); nothing where they are not
// known.
std::optional<EnergyTaken> energy_taken(const System& system, const ActingForces& mean,
                                        const Vector& q0, const Vector& q1);

// The parts that take energy, those of constraints apart, at one moment; `all` is left empty.
void find_taking_forces(const System& system, const Configuration& c, ActingForces& out);

}  // namespace pliant
