// The seam to symmetric indefinite systems, what constraints with multipliers ask for:
//   [ A  Jᵀ ] [x]   [f]
//   [ J −C  ] [y] = [g]
// A symmetric (usually positive definite, and always so on the null space of J where an answer
// exists), C ≥ 0 and diagonal. Rows of J may depend on each other, exactly or nearly, and C may be
// zero. Where equations of such rows contradict each other, the answer meets them in the sense of
// least squares, ‖J x − C y − g‖ being the smallest there is in the units of g, and they are named.
// Among the multipliers of rows that depend on each other the shortest y is taken.
#pragma once

#include <pliant/solve/linear_solver.hpp>

#include <Eigen/Sparse>

#include <vector>

namespace pliant {

struct KktMatrix {
  Eigen::SparseMatrix<double> A;  // the lower triangle is read; the upper may be there or not
  Eigen::SparseMatrix<double, Eigen::RowMajor> J;
  Vector C;
  // A size of g known otherwise: rows that miss each other by less than rounding of it do not
  // contradict each other.
  double unit = 0;

  Index unknowns() const { return static_cast<Index>(A.rows()); }
  Index rows() const { return static_cast<Index>(J.rows()); }
};

struct KktReport {
  SolveStatus status = SolveStatus::ok;
  int null_rows = 0;                 // rows that say nothing the others do not say
  double regularization = 0;         // added to C in scaled rows; 0 unless it was needed
  double residual = 0;               // after refinement, over the right-hand side, in scaled rows
  std::vector<Index> contradictory;  // rows of J whose equations cannot all be met, ascending
  double contradiction = 0;          // the most by which one of them is missed, in the units of g
  int negative = 0;                  // eigenvalues below zero; −1 where the solver does not know
  int iterations = 0;                // solves with the factors, or steps of the iteration
};

class KktSolver {
 public:
  virtual ~KktSolver() = default;
  virtual std::string_view name() const = 0;
  // Analyses the pattern where it is a new one. The matrix may go afterwards. Throws InputError for
  // sizes that do not fit and for a C below zero.
  [[nodiscard]] virtual SolveStatus factorize(const KktMatrix& matrix) = 0;
  [[nodiscard]] virtual KktReport solve(const Vector& f, const Vector& g, Vector& x, Vector& y) = 0;
};

// The list of names that make_kkt_solver knows.
std::span<const LinearSolverInfo> kkt_solvers();
bool mumps_built();  // PLIANT_MUMPS

// `iterations`: of minres, which then ends after so many; 0: until it has converged.
std::unique_ptr<KktSolver> make_kkt_solver(std::string_view name, int iterations = 0);

}  // namespace pliant
