// The rows of constraints among the equations of a stage: with multipliers λ
//   r = M (v − v_p) − γv (f + Jᵀ λ) = 0,      g = 0,
//   g = φ(t, q) + τ J v + C λ of places,   J v + φ + C λ of rates,   λ − bound of those at one.
// With G = γq ∂g/∂q + ∂g/∂v the transposed system for the weights w of r and y of g is
//   (A − γq γv K̃)ᵀ w + Gᵀ y = v̄,     −γv J w + C y = 0,      K̃ = Σ λ ∇²φ,
// that of the stage itself where all rows are about places and none is damped.
#pragma once

#include <pliant/gradient/stage_point.hpp>
#include <pliant/system/kkt_assembly.hpp>
#include <pliant/system/system.hpp>

#include <Eigen/SparseCore>

namespace pliant {

// A of a stage without K̃: a matrix over blocks, transposed unless it is symmetric, and blocks
// beside its pattern, not transposed.
struct StageMatrix {
  const BlockMatrix& A;
  std::span<const NodeBlock> more;
  bool symmetric = false;
  const DofMask& mask;
};

class RowEquations {
 public:
  explicit RowEquations(const System& system) : constraints_(system.constraints()) {}
  bool any() const { return !constraints_.empty(); }
  // Which multipliers are at a bound; empty where there are no bounds.
  void find_held(const Vector& lambda, std::vector<char>& held) const;

  void linearize(const StagePoint& stage, std::span<const double> q, std::span<const double> v);
  // False where the system has no answer.
  [[nodiscard]] bool solve(const StageMatrix& matrix, const Vector& b, EquationWeights& weights);
  // q̄_p −= −γv K̃ᵀ w + (∂g/∂q)ᵀ y
  void leave(const EquationWeights& weights, Vector& q_bar) const;

  // −γv wᵀ Jᵀ λ + yᵀ g.
  double weighted(const StagePoint& stage, std::span<const double> q, std::span<const double> v,
                  const EquationWeights& weights);

 private:
  bool solve_by_kkt(const StageMatrix& matrix, const Vector& b, EquationWeights& weights);
  using Entries = std::vector<Eigen::Triplet<double>>;
  Entries entries(const StageMatrix& matrix) const;
  bool solve_by_lu(const StageMatrix& matrix, const Vector& b, EquationWeights& weights);

  const ConstraintSet& constraints_;
  double gamma_q_ = 0, gamma_v_ = 0;
  bool plain_ = true;                      // all rows about places, none damped, none at a bound
  std::vector<JacobianEntry> J_, G_, Gq_;  // Gq: ∂g/∂q
  std::vector<NodeBlock> blocks_;          // −γq γv K̃
  Vector C_;
  KktAssembly assembly_;
  std::unique_ptr<KktSolver> solver_;
  Vector phi_, x_, f_;
};

// ∇²φ_k v of each row, in the entries of the Jacobian, by differences along v.
void bent_jacobian(const ConstraintSet& constraints, std::span<const double> q,
                   std::span<const double> v, std::vector<JacobianEntry>& out);

}  // namespace pliant
