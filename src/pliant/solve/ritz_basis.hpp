// A growing M-orthonormal basis V with its Rayleigh–Ritz pairs: VᵀKV y = θ y. The mathematics that
// the refinement of eigenpairs is made of.
#pragma once

#include <pliant/solve/eigenpairs.hpp>

namespace pliant {

class RitzBasis {
 public:
  RitzBasis(const EigenProblem& problem, Index capacity);

  Index size() const { return size_; }
  Index room() const { return static_cast<Index>(V_.cols()) - size_; }
  // Adds what is new in the columns of T, as far as there is room and nobody interrupts; zero on
  // the mask first.
  void append(const Eigen::MatrixXd& T, const Interruption& interrupted = {});
  void diagonalize();
  const Vector& values() const { return theta_; }  // ascending, after diagonalize
  Eigen::MatrixXd vectors(Index count) const;      // V Y
  // K x − θ M x of the lowest `count` pairs, zero on the mask, and the M⁻¹ norms of the columns.
  Eigen::MatrixXd residuals(Index count, Vector& norms) const;
  void restart(Index count);  // the basis becomes its lowest Ritz vectors

 private:
  bool orthonormalize(Vector& t, Vector& Mt) const;
  void clear_masked(Vector& x) const;

  const EigenProblem& problem_;
  Eigen::MatrixXd V_, KV_, MV_;  // the products are as long as a solve: each is made once
  Eigen::MatrixXd H_, Y_;
  Vector theta_;
  Index size_ = 0;
};

// One of the entries of largest modulus, the first within rounding, becomes positive.
void fix_signs(Eigen::MatrixXd& X);

// The pairs that have not converged. Of the guards, behind the `count` that are wanted, only the
// first need come close, roughly: that says that nothing was missed; the others help it there.
struct Convergence {
  Index count = 0;
  double tolerance = 0;         // of λ
  double sigma = 0, scale = 0;  // the shift; what rounding is measured by
};
std::vector<Eigen::Index> open_pairs(const Vector& values, const Vector& residuals,
                                     const Convergence& wanted);

// Fixed pseudo-random columns, zero on the mask.
Eigen::MatrixXd fixed_random(const DofMask& mask, Index columns, unsigned seed);

}  // namespace pliant
