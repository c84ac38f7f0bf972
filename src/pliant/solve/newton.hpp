// Newton's method for r(x) = 0, with a line search on a merit function whose gradient is r where
// there is one (then a minimum is found, not merely a root), else on the norm of r. The tangent is
// taken as it is and replaced by its positive semi-definite projection only when the factorisation
// or the line search asks for it. With direct solvers the factors of an earlier tangent serve as
// long as the measured rate of contraction promises few iterations (modified Newton).
#pragma once

#include <pliant/core/interruption.hpp>
#include <pliant/solve/linear_solver.hpp>

#include <string>

namespace pliant {

class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  virtual bool has_merit() const = 0;
  // r(x), and the merit where there is one (anything else otherwise); +∞ where x is inadmissible.
  virtual double evaluate(std::span<const double> x, std::span<double> r) = 0;
  // The pattern that the tangent at x needs; null: the one it has.
  virtual std::shared_ptr<const BlockPattern> pattern(std::span<const double> /*x*/) { return {}; }
  virtual void tangent(std::span<const double> x, bool project, BlockMatrix& A) = 0;
  // A dense correction of the tangent A just made; null where there is none.
  virtual const LowRank* update(const BlockMatrix& /*A*/) { return nullptr; }
  // Takes out of a direction what may not change.
  virtual void restrict(std::span<double> /*dx*/) const {}
  // A norm of the residual for the line search where there is no merit, and the size of a change of
  // x relative to what x itself is measured by.
  virtual double residual_norm(std::span<const double> r) const = 0;
  virtual double relative_size(std::span<const double> x, std::span<const double> dx) const = 0;
  // How much of dx may be gone from x. Evaluations that follow are on this way.
  virtual double max_step(std::span<const double> /*x*/, std::span<const double> /*dx*/) {
    return 1;
  }
  // A part of a direction was gone, and iterations go on from there.
  virtual void moved(std::span<const double> /*from*/, std::span<const double> /*to*/,
                     double /*part*/) {}
  // Where solutions lie on something curved: a trial that was reached from x along dx is brought to
  // it, by what is small beside dx.
  virtual void bend(std::span<const double> /*x*/, std::span<double> /*trial*/) {}
  // Before every iteration but the first: what is held fixed may be found anew at x, where the part
  // `step` of a change of this relative size has led. True where r and the merit are others now.
  virtual bool renew(std::span<const double> /*x*/, double /*change*/, double /*step*/) {
    return false;
  }
  // While it is not, nothing has converged.
  virtual bool is_settled() const { return true; }
  // The parts of dx, in any order, where the slope of the merit all but jumps (friction that comes
  // to a stop): a line search that fails tries these.
  virtual void kinks(std::span<const double> /*x*/, std::span<const double> /*dx*/,
                     std::vector<double>& /*parts*/) const {}
};

struct NewtonOptions {
  double tolerance = 1e-8;  // relative size of the last change
  int max_iterations = 50;
  bool reuse = false;  // solve with factors of an earlier tangent while that converges fast
  Interruption interrupted = {};  // asked before every iteration
  // Old factors serve as long as no more than so many iterations with them are to come. A solve and
  // a force cost about a fifteenth of a factorisation, and that factor would not be the last
  // either.
  double cheap_iterations = 8;
  bool rough = false;  // more is to come: the last change is searched along like any other
};

enum class NewtonStatus {
  converged,
  too_many_iterations,
  no_descent,
  linear_solve_failed,
  not_finite,
  interrupted
};
std::string_view name_of(NewtonStatus status);

struct NewtonReport {
  NewtonStatus status = NewtonStatus::converged;
  int iterations = 0;      // linear solves for a Newton direction
  int factorizations = 0;  // factorisations, or preconditioners, computed
  int projections = 0;     // tangents that had to be projected
  long linear = 0;         // iterations of the linear solver
  double change = 0;       // relative size of the last change
  bool converged() const { return status == NewtonStatus::converged; }
  void add(const NewtonReport& later);  // its status and change, the counts of both
};

// Everything a solve needs beside the problem; kept between solves so that none allocates.
struct NewtonWorkspace {
  BlockMatrix A;
  Vector r, dx, trial, r_trial;
  std::vector<double> kinks;
  // The solver holds factors of A that may serve for later iterations and later solves of a problem
  // of the same kind; whoever changes the kind sets it to false.
  bool has_factors = false;
  void resize(const std::shared_ptr<const BlockPattern>& pattern);
};

// A at x and its factors; false where it cannot be factorised.
[[nodiscard]] bool factorize_tangent(NewtonProblem& problem, LinearSolver& solver, bool project,
                                     std::span<const double> x, NewtonWorkspace& workspace);

// x holds the start and receives the solution; after a failure it holds the last iterate.
[[nodiscard]] NewtonReport solve_newton(NewtonProblem& problem, LinearSolver& solver,
                                        const NewtonOptions& options, NewtonWorkspace& workspace,
                                        std::span<double> x);

}  // namespace pliant
