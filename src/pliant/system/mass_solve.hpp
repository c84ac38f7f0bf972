// M a = b on the free coordinates, the prescribed accelerations given: for the first acceleration,
// for explicit stages and for explicit and exponential methods. Conjugate gradients with the
// diagonal: a mass matrix is so well conditioned that some twenty to forty iterations reach
// rounding, and one does for a lumped mass. Methods that solve many times in a step have the
// constant M factorised once for each set of pins instead, where the factors are small enough for a
// solve with them to be cheaper.
#pragma once

#include <pliant/solve/node_cholesky.hpp>
#include <pliant/system/system.hpp>

#include <memory>

namespace pliant {

enum class MassMethod { iterative, factorized };

class MassSolve {
 public:
  explicit MassSolve(MassMethod method = MassMethod::iterative) : method_(method) {}
  // On entry `a` holds the prescribed accelerations in its masked places (and anything elsewhere);
  // on return M_ff a_f = b_f − M_fp a_p. False where it did not converge or is not finite.
  [[nodiscard]] bool solve(const NodeMatrix& M, const DofMask& mask, std::span<const double> b,
                           std::span<double> a);

 private:
  void set_diagonal(const NodeMatrix& M, const DofMask& mask);
  double precondition();
  bool factorized(const NodeMatrix& M, const DofMask& mask);
  bool iterate(const NodeMatrix& M, std::span<double> a);

  MassMethod method_;
  std::unique_ptr<NodeCholesky> factors_;
  const double* factors_of_ = nullptr;  // the numbers of M, and the mask, that were tried
  DofMask mask_;
  Vector inverse_, r_, z_, p_, Mp_;
};

}  // namespace pliant
