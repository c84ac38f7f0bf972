// P + Gᵀ W G of a quadratic program over nodes, factorised by sparse Cholesky. A row adds the
// blocks of its few nodes, most of which are there already, and a matrix with other weights costs
// one numerical factorisation. So it serves contacts that come in thousands (LOESCHNER §4 turns the
// Schur complement G P⁻¹ Gᵀ down for their sake); where rows are few, qp_dense.hpp is far faster.
#pragma once

#include <pliant/solve/node_rows.hpp>
#include <pliant/solve/qp_form.hpp>

namespace pliant {

class QpMatrix final : public QpForm {
 public:
  explicit QpMatrix(bool fast) : solver_("cholesky", {.fast = fast}) {}

  // The rows from `first_pair` on are pairs over the same nodes. P, its dense part (null: none) and
  // G stay alive.
  void set(const BlockMatrix& P, const LowRank* dense, const NodeRows& G, Index first_pair);
  void forget() { base_ = nullptr; }  // patterns of rows before

  Index rows() const override { return G_->rows(); }
  Eigen::Index dofs() const override { return 3 * P_->pattern().rows; }
  void multiply_P(const Vector& x, Vector& Px) const override;
  void multiply_G(const Vector& x, Vector& z) const override { G_->multiply(view(x), view(z)); }
  void add_transposed(const Vector& y, Vector& x) const override {
    G_->add_transposed(view(y), view(x));
  }
  void inverse_roots(Vector& scale) const override;
  double squared_length(Index row, const Vector& scale) const override;
  [[nodiscard]] SolveStatus solve(const Vector& b, Vector& x) override;

 private:
  [[nodiscard]] SolveStatus factorize_anew(const RowWeights& W) override;
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
};

}  // namespace pliant
