// The stage by one linear solve about a base point (q_b, v_b):
//   M (v − v_p) = γv [ f_b − K_b (q_p + γq v − q_b) − D_b (v − v_b) ].              DESIGN §2
// About the step's start this makes the semi-implicit methods, ASCHER (6). Constraints are linear
// about the base point as well, φ_b + J_b (q − q_b) + C λ = 0, with the geometric stiffness of the
// last multipliers: with be that is TOURNIER (21).
#pragma once

#include <pliant/solve/kkt_solver.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

class LinearStage final : public StageSolver {
 public:
  explicit LinearStage(const SolverOptions& options);
  std::string_view name() const override { return "linear"; }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override;
  bool solve_again(std::span<const double> b, std::span<double> x, SolveAccuracy accuracy) override;
  // With constraints their multipliers, else what the linear solver remembers.
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;

 private:
  void assemble(const StepContext& context, const Stage& stage, Projection projection);
  void set_start(const StepContext& context, const Stage& stage, Vector& v);
  void set_residual(const StepContext& context, const Stage& stage, const Vector& v);
  SolveStatus solve_for_change(const StepContext& context, const Stage& stage);
  SolveStatus solve_with_constraints(const StepContext& context, const Stage& stage);

  double tolerance_;
  GeometricStiffness geometric_;
  PreparedSolver solver_;
  bool has_factors_ = false;
  BlockMatrix K_, D_, A_;
  LowRank update_;
  Vector f_, w_, Mw_, d_, u_, Kd_, Du_, r_, dv_, q_fixed_, v_fixed_, a_fixed_;
  std::unique_ptr<KktSolver> kkt_;
  KktMatrix matrix_;
  std::vector<JacobianEntry> J_;
  std::vector<NodeBlock> blocks_;
  Vector lambda_, g_, y_;         // N; m/s
  std::vector<double> restored_;  // a memory, until it is known whose
};

}  // namespace pliant
