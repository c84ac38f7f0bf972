// The stage solved to tolerance by Newton's method. Where every term has a potential, the merit is
//   Φ(v) = ½ ‖v − v_p‖²_M + γv/γq U(q_p + γq v) + γv R(v),
// the incremental potential E of DESIGN §2 divided by γq²; its gradient is the residual itself.
// Else the merit is the residual's norm.
#pragma once

#include <pliant/solve/newton.hpp>
#include <pliant/stage/stage.hpp>

namespace pliant {

class StageProblem final : public NewtonProblem {
 public:
  void set(const StepContext& context, const Stage& stage);

  bool has_merit() const override { return has_merit_; }
  double evaluate(std::span<const double> v, std::span<double> r) override;
  void tangent(std::span<const double> v, bool project, BlockMatrix& A) override;
  double residual_norm(std::span<const double> r) const override;
  double relative_size(std::span<const double> v, std::span<const double> dv) const override;
  double max_step(std::span<const double> v, std::span<const double> dv) const override;

  // q = q_p + γq v on free coordinates, prescribed elsewhere.
  void position(std::span<const double> v, Vector& q) const;
  void prescribe_velocity(Vector& v) const;

 private:
  const StepContext* context_ = nullptr;
  const Stage* stage_ = nullptr;
  bool has_merit_ = true;
  Vector q_, f_, w_, Mw_;
  Vector q_fixed_, v_fixed_, a_fixed_;  // of prescribed coordinates, zero elsewhere
};

class NewtonStage final : public StageSolver {
 public:
  explicit NewtonStage(const SolverOptions& options);
  std::string_view name() const override { return "newton"; }
  StageReport solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) override;
  // While a restored memory waits for the first solve, it is the memory.
  std::vector<double> memory() const override {
    return memory_.empty() ? solver_->memory() : memory_;
  }
  void restore(std::span<const double> memory) override {
    memory_.assign(memory.begin(), memory.end());
  }

 private:
  NewtonReport attempt(Vector& v);

  NewtonOptions options_;
  std::unique_ptr<LinearSolver> solver_;
  StageProblem problem_;
  NewtonWorkspace workspace_;
  std::vector<double> memory_;  // to be restored once the pattern is known
};

}  // namespace pliant
