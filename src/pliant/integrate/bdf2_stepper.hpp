// BDF2 with variable steps: with ω = h/h₋₁ the stage is
//   γ = h (1 + ω)/(1 + 2ω),  q_p = ((1 + ω)² q_n − ω² q_{n−1})/(1 + 2ω),  v_p likewise,
// for ω = 1 the γ = 2h/3 and (4 q_n − q_{n−1})/3 of ASCHER (7). With the `linear` stage solver it
// is the semi-implicit SBDF2. The first step, and the first after the state was changed from
// outside, is one of SDIRK2, which keeps the order. With a modal flow it is the hybrid of ASCHER
// (21), (22): the modes move by their own flow, or, as printed, by
//   û = (4 u₀ − u₋₁ + 2 h φ₁(hJ_G) G(u₀))/3,
// which is of first order and grows in them.
#pragma once

#include <pliant/integrate/dirk_stepper.hpp>

namespace pliant {

class Bdf2Stepper final : public Stepper {
 public:
  Bdf2Stepper(std::string_view name, const SolverOptions& options,
              std::shared_ptr<ModalFlow> modes = nullptr, bool paper = false);

  std::string_view name() const override { return name_; }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override;
  std::span<const double> multipliers() const override {
    return by_start_ ? start_.multipliers() : solver_->multipliers();
  }
  void restore(std::span<const double> memory) override;
  void forget() override { last_h_ = 0; }

 private:
  bool history_fits(const State& state) const;
  StepReport first_step(const System& system, State& state, double h);
  void set_stage(double h);
  bool hold_modes(const StepContext& context, double h, std::string& reason);
  void remember(const State& before, double h);
  void find_mean_force(const System& system, State& state, double h);

  std::string_view name_;
  std::unique_ptr<StageSolver> solver_;
  std::shared_ptr<ModalFlow> modes_;
  bool paper_;
  DirkStepper start_;
  bool by_start_ = false;  // the last step
  StepData data_;
  DofMask mask_;
  Stage stage_;
  State trial_;
  Vector v_, q_;
  // The state one step back: q_{n−1}, v_{n−1}, the step from there, and the time it led to.
  Vector last_q_, last_v_;
  double last_h_ = 0, known_t_ = 0;
  ActingForces last_mean_;  // over that step
  SharedForces forces_;
};

}  // namespace pliant
