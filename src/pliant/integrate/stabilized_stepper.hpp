// Post-stabilisation: after every step of an integrator, positions are moved onto its hard
// constraints on request, and velocities along them. One linear solve a step leaves constraints
// missed by about (h v)²/(2 ℓ), which adds up; methods that solve stages to their end meet the
// positions anyway, but their velocities miss J v = 0 by O(h²), and the next step's multipliers
// bear that over h. What damps it (be, bdf2, trbdf2) does not mind. Generalized-α carries it on in
// its averages, and where a step is halved it weighs more (Arnold, Brüls and Cardona 2015);
// esdirk43 begins each step with the acceleration that it left, and both can make any energy of
// it, where masses differ much. So these two always have their velocities moved. The way back is
// the shortest one in the metric of the step's matrix A = M + hD + h²K, so that what is stiff is
// not bent by it:
//   [ A  Jᵀ ] [ δ ]   [  0 ]
//   [ J  0  ] [ y ] = [ −φ ], again until φ is nothing; for velocities −(J v + ∂φ/∂t).
// Rows that have a compliance are springs and stay as they are; of limits those that are passed
// count.
#pragma once

#include <pliant/integrate/stepper.hpp>
#include <pliant/system/kkt_assembly.hpp>

namespace pliant {

enum class Stabilized { velocities, places_and_velocities };

class StabilizedStepper final : public Stepper {
 public:
  StabilizedStepper(std::unique_ptr<Stepper> stepper, Stabilized what);

  std::string_view name() const override { return stepper_->name(); }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override { return stepper_->memory(); }
  void restore(std::span<const double> memory) override { stepper_->restore(memory); }
  void forget() override { stepper_->forget(); }
  int error_order() const override { return stepper_->error_order(); }
  std::span<const double> multipliers() const override { return stepper_->multipliers(); }

 private:
  void choose_rows(const ConstraintSet& constraints, bool places);
  bool move_along(const System& system, std::span<const double> q, Vector& change);
  bool project_positions(const System& system, State& state);
  bool project_velocities(const System& system, double h, State& state);

  std::unique_ptr<Stepper> stepper_;
  Stabilized what_;
  std::unique_ptr<KktSolver> solver_;
  KktAssembly assembly_;
  BlockMatrix A_;
  std::vector<JacobianEntry> J_;
  std::vector<char> chosen_;
  StepData data_;
  DofMask mask_;
  State before_, start_;
  Vector phi_, ahead_, behind_, f_, g_, x_, y_, change_;
};

}  // namespace pliant
