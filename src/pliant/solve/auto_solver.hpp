// Chooses between conjugate gradients and Cholesky from sizes and iteration counts, never from a
// clock, so that a run takes the same decisions on every machine. It begins with conjugate
// gradients; once a solve costs more than a factorisation would, it changes over, and tries again
// after a while, since stiffness comes and goes.
#pragma once

#include <pliant/solve/cholmod_solver.hpp>
#include <pliant/solve/pcg_solver.hpp>

namespace pliant {

class AutoSolver final : public LinearSolver {
 public:
  explicit AutoSolver(bool fast) : cholesky_(CholmodSolver::Kind::llt, fast) {}
  std::string_view name() const override { return "auto"; }
  void analyze(const std::shared_ptr<const BlockPattern>& pattern) override;
  SolveStatus factorize(const BlockMatrix& A) override;
  SolveStatus solve(std::span<const double> b, std::span<double> x,
                    SolveAccuracy accuracy) override;
  long iterations() const override { return pcg_.iterations() + cholesky_.iterations(); }
  bool keeps_factors() const override { return direct_; }
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;

 private:
  double cholesky_cost();

  PcgSolver pcg_;
  CholmodSolver cholesky_;
  std::shared_ptr<const BlockPattern> pattern_;
  const BlockMatrix* A_ = nullptr;
  bool direct_ = false, factorized_ = false;
  long until_retry_ = 0;  // factorisations by Cholesky before conjugate gradients are tried again
  long patience_ = 32;    // the next value of until_retry_, doubled whenever a retry was in vain
};

}  // namespace pliant
