// One step backwards: from what an objective feels of the state at its end to what it feels of the
// state at its start. A stage r(v; q_p, v_p, p) = 0 turns a gradient v̄ into
//   Aᵀ w = v̄,    q̄_p −= γv Kᵀ w,    v̄_p += M w,    p̄ −= (∂r/∂p)ᵀ w,
// and linear combinations distribute what they get over their parts.
#pragma once

#include <pliant/gradient/lag_gradient.hpp>
#include <pliant/gradient/step_plan.hpp>
#include <pliant/integrate/free_force.hpp>

#include <functional>

namespace pliant {

// ∂J/∂q, ∂J/∂v of one state; zero on coordinates that follow others. Where a step starts from the
// acceleration that the last stage of the one before had, ∂J/∂a of that, and where a method carries
// one of its own, of that, too; else empty.
struct StateGradient {
  Vector q, v, a = {}, carried = {};
};

// The weights of one equation of a step, for whoever knows how it depends on parameters.
using OnEquation = std::function<void(const StagePoint& stage, const Vector& solution,
                                      const EquationWeights& weights)>;

class AdjointStep {
 public:
  AdjointStep(const System& system, const SolverOptions& options);

  // The step from `start` to `end`, both as a run has left them; `before` is the state one step
  // earlier, needed by plans that reach back to it, `carried` the acceleration that the method
  // brought along, null where it had to begin. Throws CannotContinue where a stage cannot be found
  // again or has a singular matrix.
  struct Recorded {
    const State* before = nullptr;
    const State& start;
    const State& end;
    double h = 0;  // s
    const Vector* carried = nullptr;
  };
  struct Gradients {
    StateGradient* before = nullptr;
    StateGradient& start;
    StateGradient& end;  // is used up
  };
  void go_back(const StepPlan& plan, const Recorded& step, Gradients gradients,
               const OnEquation& on_equation);

  // What the method carries on after this step, and which coordinates were prescribed in it.
  Vector carry(const StepPlan& plan, const Recorded& step);
  const DofMask& mask() const { return equations_.mask(); }

 private:
  struct StageValues {
    double t = 0, gamma_q = 0, gamma_v = 0;
    Vector q_p, v_p, v, a;
    Vector lambda;
    std::vector<char> held;  // rows at a bound
    Vector v_bar, a_bar;     // what later stages and the result feel of it
    StagePoint point() const { return {t, gamma_q, gamma_v, q_p, v_p, lambda, held}; }
    const Vector& solution() const { return gamma_v > 0 ? v : a; }
  };
  void find_stages(const StepPlan& plan, const Recorded& step);
  void find_stage(const StepPlan& plan, const Recorded& step, std::size_t i);
  void find_start(StageValues& stage);
  void polish(StageValues& stage);
  void solve_again(const StepPlan& plan, const Recorded& step, std::size_t i);
  void leave_end(const StepPlan& plan, const Recorded& step, Gradients& gradients);
  void leave_stage(const StepPlan& plan, const Recorded& step, std::size_t i, Gradients& gradients,
                   const OnEquation& on_equation);
  void leave_equation(StageValues& stage, Gradients& gradients, const OnEquation& on_equation);

  const System& system_;
  StepEquations equations_;
  LagGradient lag_;
  FreeForce force_;
  std::unique_ptr<StageSolver> solver_;
  std::vector<StageValues> stages_;
  EquationWeights weights_;
  Vector q_bar_, v_bar_, Mw_, lagged_;  // q_bar_, v_bar_: of q_p and v_p
};

}  // namespace pliant
