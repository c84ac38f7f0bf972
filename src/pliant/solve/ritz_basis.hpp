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
  // K x − θ M x for the lowest `count` pairs, zero on the mask, and the M⁻¹ norms of the columns.
  Eigen::MatrixXd residuals(const Eigen::MatrixXd& X, Vector& norms) const;
  void restart(Index count);  // the basis becomes its lowest Ritz vectors

 private:
  bool orthonormalize(Vector& t) const;
  void clear_masked(Vector& x) const;

  const EigenProblem& problem_;
  Eigen::MatrixXd V_, H_, Y_;
  Vector theta_;
  Index size_ = 0;
};

// Fixed pseudo-random columns, zero on the mask.
Eigen::MatrixXd fixed_random(const DofMask& mask, Index columns, unsigned seed);

}  // namespace pliant
