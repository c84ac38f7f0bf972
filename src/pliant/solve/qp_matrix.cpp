#include <pliant/solve/qp_matrix.hpp>

#include <array>
#include <cmath>

namespace pliant {

bool QpMatrix::covered() const {
  for (Index r = 0; r < G_->rows(); ++r)
    for (const Index i : G_->nodes(r))
      for (const Index j : G_->nodes(r))
        if (pattern_->find(i, j) < 0) return false;
  return true;
}

void QpMatrix::extend() {
  std::vector<std::array<Index, 2>> couplings;
  for (Index r = 0; r < G_->rows(); ++r)
    for (const Index i : G_->nodes(r))
      for (const Index j : G_->nodes(r))
        if (i < j) couplings.push_back({i, j});
  PatternExtension extension = extend_pattern(*base_, std::move(couplings));
  pattern_ = std::make_shared<const BlockPattern>(std::move(extension.pattern));
  place_ = std::move(extension.place);
}

// A pattern stays while it has the blocks of all rows: contacts come and go, and analysing a new
// pattern costs as much as a factorisation.
void QpMatrix::set(const BlockMatrix& P, const LowRank* dense, const NodeRows& G,
                   Index first_pair) {
  P_ = &P;
  dense_ = dense;
  G_ = &G;
  first_pair_ = first_pair;
  drop_factors();
  if (base_ != P.shared_pattern()) {
    base_ = pattern_ = P.shared_pattern();
    place_.clear();
  }
  if (!covered()) extend();
  if (A_.empty() || A_.shared_pattern() != pattern_) A_ = BlockMatrix(pattern_);
}

void QpMatrix::add_product(Index row, Index other, double weight) {
  if (weight == 0) return;
  const auto n = G_->nodes(row);
  const auto a = G_->coefficients(row), b = G_->coefficients(other);
  for (std::size_t i = 0; i < n.size(); ++i)
    for (std::size_t j = 0; j < n.size(); ++j)
      Eigen::Map<Mat3>(A_.block(pattern_->find(n[i], n[j]))) += weight * a[i] * b[j].transpose();
}

void QpMatrix::multiply_P(const Vector& x, Vector& Px) const {
  P_->multiply(view(x), view(Px));
  if (dense_) dense_->add_product(x, Px);
}

void QpMatrix::inverse_roots(Vector& scale) const {
  const BlockPattern& pattern = P_->pattern();
  scale.resize(dofs());
  for (Index n = 0; n < pattern.rows; ++n)
    for (int i = 0; i < 3; ++i)
      scale[3 * n + i] =
          1 / std::sqrt(P_->block(pattern.diagonal[static_cast<std::size_t>(n)])[4 * i]);
}

double QpMatrix::squared_length(Index row, const Vector& scale) const {
  double sum = 0;
  for (std::size_t k = 0; k < G_->nodes(row).size(); ++k)
    sum += G_->coefficients(row)[k]
               .cwiseProduct(Vec3(scale.segment<3>(3 * G_->nodes(row)[k])))
               .squaredNorm();
  return sum;
}

SolveStatus QpMatrix::factorize_anew(const RowWeights& W) {
  if (place_.empty()) {
    std::copy(P_->values().begin(), P_->values().end(), A_.values().begin());
  } else {
    A_.set_zero();
    for (std::size_t k = 0; k < place_.size(); ++k)
      std::copy_n(P_->block(static_cast<Index>(k)), 9, A_.block(place_[k]));
  }
  for (Index r = 0; r < G_->rows(); ++r) add_product(r, r, W.diagonal[r]);
  for (Index k = 0; k < static_cast<Index>(W.cross.size()); ++k) {
    const Index r = first_pair_ + 2 * k;
    add_product(r, r + 1, W.cross[k]);
    add_product(r + 1, r, W.cross[k]);
  }
  solver_.prepare(pattern_);
  solver_->set_update(dense_);
  return solver_->factorize(A_);
}

SolveStatus QpMatrix::solve(const Vector& b, Vector& x) {
  return solver_->solve(view(b), view(x), {});
}

}  // namespace pliant
