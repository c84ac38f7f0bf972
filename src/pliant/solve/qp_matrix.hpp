// The matrix P + Gᵀ W G of a quadratic program, factorised by sparse Cholesky. W is diagonal but
// for the rows that come in pairs, where it has 2×2 blocks.
//
// The other way, the Schur complement G P⁻¹ Gᵀ on the factors of P, is dense and takes as many
// solves as there are rows; contacts of many bodies come in thousands (LOESCHNER §4 turns it down
// for the same reason). Here a row adds the blocks of its few nodes, most of which are there
// already, and a matrix with other weights costs one numerical factorisation.
#pragma once

#include <pliant/solve/linear_solver.hpp>
#include <pliant/solve/node_rows.hpp>

namespace pliant {

struct RowWeights {
  Vector diagonal;  // one per row
  Vector cross;     // one per pair
  friend bool operator==(const RowWeights&, const RowWeights&) = default;
};

class QpMatrix {
 public:
  explicit QpMatrix(bool fast) : solver_("cholesky", fast) {}

  // The rows from `first_pair` on are pairs over the same nodes. P, its dense part (null: none) and
  // G stay alive.
  void set(const BlockMatrix& P, const LowRank* dense, const NodeRows& G, Index first_pair);
  void forget() { base_ = nullptr; }  // patterns of rows before
  // Nothing is done where the weights are those of the factors at hand.
  [[nodiscard]] SolveStatus factorize(const RowWeights& W);
  [[nodiscard]] SolveStatus solve(std::span<const double> b, std::span<double> x);
  int factorizations() const { return factorizations_; }

 private:
  bool covered() const;
  void extend();
  void add_product(Index row, Index other, double weight);

  PreparedSolver solver_;
  const BlockMatrix* P_ = nullptr;
  const LowRank* dense_ = nullptr;
  const NodeRows* G_ = nullptr;
  Index first_pair_ = 0;
  std::shared_ptr<const BlockPattern> base_, pattern_;
  std::vector<Index> place_;  // of the base's blocks in pattern_; empty while they are the same
  BlockMatrix A_;
  RowWeights factored_;
  bool factorized_ = false;
  int factorizations_ = 0;
};

}  // namespace pliant
