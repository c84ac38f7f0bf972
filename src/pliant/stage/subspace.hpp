// A few directions of motion, M-orthonormal, whose coordinates are known at the end of a stage (the
// exponential hybrids move them by their own flow), so that the stage is solved in the complement
// only. With P = X Yᵀ the projector onto them, A is replaced by
//   (I − P)ᵀ A (I − P) + Pᵀ M P = A + [W Y] [−Y, Y (S + I) − W]ᵀ,   W = A X,  S = Xᵀ A X,
// a low-rank update that stays positive definite where A is, also when X is no longer made of
// eigenvectors; ASCHER (25) up to that symmetrisation.
#pragma once

#include <pliant/solve/low_rank.hpp>
#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

struct Subspace {
  Matrix X;  // zero on prescribed coordinates
  Matrix Y;  // M X on free coordinates, zero on prescribed ones; Xᵀ Y = I

  Eigen::Index size() const { return X.cols(); }
  void remove_from_force(std::span<double> r) const {  // r ← (I − P)ᵀ r
    as_vector(r).noalias() -= Y * (X.transpose() * as_vector(r));
  }
  void remove_from_motion(std::span<double> v) const {  // v ← (I − P) v
    as_vector(v).noalias() -= X * (Y.transpose() * as_vector(v));
  }
  // A has the prescribed coordinates removed. The first `kept` columns of the update are a part of
  // A and stay; those of the subspace come behind them.
  void make_update(const BlockMatrix& A, Eigen::Index kept, LowRank& update) const;
};

}  // namespace pliant
