// Any diagonally implicit Runge–Kutta method, from its table (DESIGN §2): stage i is
//   γ = a_ii h,  q_p = q_n + h Σ_{j<i} a_ij v_j,  v_p = v_n + h Σ_{j<i} a_ij a_j,
// and its acceleration a_i = (v_i − v_p)/γ comes for free, right even for non-smooth forces, BROWN
// (37).
#pragma once

#include <pliant/integrate/dirk_table.hpp>
#include <pliant/integrate/free_force.hpp>
#include <pliant/integrate/stepper.hpp>

namespace pliant {

// Where the `linear` stage solver linearises: ASCHER (6) about the step's start, (26b) about the
// stage before.
enum class LinearizeAbout { step_start, previous_stage };

class DirkStepper final : public Stepper {
 public:
  // `name` is the integrator's: `si` is the table of `be` with the `linear` stage solver.
  DirkStepper(std::string_view name, const DirkTable& table, std::unique_ptr<StageSolver> solver,
              LinearizeAbout base = LinearizeAbout::step_start);

  std::string_view name() const override { return name_; }
  StepReport step(const System& system, State& state, double h) override;
  std::vector<double> memory() const override { return solver_->memory(); }
  void restore(std::span<const double> memory) override { solver_->restore(memory); }

 private:
  StageReport solve_stage(const StepContext& context, const State& state, double h, int i);
  void finish(const StepContext& context, State& state, double h);

  std::string_view name_;
  const DirkTable& table_;
  std::unique_ptr<StageSolver> solver_;
  Stage stage_;
  StepData data_;
  DofMask mask_;
  FreeForce force_;
  State trial_;  // becomes the state when the step succeeds
  Vector q_;
  std::vector<Vector> v_, a_;  // of the stages
  LinearizeAbout base_;
  Vector base_q_, base_v_;
  Vector last_q_;  // position of the last stage
};

}  // namespace pliant
