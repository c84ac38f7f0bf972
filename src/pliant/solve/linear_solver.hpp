// The one seam to linear algebra: analyse a pattern once, factorise values often, solve more often.
#pragma once

#include <pliant/solve/low_rank.hpp>
#include <pliant/sparse/block_matrix.hpp>

#include <memory>
#include <string_view>

namespace pliant {

enum class SolveStatus {
  ok,
  not_positive_definite,  // a negative pivot or negative curvature was met
  not_converged,          // an iterative solver ran out of iterations
  failed                  // singular, out of memory, or not a number
};
std::string_view name_of(SolveStatus status);

// How an iterative solver stores the matrix for its products: as it is, or in single precision with
// residuals in double (solve/pcg_solver.hpp). Answers are as exact either way.
enum class Precision { full, mixed };

struct LinearOptions {
  bool fast = false;  // BLAS may use as many threads as it likes: results then depend on them
  Precision precision = Precision::full;
};

// How exactly a solve is asked for; direct solvers always solve to rounding.
struct SolveAccuracy {
  double relative = 1e-12;  // ‖b − A x‖ ≤ relative ‖b‖ in the norm of the preconditioner
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual std::string_view name() const = 0;
  virtual void analyze(const std::shared_ptr<const BlockPattern>& pattern) = 0;
  // A must have the analysed pattern and, for iterative solvers, stay alive until the last solve.
  [[nodiscard]] virtual SolveStatus factorize(const BlockMatrix& A) = 0;
  [[nodiscard]] virtual SolveStatus solve(std::span<const double> b, std::span<double> x,
                                          SolveAccuracy accuracy) = 0;
  // Where the nodes are that the next matrices are about, for solvers that make use of it.
  virtual void set_nodes(std::span<const double> /*q*/) {}
  // The next factorisations and their solves are of A + Y Zᵀ; null ends it. The update stays alive
  // and unchanged until the last solve with it.
  virtual void set_update(const LowRank* update) = 0;
  // Iterations of all solves so far; a direct solve counts as one.
  virtual long iterations() const = 0;
  // True where another solve with the same factors is cheap beside factorising anew.
  virtual bool keeps_factors() const { return true; }
  // Tells a solver that chooses for itself whether its factors will serve for later matrices too.
  virtual void expect_reuse() {}
  // Tells a direct solver that patterns a little different from each other will follow: it keeps
  // its order of elimination while it serves, and that is part of its memory.
  virtual void expect_patterns() {}
  // Makes the factors of A again after a restore, without counting it as a decision.
  [[nodiscard]] virtual SolveStatus refactorize(const BlockMatrix& A) { return factorize(A); }
  // What its decisions depend on beside its input, so that a resumed run decides alike.
  virtual std::vector<double> memory() const { return {}; }
  virtual void restore(std::span<const double>) {}
};

struct LinearSolverInfo {
  std::string_view name, description;
};
// The list of solvers that the scene's `solver.linear` may name.
std::span<const LinearSolverInfo> linear_solvers();

std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name,
                                                 const LinearOptions& options = {});

// A solver that is analysed when it first meets a pattern, and whose memory may be restored before
// that.
class PreparedSolver {
 public:
  explicit PreparedSolver(std::string_view name, const LinearOptions& options = {})
      : solver_(make_linear_solver(name, options)) {}
  // True where the pattern is a new one.
  bool prepare(const std::shared_ptr<const BlockPattern>& pattern);
  LinearSolver& operator*() const { return *solver_; }
  LinearSolver* operator->() const { return solver_.get(); }
  // While a restored memory waits for the pattern, it is the memory.
  std::vector<double> memory() const { return waiting_.empty() ? solver_->memory() : waiting_; }
  void restore(std::span<const double> memory) { waiting_.assign(memory.begin(), memory.end()); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> waiting_;
};

}  // namespace pliant
