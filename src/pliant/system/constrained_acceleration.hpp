// The acceleration of a system with constraints, for the first step and for explicit stages:
//   M a = f + Jᵀ λ,     J a = −vᵀ ∇²φ v for hard rows,     λ = −φ/C for the others.
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

 private:
  void set_equations(const System& system, const Configuration& c, std::span<const double> a);

  std::unique_ptr<KktSolver> solver_;
  KktAssembly assembly_;
  BlockMatrix M_;
  std::vector<JacobianEntry> J_, hard_;
  std::vector<Index> number_;  // of hard rows among themselves; −1 for the others
  Vector phi_, bend_, b_, g_, Ma_, f_, x_, y_;
};

}  // namespace pliant
