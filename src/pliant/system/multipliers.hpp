// The multipliers of a system's constraints, found from a state: integrators keep none. Rows with a
// compliance have theirs from their law, λ = −(φ + τ J v)/C, and so have rows that stand at a bound
// of theirs. The others are those with which the motion stays on the constraints from here on,
//   M a = f + Jᶜᵀ λᶜ + Jᵀ λ,   J a = −vᵀ ∇²φ v − ∂²φ/∂t²,
// and so as accurate as q and v are, which the multipliers of an integrator's stages are not: those
// of trbdf2 are of first order.
#pragma once

#include <pliant/system/kkt_assembly.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

// What is prescribed while the pins of the state are as they are, and what follows.
DofMask mask_of(const System& system, const State& state);

class Multipliers {
 public:
  // `at_rest`: an equilibrium, where a is zero whatever drives the rows. False where M and J do not
  // determine λ.
  [[nodiscard]] bool find(const System& system, const State& state, bool at_rest, Vector& lambda);

  // λ of the rows of `J` that `hard` names, the others stay as they are: M x + Jᵀ λ = r, J x = g.
  // With g empty, which is zero, these are the λ whose Jᵀ λ comes nearest to the force (or impulse)
  // r in the norm of M⁻¹. Nothing of r is read at masked places.
  struct Sides {
    const Vector& r;
    const Vector& g;
  };
  [[nodiscard]] bool fit(const System& system, const DofMask& mask,
                         const std::vector<JacobianEntry>& J, const std::vector<char>& hard,
                         const Sides& sides, Vector& lambda);

  // Rows whose multipliers are free, and the λ of the others: of compliant ones, and of those at a
  // bound, which φ or J v says to which side they are off.
  static std::vector<char> known_ones(const System& system, const State& state,
                                      const std::vector<JacobianEntry>& J, Vector& lambda);

 private:
  std::unique_ptr<KktSolver> solver_;
  KktAssembly assembly_;
  BlockMatrix M_;
  std::vector<JacobianEntry> J_, rows_;
  std::vector<Index> number_;
  Vector r_, x_, y_;
};

}  // namespace pliant
