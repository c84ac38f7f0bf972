// The work over one step of what drives constraints: motors, and targets that move in time. A row
// φ(t, q) with the multiplier λ gives the system −λ ∂φ/∂t (TOURNIER (10) with ψ = −∂φ/∂t), a row
// about rates λ J v. Of rows with a compliance the law says λ at both ends of the step,
//   W = ½ C λ₁² − ½ C λ₀² + ½ (λ₀ + λ₁) Δ,   Δ = ½ [φ(t₀, q₁) − φ(t₀, q₀) + φ(t₁, q₁) − φ(t₁, q₀)],
// what they store and what they do by the motion alone. Of hard rows the impulse Λ is what all
// other forces leave of the step's momentum,
//   Jᵀ Λ = M (v₁ − v₀) − ½ h (f₀ + f₁) − h Jᶜᵀ λ̄ᶜ,   W = Λ J ½ (v₀ + v₁),   J halfway.
#pragma once

#include <pliant/system/multipliers.hpp>

namespace pliant {

class WorkOfConstraints {
 public:
  // `before` and `after` are the ends of the step, `plastic` and friction included.
  double over_step(const System& system, const State& before, const State& after);
  // J: by how much Λ of the last step would do otherwise with f₀ or f₁ in place of their mean. An
  // impact within a step is neither.
  double doubt() const { return doubt_; }

 private:
  // Rows whose target moves, or that are driven at a speed.
  std::vector<char> driven_rows(const System& system, const State& before, const State& after);
  double of_compliant(const System& system, const std::vector<char>& driven) const;

  Multipliers multipliers_;
  std::vector<JacobianEntry> J_;
  Vector phi00_, phi01_, phi10_, phi11_;  // φ(t_i, q_j)
  Vector lambda0_, lambda1_, f0_, f1_, r_;
  double doubt_ = 0;
};

}  // namespace pliant
