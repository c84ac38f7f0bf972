// Complementarity problems on a Schur complement: find λ with w = W λ + b and, row by row,
//   λ in [lower, upper],  w ≥ 0 at the lower bound, w ≤ 0 at the upper one, w = 0 between,
// and for cones of Coulomb friction, a normal row and two tangential ones,
//   |λ_t| ≤ μ λ_n,  w_t = 0 inside, w_t against λ_t on the rim (the point slides).
// W is symmetric and positive semidefinite. Equalities are rows without bounds. Without friction
// this is a convex program with an answer unless it is infeasible; with friction there may be
// several answers.
//
// Projected Gauss–Seidel is cheap and never fails badly, but its last digits are slow to come. So
// `solve_lcp` goes from its sweeps to Newton's method on the natural map λ − P(λ − w) (Alart and
// Curnier 1991), and back to sweeps where Newton's method strays; from the second time on Newton's
// method solves a sequence of better-natured problems that leads to the given one.
#pragma once

#include <pliant/solve/linear_solver.hpp>

#include <Eigen/Sparse>

#include <array>
#include <vector>

namespace pliant {

struct FrictionCone {
  Index normal = 0;                 // its lower bound is zero or above
  std::array<Index, 2> tangents{};  // their bounds are not read
  double mu = 0;
};

struct LcpProblem {
  Eigen::SparseMatrix<double, Eigen::RowMajor> W;  // all of it, not a triangle
  Vector b, lower, upper;                          // infinite where there is no bound
  std::vector<FrictionCone> cones;                 // no row in two of them
};

struct LcpOptions {
  double tolerance = 1e-10;  // of the residual
  int sweeps = 50;           // between two looks at the residual, and two tries of Newton's method
  int max_sweeps = 2000;
  double relaxation = 1;     // above 0, below 2
  int newton = 30;           // steps of one try; 0: sweeps alone
  int max_newton = 1000000;  // steps of all tries, after which no further one begins
};

struct LcpReport {
  SolveStatus status = SolveStatus::ok;
  int sweeps = 0, newton = 0;
  // The largest |λ − P(λ − w)| over the largest of |λ| and |b|, rows scaled to W_ii = 1.
  double residual = 0;
  // λ can grow for ever to no avail: what the rows ask for contradicts itself. The status is then
  // `failed`, λ the best that was met, and these are the rows that grow.
  std::vector<Index> infeasible;
};

// λ holds a guess where it has the right size, and receives the answer. Rows are visited in their
// order, whatever the number of threads. Throws InputError for sizes that do not fit, bounds that
// cross, a W_ii below zero, a μ below zero, rows in two cones and options out of range.
[[nodiscard]] LcpReport solve_lcp(const LcpProblem& problem, Vector& lambda,
                                  const LcpOptions& options = {});

}  // namespace pliant
