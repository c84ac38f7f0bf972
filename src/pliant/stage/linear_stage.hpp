// The stage by one linear solve about a base point (q_b, v_b):
//   M (v − v_p) = γv [ f_b − K_b (q_p + γq v − q_b) − D_b (v − v_b) ].
// About the step's start this makes the semi-implicit methods, ASCHER (6). Constraints are linear
// about the base point as well, φ_b + J_b (q − q_b) + C λ = 0, with the geometric stiffness of the
// last multipliers: with be that is TOURNIER (21).
#pragma once

#include <pliant/stage/row_states.hpp>
#include <pliant/system/kkt_assembly.hpp>

namespace pliant {

class LinearStage final : public StageSolver {
 public:
  explicit LinearStage(const SolverOptions& options);
  std::string_view name() const override { return "linear"; }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override;
  bool solve_again(std::span<const double> b, std::span<double> x, SolveAccuracy accuracy) override;
  void find_forces(const Vector& v, ActingForces& out) override;
  std::span<const double> multipliers() const override { return view(lambda_); }
  // With constraints their multipliers, else what the linear solver remembers.
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;

 private:
  void assemble(const StepContext& context, const Stage& stage, Projection projection);
  void set_start(const StepContext& context, const Stage& stage, Vector& v);
  void set_residual(const StepContext& context, const Stage& stage, const Vector& v);
  SolveStatus solve_for_change(const StepContext& context, const Stage& stage);
  SolveStatus solve_with_constraints(const StepContext& context, const Stage& stage);
  SolveStatus solve_rows(const StepContext& context, const Stage& stage);

  const StepContext* context_ = nullptr;  // of the last stage
  double t_ = 0;                          // s, likewise
  Vector q_;                              // likewise, its solution
  double tolerance_;
  GeometricStiffness geometric_;
  std::string kkt_name_;
  int minres_;  // iterations, or 0
  PreparedSolver solver_;
  bool has_factors_ = false;
  BlockMatrix K_, D_, A_;
  bool dense_ = false;  // is a part of K or D dense?
  LowRank update_, dense_K_, dense_D_;
  Vector f_, w_, Mw_, d_, u_, Kd_, Du_, r_, dv_, q_fixed_, v_fixed_, a_fixed_;
  std::unique_ptr<KktSolver> kkt_;
  KktAssembly assembly_;
  std::vector<JacobianEntry> J_, free_J_;  // free_: without rows at a bound
  std::vector<NodeBlock> blocks_;
  RowStates rows_;
  Vector lambda_, g_, b_, x_, y_, C_, mu_, end_, right_;  // N; m/s
  std::vector<double> restored_;                          // a memory, until it is known whose
};

}  // namespace pliant
