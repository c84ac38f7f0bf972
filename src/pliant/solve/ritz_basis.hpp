// A growing M-orthonormal basis V with its Rayleigh–Ritz pairs: VᵀKV y = θ y. The mathematics that
// the refinement of eigenpairs is made of. Columns come in blocks and are made orthonormal together
// (Stathopoulos and Wu 2002, "A block orthogonalization procedure with constant synchronization
// requirements"), so that most of the work is products of matrices.
#pragma once

#include <pliant/solve/eigenpairs.hpp>

namespace pliant {

class RitzBasis {
 public:
  // Empty, with room for so many columns. The problem stays alive. The memory of a basis before is
  // used again.
  void open(const EigenProblem& problem, Index capacity);

  Index size() const { return size_; }
  Index room() const { return capacity_ - size_; }
  // Adds what is new in the columns of T, as far as there is room and nobody interrupts; zero on
  // the mask first. Returns of each column the length of what was new, in the norm of M.
  Vector append(Eigen::MatrixXd T, const Interruption& interrupted = {});
  void diagonalize();
  const Vector& values() const { return theta_; }  // ascending, after diagonalize
  Eigen::MatrixXd vectors(Index count) const;      // V Y
  // K x − θ M x of the lowest `count` pairs, zero on the mask.
  Eigen::MatrixXd residuals(Index count) const;
  Vector residual_norms(const Eigen::MatrixXd& R) const;  // of the columns, in the norm of M⁻¹
  void restart(Index count);  // the basis becomes its lowest Ritz vectors

 private:
  void clear_masked(Eigen::MatrixXd& X) const;
  void multiply_by_mass(const Eigen::MatrixXd& T);  // into MT_
  bool make_new(Eigen::MatrixXd& T, Vector& lengths);
  bool make_orthonormal(Eigen::MatrixXd& T);

  const EigenProblem* problem_ = nullptr;
  std::vector<Eigen::Index> masked_;
  Eigen::MatrixXd V_, KV_, MV_;  // the products are as long as a solve: each is made once
  Eigen::MatrixXd MT_, KT_, H_, Y_;
  Vector theta_;
  Index capacity_ = 0, size_ = 0;
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
