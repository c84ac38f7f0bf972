// M a = b on the free coordinates, the prescribed accelerations given: for the first acceleration,
// for explicit stages and for explicit methods. Conjugate gradients with the diagonal: a mass
// matrix is so well conditioned that some twenty iterations reach rounding, and one does for a
// lumped mass.
#pragma once

#include <pliant/system/system.hpp>

namespace pliant {

class MassSolve {
 public:
  // On entry `a` holds the prescribed accelerations in its masked places (and anything elsewhere);
  // on return M_ff a_f = b_f − M_fp a_p. False where it did not converge or is not finite.
  [[nodiscard]] bool solve(const NodeMatrix& M, const DofMask& mask, std::span<const double> b,
                           std::span<double> a);

 private:
  void set_diagonal(const NodeMatrix& M, const DofMask& mask);
  double precondition();

  Vector inverse_, r_, z_, p_, Mp_;
};

}  // namespace pliant
