// Newmark's method and generalized-α [Newmark 1959; Chung and Hulbert 1993], ASCHER §3.1:
//   q₁ = q + h v + h² ((½ − β) a + β a₁),   v₁ = v + h ((1 − γ) a + γ a₁),
//   (1 − α_m) a₁ + α_m a = (1 − α_f) φ₁ + α_f φ      with φ = M⁻¹ f, on free coordinates.
// Forces are averaged, not positions, so f is only ever evaluated at the ends of steps. It is one
// stage at the end of the step with γq ≠ γv:
//   γq = h β/γ,   γv = γ h (1 − α_f)/(1 − α_m),   w = v + h (1 − γ) a,
//   q_p = q + h v + h² (½ − β) a − γq w,   v_p = w + γ h (α_f φ − α_m a)/(1 − α_m),
// and φ₁ comes for free. Newmark has α_m = α_f = 0, and then a is φ.
#pragma once

#include <pliant/integrate/free_force.hpp>
#include <pliant/integrate/stepper.hpp>

#include <limits>

namespace pliant {

struct NewmarkCoefficients {
  double beta = 0.25, gamma = 0.5, alpha_m = 0, alpha_f = 0;
};
// ρ∞, the spectral radius at infinite frequency, from 0 (damps most) to 1 (conserves).
NewmarkCoefficients generalized_alpha(double rho_inf);

class NewmarkStepper final : public Stepper {
 public:
  NewmarkStepper(std::string_view name, NewmarkCoefficients coefficients,
                 std::unique_ptr<StageSolver> solver);

  std::string_view name() const override { return name_; }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override;
  std::span<const double> multipliers() const override { return solver_->multipliers(); }
  void restore(std::span<const double> memory) override;
  void forget() override { known_t_ = std::numeric_limits<double>::quiet_NaN(); }

 private:
  bool averages() const { return c_.alpha_m != 0 || c_.alpha_f != 0; }
  void find_start(const State& state, double h);
  void set_stage(const State& state, double h);
  void finish(const System& system, State& state, double h);
  void find_mean_force(const System& system, State& state);

  std::string_view name_;
  NewmarkCoefficients c_;
  std::unique_ptr<StageSolver> solver_;
  FreeForce force_;
  StepData data_;
  DofMask mask_, last_mask_;
  Stage stage_;
  State trial_;
  Vector v_, q_, w_;
  Vector a_, next_a_;                     // the a of the method: with averaging it is not M⁻¹ f
  double known_t_ = 0;                    // a_ belongs to the state at this time
  ActingForces force_of_a_, next_force_;  // what a_ is from
  SharedForces forces_;
};

}  // namespace pliant
