#include <pliant/solve/auto_solver.hpp>

#include <algorithm>

namespace pliant {
namespace {

// Costs in nanoseconds of a typical core, fitted once to bench `beam` (three sizes of tet4, tet10
// and hex8) and fixed since then: only their ratios matter. A flop of a supernodal factorisation is
// a dense one; what grows with the entries of L is copying, bookkeeping and the triangular solves.
constexpr double kFactorFlop = 0.045;
constexpr double kFactorEntry = 22;
constexpr double kProductBlock =
    4.5;  // one block in one iteration, its share of vector work included

constexpr long kFreeIterations = 40;  // below this a solve is cheap whatever the factor would cost
constexpr long kMostPatience = 4096;

}  // namespace

void AutoSolver::analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  pattern_ = pattern;
  pcg_.analyze(pattern);
}

// The first call orders and analyses the matrix, so it is made only when iterations are many.
double AutoSolver::cholesky_cost() {
  if (!cholesky_.analyzed()) cholesky_.analyze(pattern_);
  return kFactorFlop * cholesky_.factor_flops() + kFactorEntry * cholesky_.factor_entries();
}

SolveStatus AutoSolver::factorize(const BlockMatrix& A) {
  A_ = &A;
  if (!pattern_) analyze(A.shared_pattern());
  if (direct_ && --until_retry_ <= 0) direct_ = false;
  factorized_ = direct_;
  return direct_ ? cholesky_.factorize(A) : pcg_.factorize(A);
}

SolveStatus AutoSolver::solve(std::span<const double> b, std::span<double> x,
                              SolveAccuracy accuracy) {
  if (!factorized_) {
    const double per_iteration = kProductBlock * pattern_->blocks();
    long budget = kFreeIterations;
    if (cholesky_.analyzed())
      budget = std::max(budget, static_cast<long>(cholesky_cost() / per_iteration));
    pcg_.limit_iterations(budget);
    SolveStatus status = pcg_.solve(b, x, accuracy);
    if (status == SolveStatus::not_converged && !cholesky_.analyzed()) {
      pcg_.limit_iterations(std::max(budget, static_cast<long>(cholesky_cost() / per_iteration)));
      status = pcg_.solve(b, x, accuracy);
    }
    if (status != SolveStatus::not_converged) {
      if (status == SolveStatus::ok && pcg_.last_iterations() < budget / 2) patience_ = 32;
      return status;
    }
    direct_ = factorized_ = true;
    until_retry_ = patience_;
    patience_ = std::min(2 * patience_, kMostPatience);
    if (const SolveStatus factors = cholesky_.factorize(*A_); factors != SolveStatus::ok)
      return factors;
  }
  return cholesky_.solve(b, x, accuracy);
}

std::vector<double> AutoSolver::memory() const {
  return {direct_ ? 1.0 : 0.0, static_cast<double>(until_retry_), static_cast<double>(patience_),
          cholesky_.analyzed() ? 1.0 : 0.0};
}

void AutoSolver::restore(std::span<const double> memory) {
  if (memory.size() != 4) return;
  direct_ = memory[0] != 0;
  until_retry_ = static_cast<long>(memory[1]);
  patience_ = static_cast<long>(memory[2]);
  if (memory[3] != 0 && pattern_) cholesky_.analyze(pattern_);
}

}  // namespace pliant
