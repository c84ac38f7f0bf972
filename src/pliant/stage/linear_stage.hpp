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
  bool solve_again(std::span<const double> b, std::span<double> x, SolveAccuracy accuracy) override;
  std::vector<double> memory() const override { return solver_.memory(); }
  void restore(std::span<const double> memory) override { solver_.restore(memory); }

 private:
  void assemble(const StepContext& context, const Stage& stage, Projection projection);
  void set_start(const StepContext& context, const Stage& stage, Vector& v);
  SolveStatus solve_for_change(const StepContext& context, const Stage& stage, const Vector& v);

  double tolerance_;
  PreparedSolver solver_;
  bool has_factors_ = false;
  BlockMatrix K_, D_, A_;
  LowRank update_;
  Vector f_, w_, Mw_, d_, u_, Kd_, Du_, r_, dv_, q_fixed_, v_fixed_, a_fixed_;
};

}  // namespace pliant
