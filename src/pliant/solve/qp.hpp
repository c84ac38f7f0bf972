// Convex quadratic programs over nodes, or reduced to their rows,
//   minimise ½ xᵀ P x + cᵀ x + Σ_pairs r ‖(G x)_pair − s‖   subject to   l ≤ G x ≤ u on single
//   rows,
// P symmetric positive definite. The pairs are what Coulomb friction asks for: the multiplier of a
// pair stays in the disc of radius r, and points against its motion once it moves.
//
// Two methods in turn. Operator splitting as in OSQP (Stellato, Banjac, Goulart, Bemporad and Boyd,
// 2020), with z = G x split off, over-relaxation and a weight ρ that adapts; since P is definite it
// needs no σ. It is robust (redundant rows do not matter to it) and finds out where rows contradict
// each other, but it is slow to become exact. So from where it has come to, the augmented
// Lagrangian is minimised by Newton's method (its Hessian jumps where rows become active, and it is
// convex and once differentiable), which ends after a few factorisations with an answer that is
// right to rounding; it takes the place of OSQP's polishing.
//
// Scaling is that of LOESCHNER §4.1, columns by diag(P)^−½ and then rows to length one; instead of
// scaled copies, ρ is given a metric of its own in each row, which comes to the same.
#pragma once

#include <pliant/solve/qp_dense.hpp>
#include <pliant/solve/qp_matrix.hpp>

#include <string>

namespace pliant {

struct QpProblem {
  const BlockMatrix* P = nullptr;
  const LowRank* dense = nullptr;        // of P: P + Y Zᵀ is positive definite; null: none
  NodeRows G;                            // single rows, then pairs over the same nodes
  const ReducedRows* reduced = nullptr;  // in place of P and G, see qp_dense.hpp
  Vector c;
  Vector lower, upper;  // of single rows; infinite where there is no bound
  Vector radius;        // r ≥ 0, one per pair
  Vector shift;         // s, two per pair
  // A size of G x that is known otherwise: where all numbers above are but rounding, residuals are
  // measured by it.
  double unit = 0;

  Index singles() const { return static_cast<Index>(lower.size()); }
  Index pairs() const { return static_cast<Index>(radius.size()); }
};

struct QpOptions {
  double tolerance = 1e-9;    // of both residuals, relative
  int max_iterations = 4000;  // of the splitting
  double relaxation = 1.6;
  bool polish = true;
  bool fast = false;  // see make_linear_solver
};

struct QpReport {
  bool ok = true;
  std::string reason;  // why not
  bool infeasible = false, polished = false;
  int iterations = 0, newton = 0, factorizations = 0;
  double primal = 0, dual = 0;  // residuals, relative
  QpReport& fail(std::string why) {
    ok = false;
    reason = std::move(why);
    return *this;
  }
};

class QpSolver {
 public:
  explicit QpSolver(const QpOptions& options = {}) : options_(options), matrix_(options.fast) {}

  // x and y (a multiplier for each row: P x + c + Gᵀ y = 0, y ≤ 0 at a lower bound) hold a guess
  // where they have the right size, and receive the solution. A guess that is near is refined
  // before anything is split. Throws InputError for bounds that cross and for sizes that do not
  // fit.
  enum class Guess { any, near };
  [[nodiscard]] QpReport solve(const QpProblem& problem, Vector& x, Vector& y,
                               Guess guess = Guess::any);
  // What it learnt of problems before, ρ and the pattern, no longer matters: the next answer is
  // that of a new solver, to the last bit.
  void forget();

 private:
  void prepare(const QpProblem& problem, Vector& x, Vector& y);
  void set_metric();
  bool contradicts_itself(QpReport& report) const;
  SolveStatus split(Vector& x, Vector& y);
  bool has_no_point(const Vector& change) const;
  void adapt(const Vector& x, const Vector& y);
  bool polish(Vector& x, Vector& y, QpReport& report);
  SolveStatus minimise(Vector& x, const Vector& y, QpReport& report);
  double dual_residual(const Vector& x, const Vector& y) const;
  void measure(const Vector& x, const Vector& y, QpReport& report);

  // Of the terms of one row or pair, φ(z), at weight ρ: z = argmin φ(z) + ρ/2 (z − w)² with its
  // multiplier y = ρ (w − z), the value at the minimum, and the second derivative of that by w.
  void prox(const Vector& w, const Vector& rho, Vector& z, Vector& y) const;
  double envelope(const Vector& w, const Vector& rho) const;
  void curvature(const Vector& w, const Vector& rho, RowWeights& W) const;
  double merit(const Vector& x, const Vector& y);

  QpOptions options_;
  QpMatrix matrix_;
  QpDense dense_;
  QpForm* form_ = nullptr;  // one of the two
  const QpProblem* problem_ = nullptr;
  Vector column_;  // diag(P)^−½
  Vector metric_;  // of rows: one over the squared length of a row in scaled columns
  double rho_ = 1;
  Vector rho_rows_, z_, Gx_, Px_, w_, r_, g_, step_, trial_;
  RowWeights weights_;
  double scale_ = 0, multiplier_ = 0;  // of G x and of y, in scaled rows
};

}  // namespace pliant
