// The acceleration of a system with constraints, for the first step and for explicit stages:
//   M a = f + Jᵀ λ,     J a = −vᵀ ∇²φ v for hard rows,     λ = −φ/C for the others.
// A motor that is where it shall be, or as fast, is a hard row as far as its strength goes; one
// that is not yet pushes with all of it. Hard limits are left out: whether they act within the step
// that comes is not known here.
#pragma once

#include <pliant/system/kkt_assembly.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

class ConstrainedAcceleration {
 public:
  // On entry `a` holds the prescribed accelerations in its masked places. False where M and J do
  // not determine it.
  [[nodiscard]] bool find(const System& system, const DofMask& mask, const Configuration& c,
                          std::span<const double> f, std::span<double> a);

  // N: f, and what the rows add to it. Of the last `a` that was found.
  const Vector& force() const { return force_; }
  // N of rows that push with all they have; not a number: the others.
  std::span<const double> strengths() const { return strength_; }
  // Neither a row nor a spring here.
  static bool is_left_out(const ConstraintSet& constraints, Index row);

 private:
  void find_motors(const System& system, const Configuration& c);
  void set_equations(const System& system, const Configuration& c, std::span<const double> a);
  bool solve(const System& system, const DofMask& mask, std::span<const double> a);
  // Those asked for more than they have push with what they have. False where there are none.
  bool let_motors_give_in(const ConstraintSet& constraints);

  std::unique_ptr<KktSolver> solver_;
  KktAssembly assembly_;
  BlockMatrix M_;
  std::vector<JacobianEntry> J_, hard_;
  std::vector<Index> number_;  // of hard rows among themselves; −1 for the others
  std::vector<double> strength_;
  Vector phi_, bend_, b_, g_, Ma_, f_, x_, y_, force_;
};

}  // namespace pliant
