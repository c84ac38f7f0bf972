// Minimal residuals for symmetric systems, definite or not, preconditioned by something positive
// definite (Paige and Saunders 1975): three-term Lanczos recurrences, a rotation a step, memory for
// seven vectors. A singular system with an answer is no difficulty.
#pragma once

#include <pliant/solve/linear_solver.hpp>

#include <functional>

namespace pliant {

// out = operator × in; `out` has the right size already.
using VectorOperator = std::function<void(const Vector& in, Vector& out)>;

struct MinresOptions {
  double relative = 1e-12;  // ‖b − K x‖ ≤ relative ‖b‖ in the norm of the preconditioner
  int max_iterations = 10'000;
};

struct MinresReport {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;
  double residual = 0;  // as the recurrence knows it, relative to that of the guess
};

// x holds a guess and receives the solution. `precondition` applies the inverse of the
// preconditioner; not_positive_definite where it turns out not to be positive definite.
[[nodiscard]] MinresReport solve_minres(const VectorOperator& K, const VectorOperator& precondition,
                                        const Vector& b, Vector& x,
                                        const MinresOptions& options = {});

}  // namespace pliant
