// Conjugate gradients on the assembled matrix, preconditioned with the inverses of its 3×3 diagonal
// blocks. Cheap where the mass dominates (soft bodies, small steps); the iteration count grows with
// stiffness and with incompressibility.
#pragma once

#include <pliant/solve/linear_solver.hpp>

#include <vector>

namespace pliant {

class PcgSolver final : public LinearSolver {
 public:
  std::string_view name() const override { return "pcg"; }
  void analyze(const std::shared_ptr<const BlockPattern>& pattern) override;
  SolveStatus factorize(const BlockMatrix& A) override;
  SolveStatus solve(std::span<const double> b, std::span<double> x,
                    SolveAccuracy accuracy) override;
  void set_update(const LowRank* update) override { update_ = update; }
  long iterations() const override { return iterations_; }
  bool keeps_factors() const override { return false; }

  void limit_iterations(long limit) { limit_ = limit; }  // per solve
  long last_iterations() const { return last_; }

 private:
  double multiply_dot();                              // Ap = (A + Y Zᵀ) p, returns p·Ap
  double precondition(std::size_t i);                 // z = P⁻¹ r at node i, returns its r·z
  double precondition();                              // at every node
  double advance(double alpha, std::span<double> x);  // x += α p, r −= α Ap, then precondition
  long iterate(std::span<double> x, double target, SolveStatus& status);

  const BlockMatrix* A_ = nullptr;
  const LowRank* update_ = nullptr;
  std::vector<double> inverse_;  // the upper triangle of each inverse diagonal block, six numbers
  Vector r_, z_, p_, Ap_;
  long limit_ = 10'000, last_ = 0, iterations_ = 0;
};

}  // namespace pliant
