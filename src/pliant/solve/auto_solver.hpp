// Chooses between conjugate gradients and Cholesky from sizes and iteration counts, never from a
// clock, so that a run takes the same decisions on every machine. It begins with conjugate
// gradients; once a solve costs more than it would with factors, it changes over, and tries again
// after a while, since stiffness comes and goes. Factors that serve for many solves (modified
// Newton) cost less each, but stale ones need more solves.
#pragma once

#include <pliant/solve/cholmod_solver.hpp>
#include <pliant/solve/pcg_solver.hpp>

namespace pliant {

class AutoSolver final : public LinearSolver {
 public:
  explicit AutoSolver(const LinearOptions& options)
      : pcg_(options.precision), cholesky_(CholmodSolver::Kind::llt, options.fast) {}
  std::string_view name() const override { return "auto"; }
  void analyze(const std::shared_ptr<const BlockPattern>& pattern) override;
  SolveStatus factorize(const BlockMatrix& A) override;
  SolveStatus solve(std::span<const double> b, std::span<double> x,
                    SolveAccuracy accuracy) override;
  void set_nodes(std::span<const double> q) override { pcg_.set_nodes(q); }
  void set_update(const LowRank* update) override {
    pcg_.set_update(update);
    cholesky_.set_update(update);
  }
  void expect_reuse() override { served_ = 20; }
  void expect_patterns() override { cholesky_.expect_patterns(); }
  SolveStatus refactorize(const BlockMatrix& A) override;
  long iterations() const override { return pcg_.iterations() + cholesky_.iterations(); }
  bool keeps_factors() const override { return factorized_; }
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;

 private:
  void analyze_cholesky();
  double direct_cost() const;
  long budget() const;
  bool is_cost_known() const { return entries_ > 0; }
  bool reused() const { return served_ >= 2 && changes_ < 0.5; }
  SolveStatus change_over();
  SolveStatus iterate_to_the_end(std::span<const double> b, std::span<double> x,
                                 SolveAccuracy accuracy);

  PcgSolver pcg_;
  CholmodSolver cholesky_;
  std::shared_ptr<const BlockPattern> pattern_;
  const BlockMatrix* A_ = nullptr;
  bool direct_ = false, factorized_ = false;
  bool analyzed_ = false;                   // is this pattern, for factors?
  double flops_ = 0, entries_ = 0;          // of factors of the last pattern that was
  double served_ = 1;                       // solves that one factorisation serves, a running mean
  double changes_ = 0;                      // new patterns for one factorisation, a running mean
  std::uint64_t hash_ = 0, last_hash_ = 0;  // of the pattern now, and at the last factorisation
  long solves_ = 0;                         // with the factors at hand
  long iterated_ = 0;                       // solves before the factors' cost was known
  long until_retry_ = 0;  // factorisations by Cholesky before conjugate gradients are tried again
  long patience_ = 32;    // the next value of until_retry_, doubled whenever a retry was in vain
};

}  // namespace pliant
