// Any Rosenbrock method, from its table. With K = −∂f/∂q and D = −∂f/∂v at the step's start and
// a = γ h, eliminating positions from LOESCHNER (12), (13) leaves for each stage
//   A r_i = h [ F(t_i, X_i, V_i) − K (P + a (V_i + Q)) − D Q ] + γ_i h² F_t,   A = M + a D + a² K,
//   p_i = h (V_i + Q) + a r_i,
//   X_i = q + Σ_{j<i} α_ij p_j,  V_i = v + Σ_{j<i} α_ij r_j,  P = Σ_{j<i} γ_ij p_j,  Q = Σ_{j<i}
//   γ_ij r_j,
// the matrix of an implicit stage, factorised once a step. F is the force on free coordinates; what
// pins do is in its dependence on time. Where A must be projected to be factorised, the projected K
// stands in the right hand side too, which makes it a W-method.
#pragma once

#include <pliant/integrate/free_force.hpp>
#include <pliant/integrate/rosenbrock_table.hpp>
#include <pliant/integrate/stepper.hpp>

namespace pliant {

class RosenbrockStepper final : public Stepper {
 public:
  RosenbrockStepper(const RosenbrockTable& table, const SolverOptions& options);

  std::string_view name() const override { return table_.name; }
  StepReport step(const System& system, State& state, double h) override;
  int error_order() const override { return table_.embedded_order; }
  std::vector<double> memory() const override { return solver_.memory(); }
  void restore(std::span<const double> memory) override { solver_.restore(memory); }

 private:
  bool factorize(const StepContext& context, double a, Projection projection);
  bool solve_stages(const StepContext& context, double h, Projection projection,
                    StepReport& report);
  bool solve_stage(const StepContext& context, double h, int i);
  void find_arguments(const State& start, int i);
  void finish(const StepContext& context, State& state, double h);

  const RosenbrockTable& table_;
  double tolerance_;
  PreparedSolver solver_;
  FreeForce force_;
  StepData data_;
  DofMask mask_;
  State trial_;
  BlockMatrix K_, D_, A_;
  LowRank dense_K_, dense_D_, update_;  // the dense parts of all three
  Vector X_, V_, P_, Q_, F0_, F_, F_t_, rhs_, w_, Kw_, DQ_;
  std::vector<Vector> p_, r_;
};

}  // namespace pliant
