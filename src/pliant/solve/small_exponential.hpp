// The exponential of a small dense matrix, by scaling, the [13/13] Padé approximant and squaring
// [Higham 2005], in memory that is kept from one to the next: Krylov methods ask for matrices of
// many sizes within a step.
#pragma once

#include <pliant/solve/low_rank.hpp>

#include <array>

namespace pliant {

class SmallExponential {
 public:
  // exp(A), valid until the next call; not finite where A is not.
  Eigen::Block<Matrix> compute(const Eigen::Ref<const Matrix>& A);

 private:
  void reserve(Eigen::Index n);
  void approximate(Eigen::Index n);  // of A_, into X_

  // A and its powers, the odd and the even part, and the result; the top left corners are in use.
  Matrix A_, A2_, A4_, A6_, T_, U_, V_, X_;
};

}  // namespace pliant
