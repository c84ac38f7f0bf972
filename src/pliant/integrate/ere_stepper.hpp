// Exponential Rosenbrock–Euler, ASCHER (16), (17): over a step the force is linear, and the linear
// equation is solved exactly, to the tolerance of a Krylov method:
//   u₁ = u + h φ₁(hJ) F(u) + h² φ₂(hJ) F_t,   J = [[0, I], [−M⁻¹K, −M⁻¹D]].
// The last term, for what changes with time alone, keeps order two under moving pins and loads.
#pragma once

#include <pliant/integrate/free_force.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/solve/krylov_flow.hpp>

namespace pliant {

class EreStepper final : public Stepper {
 public:
  explicit EreStepper(const KrylovOptions& options) : options_(options) {}
  std::string_view name() const override { return "ere"; }
  StepReport step(const System& system, State& state, double h) override;

 private:
  void assemble(const StepContext& context);
  void set_weights(const System& system);
  KrylovReport flow(const StepContext& context, double h);

  KrylovOptions options_;
  KrylovFlow krylov_;
  FreeForce force_{MassMethod::factorized};
  StepData data_;
  DofMask mask_;
  State trial_;
  BlockMatrix K_, D_;
  LowRank dense_K_, dense_D_;  // the dense parts of both
  Vector F_, F_t_, b0_, b1_, weights_, f_, x_, q_, v_, a_, a_t_;
};

}  // namespace pliant
