#include <pliant/solve/auto_solver.hpp>

#include <algorithm>

namespace pliant {
namespace {

// Costs in nanoseconds of a typical core, fitted once to bench `beam` (three sizes of tet4, tet10
// and hex8) and fixed since then: only their ratios matter. A flop of a supernodal factorisation is
// a dense one; what grows with the entries of L is copying, bookkeeping and the triangular solves.
constexpr double kFactorFlop = 0.045;
constexpr double kFactorEntry = 22;
constexpr double kSolveEntry = 1.7;     // one entry of L in a pair of triangular solves
constexpr double kProductBlock = 3.3;   // one block in one iteration, with its share of vector work
constexpr double kAssemblyBlock = 42;   // one block of a matrix that stale factors do without
constexpr double kStaleSolves = 3;      // solves with stale factors for one with fresh ones
constexpr double kAnalysisBlock = 520;  // one block of a pattern that is analysed anew

constexpr long kFreeIterations = 40;  // below this a solve is cheap whatever the factor would cost
constexpr long kFewIterations = 4;    // the same once the cost of factors is known
constexpr long kSolvesBeforeAnalysis = 20;
constexpr long kMostPatience = 4096;
constexpr std::size_t kOwn = 11;  // numbers of its own memory

}  // namespace

void AutoSolver::analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  hash_ = hash_of(*pattern);
  analyzed_ = false;
  pattern_ = pattern;
  pcg_.analyze(pattern);
}

// Orders and analyses the matrix, so it is made only when iterations are many or factors are
// wanted. Until then what factors of an earlier pattern cost is a good guess.
void AutoSolver::analyze_cholesky() {
  if (analyzed_) return;
  cholesky_.analyze(pattern_);
  analyzed_ = true;
  flops_ = cholesky_.factor_flops();
  entries_ = cholesky_.factor_entries();
}

// Of one solve by factors, its share of the factorisation included. Where factors serve for later
// matrices, these need not be assembled, but it takes more solves. Contacts that come and go bring
// new patterns, whose analysis costs as much as many iterations.
double AutoSolver::direct_cost() const {
  const double factor = kFactorFlop * flops_ + kFactorEntry * entries_ +
                        changes_ * kAnalysisBlock * pattern_->blocks();
  if (!reused()) return factor;
  return kStaleSolves * (kSolveEntry * entries_ + factor / served_) -
         kAssemblyBlock * pattern_->blocks();
}

// The iterations that a solve by conjugate gradients is worth.
long AutoSolver::budget() const {
  if (!is_cost_known()) return kFreeIterations;
  const double per_iteration = kProductBlock * pattern_->blocks();
  const long least = reused() ? kFewIterations : kFreeIterations;
  return std::max(least, static_cast<long>(direct_cost() / per_iteration));
}

SolveStatus AutoSolver::factorize(const BlockMatrix& A) {
  A_ = &A;
  if (!pattern_) analyze(A.shared_pattern());
  changes_ = 0.75 * changes_ + (last_hash_ != 0 && last_hash_ != hash_ ? 0.25 : 0.0);
  last_hash_ = hash_;
  if (direct_) {
    if (solves_ > 0) served_ = 0.75 * served_ + 0.25 * static_cast<double>(solves_);
    if (--until_retry_ <= 0) direct_ = false;
  }
  solves_ = 0;
  return refactorize(A);
}

SolveStatus AutoSolver::refactorize(const BlockMatrix& A) {
  A_ = &A;
  factorized_ = direct_;
  if (!direct_) return pcg_.factorize(A);
  analyze_cholesky();
  return cholesky_.factorize(A);
}

SolveStatus AutoSolver::change_over() {
  direct_ = true;
  until_retry_ = patience_;
  patience_ = std::min(2 * patience_, kMostPatience);
  analyze_cholesky();
  const SolveStatus status = cholesky_.factorize(*A_);
  factorized_ = status == SolveStatus::ok;
  return status;
}

SolveStatus AutoSolver::solve(std::span<const double> b, std::span<double> x,
                              SolveAccuracy accuracy) {
  if (!factorized_) {
    // Where factors may serve for long, it is worth knowing early what they cost.
    if (reused() && !is_cost_known() && ++iterated_ > kSolvesBeforeAnalysis) analyze_cholesky();
    long limit = budget();
    pcg_.limit_iterations(limit);
    SolveStatus status = pcg_.solve(b, x, accuracy);
    if (status == SolveStatus::not_converged && !is_cost_known()) {
      analyze_cholesky();
      pcg_.limit_iterations(limit = budget());
      status = pcg_.solve(b, x, accuracy);
    }
    if (status != SolveStatus::not_converged) {
      if (status == SolveStatus::ok && pcg_.last_iterations() < limit / 2) patience_ = 32;
      return status;
    }
    status = change_over();
    if (status == SolveStatus::failed) return iterate_to_the_end(b, x, accuracy);
    if (status != SolveStatus::ok) return status;
  }
  ++solves_;
  return cholesky_.solve(b, x, accuracy);
}

// Where the factors do not fit into memory, iterations are all there is.
SolveStatus AutoSolver::iterate_to_the_end(std::span<const double> b, std::span<double> x,
                                           SolveAccuracy accuracy) {
  direct_ = factorized_ = false;
  pcg_.limit_iterations(10'000);
  return pcg_.solve(b, x, accuracy);
}

std::vector<double> AutoSolver::memory() const {
  const auto number = [](auto count) { return static_cast<double>(count); };
  std::vector<double> out = {number(direct_),
                             number(until_retry_),
                             number(patience_),
                             served_,
                             number(solves_),
                             number(iterated_),
                             flops_,
                             entries_,
                             changes_,
                             number(last_hash_ >> 32),
                             number(last_hash_ & 0xffffffffu)};
  const std::vector<double> plain = pcg_.memory();
  out.insert(out.end(), plain.begin(), plain.end());
  const std::vector<double> order = cholesky_.memory();
  out.insert(out.end(), order.begin(), order.end());
  return out;
}

void AutoSolver::restore(std::span<const double> memory) {
  if (memory.size() < kOwn + PcgSolver::kMemory) return;
  direct_ = memory[0] != 0;
  until_retry_ = static_cast<long>(memory[1]);
  patience_ = static_cast<long>(memory[2]);
  served_ = memory[3];
  solves_ = static_cast<long>(memory[4]);
  iterated_ = static_cast<long>(memory[5]);
  flops_ = memory[6];
  entries_ = memory[7];
  changes_ = memory[8];
  last_hash_ = static_cast<std::uint64_t>(memory[9]) << 32 | static_cast<std::uint64_t>(memory[10]);
  analyzed_ = false;
  pcg_.restore(memory.subspan(kOwn, PcgSolver::kMemory));
  cholesky_.restore(memory.subspan(kOwn + PcgSolver::kMemory));
}

}  // namespace pliant
