// A quadratic program reduced to its rows: where those are few, all that x can do for them is
// x = −P⁻¹ (c + Gᵀ u). With G P⁻¹ Gᵀ = R Rᵀ and ξ = −Rᵀ u what is left is
//   minimise ½ ‖ξ‖² + …   over   G x = R ξ − G P⁻¹ c,
// so P is the identity and R stands for G; the caller moves bounds and shifts by G P⁻¹ c. One
// solve per row makes R, and all else is dense and small, however large the bodies.
#pragma once

#include <pliant/solve/qp_form.hpp>

#include <vector>

namespace pliant {

// Of the rows: W = G P⁻¹ Gᵀ, positive semidefinite to rounding, and R with W = R Rᵀ. Rows may
// depend on each other; R has as many columns as there are that do not, and at least one.
struct ReducedRows {
  Matrix W, R;
  ReducedRows() = default;
  explicit ReducedRows(Matrix schur_complement);
  bool empty() const { return R.cols() == 0; }  // as yet
};

class QpDense final : public QpForm {
 public:
  // The rows from `first_pair` on are pairs. What is reduced stays alive.
  void set(const ReducedRows& reduced, Index first_pair);

  Index rows() const override { return static_cast<Index>(R().rows()); }
  Eigen::Index dofs() const override { return R().cols(); }
  void multiply_P(const Vector& x, Vector& Px) const override { Px = x; }
  void multiply_G(const Vector& x, Vector& z) const override { z.noalias() = R() * x; }
  void add_transposed(const Vector& y, Vector& x) const override {
    x.noalias() += R().transpose() * y;
  }
  void inverse_roots(Vector& scale) const override { scale.setOnes(dofs()); }
  double squared_length(Index row, const Vector& scale) const override {
    return R().row(row).cwiseProduct(scale.transpose()).squaredNorm();
  }
  [[nodiscard]] SolveStatus solve(const Vector& b, Vector& x) override;

 private:
  // A row that has a weight, or of a pair whose weights cross a sum a (row) + b (the next).
  struct Weighted {
    Eigen::Index row = 0;
    double a = 1, b = 0, weight = 0;
  };
  const Matrix& R() const { return reduced_->R; }
  [[nodiscard]] SolveStatus factorize_anew(const RowWeights& W) override;
  void find_weighted(const RowWeights& W);

  const ReducedRows* reduced_ = nullptr;
  Index first_pair_ = 0;
  std::vector<Weighted> weighted_;
  Matrix rows_, S_;  // of what has a weight
  Eigen::LLT<Matrix> factors_;
};

}  // namespace pliant
