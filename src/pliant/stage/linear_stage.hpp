// The stage by one linear solve about a base point (q_b, v_b):
//   M (v − v_p) = γv [ f_b − K_b (q_p + γq v − q_b) − D_b (v − v_b) ].              DESIGN §2
// About the step's start this makes the semi-implicit methods, ASCHER (6).
#pragma once

#include <pliant/stage/stage.hpp>

namespace pliant {

class LinearStage final : public StageSolver {
 public:
  explicit LinearStage(const SolverOptions& options);
  std::string_view name() const override { return "linear"; }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override;
  // While a restored memory waits for the first solve, it is the memory.
  std::vector<double> memory() const override {
    return memory_.empty() ? solver_->memory() : memory_;
  }
  void restore(std::span<const double> memory) override {
    memory_.assign(memory.begin(), memory.end());
  }

 private:
  void assemble(const StepContext& context, const Stage& stage, Projection projection);
  void add_damping_of_pins(const StepContext& context, const Stage& stage, const Vector& v);
  bool solve_for_change(SolveStatus& status);

  double tolerance_;
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix K_, A_;
  Vector f_, w_, Mw_, d_, Kd_, r_, dv_, q_fixed_, v_fixed_, a_fixed_;
  std::vector<double> memory_;
};

}  // namespace pliant
