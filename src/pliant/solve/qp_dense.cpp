#include <pliant/solve/qp_dense.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace pliant {
namespace {

// Of a row, or of the larger of two weights: what rounding leaves of what should be nothing.
constexpr double kNothing = 1e-14;

// L D Lᵀ with pivots, of rows scaled to length one: what light bodies do to each other counts as
// much as what heavy ones do.
Matrix root_of(const Matrix& W) {
  Vector size = W.diagonal().cwiseMax(0).cwiseSqrt();
  size = (size.array() > 0).select(size, 1);
  const Matrix unit = size.cwiseInverse().asDiagonal() * W * size.cwiseInverse().asDiagonal();
  const Eigen::LDLT<Matrix> ldlt(unit);
  const Vector D = ldlt.vectorD();
  const Eigen::Index rank = (D.array() > kNothing).count();
  const Matrix L = ldlt.matrixL();
  Matrix R = Matrix::Zero(W.rows(), std::max<Eigen::Index>(rank, 1));
  for (Eigen::Index k = 0, j = 0; k < D.size(); ++k)
    if (D[k] > kNothing) R.col(j++) = std::sqrt(D[k]) * L.col(k);
  R = ldlt.transpositionsP().transpose() * R;
  return size.asDiagonal() * R;
}

}  // namespace

ReducedRows::ReducedRows(Matrix schur_complement) : W(std::move(schur_complement)), R(root_of(W)) {}

void QpDense::set(const ReducedRows& reduced, Index first_pair) {
  reduced_ = &reduced;
  first_pair_ = first_pair;
  drop_factors();
}

void QpDense::find_weighted(const RowWeights& W) {
  weighted_.clear();
  for (Eigen::Index r = 0; r < W.diagonal.size(); ++r) {
    const double cross = r < first_pair_ ? 0 : W.cross[(r - first_pair_) / 2];
    if (cross == 0) {
      if (W.diagonal[r] > 0) weighted_.push_back({.row = r, .weight = W.diagonal[r]});
      continue;
    }
    Eigen::Matrix2d pair;
    pair << W.diagonal[r], cross, cross, W.diagonal[r + 1];
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
    eigen.computeDirect(pair);
    for (int k = 0; k < 2; ++k)
      if (eigen.eigenvalues()[k] > kNothing * eigen.eigenvalues()[1])
        weighted_.push_back({.row = r,
                             .a = eigen.eigenvectors()(0, k),
                             .b = eigen.eigenvectors()(1, k),
                             .weight = eigen.eigenvalues()[k]});
    ++r;  // the other of the pair
  }
}

// (I + Rᵀ W R)⁻¹ = I − Rᵀ (W⁻¹ + R Rᵀ)⁻¹ R over the rows that have a weight: most have none.
SolveStatus QpDense::factorize_anew(const RowWeights& W) {
  find_weighted(W);
  const auto n = static_cast<Eigen::Index>(weighted_.size());
  const Matrix& full = reduced_->W;
  rows_.resize(n, dofs()), S_.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& [r, a, b, weight] = weighted_[static_cast<std::size_t>(i)];
    rows_.row(i) = a * R().row(r);
    if (b != 0) rows_.row(i) += b * R().row(r + 1);
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto& [s, c, d, other] = weighted_[static_cast<std::size_t>(j)];
      double sum = a * c * full(r, s);
      if (b != 0) sum += b * c * full(r + 1, s);
      if (d != 0) sum += a * d * full(r, s + 1);
      if (b != 0 && d != 0) sum += b * d * full(r + 1, s + 1);
      S_(i, j) = sum;
    }
    S_(i, i) += 1 / weight;
  }
  factors_.compute(S_);  // its lower half
  return factors_.info() == Eigen::Success ? SolveStatus::ok : SolveStatus::not_positive_definite;
}

SolveStatus QpDense::solve(const Vector& b, Vector& x) {
  Vector y = rows_ * b;
  factors_.solveInPlace(y);
  x = b;
  x.noalias() -= rows_.transpose() * y;
  return x.allFinite() ? SolveStatus::ok : SolveStatus::failed;
}

}  // namespace pliant
