// One step backwards: from what an objective feels of the state at its end to what it feels of the
// state at its start. A stage r(v; q_p, v_p, p) = 0 turns a gradient v̄ into
//   Aᵀ w = v̄,    q̄_p −= γ Kᵀ w,    v̄_p += M w,    p̄ −= (∂r/∂p)ᵀ w,
// and linear combinations distribute what they get over their parts.
#pragma once

#include <pliant/gradient/lag_gradient.hpp>
#include <pliant/gradient/step_plan.hpp>

#include <functional>

namespace pliant {

// ∂J/∂q, ∂J/∂v of one state; zero on coordinates that follow others.
struct StateGradient {
  Vector q, v;
};

// The weights w of one equation of a step, for whoever knows how it depends on parameters.
using OnEquation =
    std::function<void(const StagePoint& stage, const Vector& solution, const Vector& w)>;

class AdjointStep {
 public:
  AdjointStep(const System& system, const SolverOptions& options);

  // The step from `start` to `end`, both as a run has left them; `before` is the state one step
  // earlier, needed by plans that reach back to it. Throws CannotContinue where a stage cannot be
  // found again or has a singular matrix.
  struct Recorded {
    const State* before = nullptr;
    const State& start;
    const State& end;
    double h = 0;  // s
  };
  struct Gradients {
    StateGradient* before = nullptr;
    StateGradient& start;
    StateGradient& end;  // is used up
  };
  void go_back(const StepPlan& plan, const Recorded& step, Gradients gradients,
               const OnEquation& on_equation);

 private:
  struct StageValues {
    double t = 0, gamma = 0;
    Vector q_p, v_p, x, a;  // x: v, or a at the start
    Vector v_bar, a_bar;    // what later stages and the result feel of it
    StagePoint point() const { return {t, gamma, q_p, v_p}; }
  };
  void find_stages(const StepPlan& plan, const Recorded& step);
  void find_stage(const StepPlan& plan, const Recorded& step, std::size_t i);
  void leave_end(const StepPlan& plan, const Recorded& step, Gradients& gradients);
  void leave_stage(const StepPlan& plan, const Recorded& step, std::size_t i, Gradients& gradients,
                   const OnEquation& on_equation);

  const System& system_;
  StepEquations equations_;
  LagGradient lag_;
  std::unique_ptr<StageSolver> solver_;
  std::vector<StageValues> stages_;
  Vector q_bar_, v_bar_, w_, Mw_, lagged_;
};

}  // namespace pliant
