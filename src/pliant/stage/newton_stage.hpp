// The stage solved to tolerance by Newton's method on its merit (stage_problem.hpp); with
// constraints, by Newton's method on the whole system (constrained_stage.hpp).
#pragma once

#include <pliant/stage/constrained_stage.hpp>
#include <pliant/stage/friction_rounds.hpp>
#include <pliant/stage/stage_problem.hpp>

namespace pliant {

class NewtonStage final : public StageSolver {
 public:
  explicit NewtonStage(const SolverOptions& options);
  std::string_view name() const override { return "newton"; }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override;
  bool solve_again(std::span<const double> b, std::span<double> x, SolveAccuracy accuracy) override;
  void find_forces(const Vector& v, ActingForces& out) override;
  std::vector<double> memory() const override;
  std::span<const double> multipliers() const override { return view(constrained_.multipliers()); }
  void restore(std::span<const double> memory) override;

 private:
  NewtonReport attempt(Vector& v);
  NewtonReport attempt(Vector& v, const FrictionRounds& rounds);
  bool find_friction(Vector& v, NewtonReport& total);
  NewtonReport attempt_with_contact(Vector& v);
  bool push(Vector& v, NewtonReport& total);
  NewtonReport attempt_with_fixed_damping(Vector& v);
  NewtonReport attempt_with_friction(Vector& v);
  void prepare(const StepContext& context, const Stage& stage);
  void restore_factors();

  double usual_tolerance_;
  NewtonOptions options_;
  PreparedSolver solver_;
  StageProblem problem_;
  NewtonWorkspace workspace_;
  Vector start_;  // where friction began to go along
  ConstrainedStage constrained_;
  // What the kept factors are of: a stage with other numbers or other pins needs new ones.
  double gamma_q_ = 0, gamma_v_ = 0;
  DofMask mask_;
  std::vector<double> kept_values_;  // of a restored A, until there is a pattern
};

}  // namespace pliant
