// The rows of constraints among the equations of a stage: with multipliers λ
//   r = M (v − v_p) − γ (f + Jᵀ λ) = 0,      g = φ(t, q) + C λ = 0,
// whose transposed system for the weights w of r and y of g is that of the stage itself (DESIGN
// §2):
//   (A − γ² K̃)ᵀ w + Jᵀ (γ y) = v̄,     J w − C/γ² (γ y) = 0,      K̃ = Σ λ ∇²φ.
#pragma once

#include <pliant/system/kkt_assembly.hpp>
#include <pliant/system/system.hpp>

namespace pliant {

class RowEquations {
 public:
  explicit RowEquations(const System& system) : constraints_(system.constraints()) {}
  bool any() const { return !constraints_.empty(); }

  void linearize(double t, std::span<const double> q, const Vector& lambda, double gamma);
  // A is that of the stage without K̃ and, where `symmetric` is false, given transposed. False where
  // the system has no answer.
  [[nodiscard]] bool solve(const BlockMatrix& A, bool symmetric, const DofMask& mask,
                           const Vector& b, Vector& w, Vector& y);
  // q̄_p −= −γ K̃ᵀ w + Jᵀ y
  void leave(const Vector& w, const Vector& y, Vector& q_bar) const;

  // −γ wᵀ Jᵀ λ + yᵀ g at q.
  double weighted(double t, std::span<const double> q, const Vector& lambda, double gamma,
                  const Vector& w, const Vector& y);

 private:
  bool solve_by_lu(const BlockMatrix& transposed, const DofMask& mask, const Vector& b, Vector& w,
                   Vector& y);

  const ConstraintSet& constraints_;
  double gamma_ = 0;
  std::vector<JacobianEntry> J_;
  std::vector<NodeBlock> blocks_;  // −γ² K̃
  KktAssembly assembly_;
  std::unique_ptr<KktSolver> solver_;
  Vector phi_, x_, f_;
};

}  // namespace pliant
