// Constraints in the equation of the acceleration at the start of a step
// (system/constrained_acceleration.hpp): hard rows have multipliers and are met by accelerations,
// the others are springs,
//   R₁ = M a − f − Jᵀ λ + Σ ψ/C ∇φ = 0,      R₂ = J a + vᵀ ∇²φ v + ∂²φ/∂t² = 0,
// with ψ = φ + τ J v. Motors that push with all they have bring that as their λ and no R₂; limits
// are left out. Weighted with w and y,
//   [ M  Jᵀ ] [ w ]   [ ā ]
//   [ J  0  ] [ y ] = [ 0 ].
// The curvature of φ brings third derivatives; as they are symmetric, one difference along v is all
// that they need: ∂/∂q (vᵀ H_y v) = d/dε H_y(q + ε v) v with H_y = Σ y ∇²φ.
#pragma once

#include <pliant/gradient/stage_point.hpp>
#include <pliant/system/constrained_acceleration.hpp>

namespace pliant {

class StartRows {
 public:
  explicit StartRows(const System& system);
  bool any() const { return !constraints_.empty(); }

  // Where and how fast the step starts, prescribed coordinates in place.
  struct Start {
    double t = 0;
    const Vector &q, &v, &a;
  };
  // λ of the hard rows from R₁; `load` is f − M a.
  [[nodiscard]] bool linearize(const Start& start, const DofMask& mask, const Vector& load);
  const Vector& lambda() const { return lambda_; }
  // False where M and J do not determine the weights.
  [[nodiscard]] bool solve(const Vector& b, EquationWeights& weights);
  // q̄ −= ∂/∂q, v̄ −= ∂/∂v of the rows' part of wᵀ R₁ + yᵀ R₂.
  void leave(const Start& start, const EquationWeights& weights, Vector& q_bar, Vector& v_bar);
  // That part itself; held are the rows whose λ is at a bound.
  double weighted(const Start& start, const Vector& lambda, std::span<const char> held,
                  const EquationWeights& weights);

 private:
  bool is_left_out(Index row) const {
    return ConstrainedAcceleration::is_left_out(constraints_, row);
  }
  bool is_hard(Index row) const {
    return constraints_.compliance()[row] == 0 && !is_left_out(row) && !pushes(row);
  }
  bool pushes(Index row) const { return pushes_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] bool find_pushing(const Start& start, const DofMask& mask, const Vector& load);
  void evaluate(const Start& start);  // J_ and ψ
  // y += scale Σ factor ∇²φ x at q
  void add_bent(std::span<const double> q, const Vector& factor, double scale, const Vector& x,
                Vector& y);

  const System& system_;
  const ConstraintSet& constraints_;
  std::vector<JacobianEntry> J_, hard_;
  std::vector<NodeBlock> blocks_;
  BlockMatrix M_;
  KktAssembly assembly_;
  std::unique_ptr<KktSolver> solver_;
  ConstrainedAcceleration acceleration_;
  std::vector<char> pushes_;  // with all they have
  Vector psi_, lambda_, x_, f_, bend_;
};

}  // namespace pliant
