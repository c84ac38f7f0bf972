#include <pliant/solve/kkt_system.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

// The power of two nearest to 1/√x; 1 for what has no size.
double inverse_root(double x) {
  if (!(x > 0) || !std::isfinite(x)) return 1;
  int exponent = 0;  // x in [½, 1) times 2 to it
  (void)std::frexp(x, &exponent);
  return std::ldexp(1.0, -(exponent >> 1));
}

template <class Sparse>
bool equal_pattern(const Sparse& M, const std::vector<Index>& start,
                   const std::vector<Index>& inner) {
  return static_cast<std::size_t>(M.outerSize()) + 1 == start.size() &&
         static_cast<std::size_t>(M.nonZeros()) == inner.size() &&
         std::equal(start.begin(), start.end(), M.outerIndexPtr()) &&
         std::equal(inner.begin(), inner.end(), M.innerIndexPtr());
}

}  // namespace

void KktSystem::check(const KktMatrix& m) const {
  const auto n = m.A.rows();
  if (m.A.cols() != n || m.J.cols() != n || m.C.size() != m.J.rows())
    throw InputError(fmt::format(
        "a matrix of constraints must have A n×n, J m×n and C of length m: got A {}×{}, J {}×{} "
        "and C of length {}",
        n, m.A.cols(), m.J.rows(), m.J.cols(), m.C.size()));
  if (!m.A.isCompressed() || !m.J.isCompressed())
    throw InputError(
        "a matrix of constraints must be compressed: call makeCompressed() on A and J");
  for (Eigen::Index r = 0; r < m.C.size(); ++r)
    if (!(m.C[r] >= 0))
      throw InputError(fmt::format(
          "row {} of a matrix of constraints: C must not be negative, got {}", r, m.C[r]));
}

bool KktSystem::same_pattern(const KktMatrix& m) const {
  return equal_pattern(m.A, A_start_, A_row_) && equal_pattern(m.J, J_start_, J_column_);
}

// Column c of K: the diagonal, A below it, then J; row r of J ends with its own diagonal entry.
void KktSystem::lay_out(const KktMatrix& m) {
  A_start_.assign(m.A.outerIndexPtr(), m.A.outerIndexPtr() + m.A.outerSize() + 1);
  A_row_.assign(m.A.innerIndexPtr(), m.A.innerIndexPtr() + m.A.nonZeros());
  J_start_.assign(m.J.outerIndexPtr(), m.J.outerIndexPtr() + m.J.outerSize() + 1);
  J_column_.assign(m.J.innerIndexPtr(), m.J.innerIndexPtr() + m.J.nonZeros());
  const auto n = static_cast<std::size_t>(unknowns_), all = static_cast<std::size_t>(size());
  std::vector<Index> start(all + 1, 1);  // one for the diagonal
  start[0] = 0;
  for (Index c = 0; c < unknowns_; ++c)
    for (Index p = A_start_[static_cast<std::size_t>(c)];
         p < A_start_[static_cast<std::size_t>(c) + 1]; ++p)
      if (A_row_[static_cast<std::size_t>(p)] > c) ++start[static_cast<std::size_t>(c) + 1];
  for (const Index c : J_column_) ++start[static_cast<std::size_t>(c) + 1];
  for (std::size_t k = 0; k < all; ++k) start[k + 1] += start[k];
  K_.resize(size(), size());
  K_.resizeNonZeros(start[all]);
  std::copy(start.begin(), start.end(), K_.outerIndexPtr());
  Index* row = K_.innerIndexPtr();
  diagonal_.assign(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < all; ++k) row[start[k]++] = static_cast<Index>(k);
  A_place_.assign(A_row_.size(), -1), J_place_.resize(J_column_.size());
  for (std::size_t c = 0; c < n; ++c)
    for (auto p = static_cast<std::size_t>(A_start_[c]);
         p < static_cast<std::size_t>(A_start_[c + 1]); ++p) {
      const auto r = static_cast<std::size_t>(A_row_[p]);
      if (r == c) A_place_[p] = diagonal_[c];
      if (r <= c) continue;
      A_place_[p] = start[c]++;
      row[A_place_[p]] = A_row_[p];
    }
  for (std::size_t r = 0; r + 1 < J_start_.size(); ++r)
    for (auto p = static_cast<std::size_t>(J_start_[r]);
         p < static_cast<std::size_t>(J_start_[r + 1]); ++p) {
      J_place_[p] = start[static_cast<std::size_t>(J_column_[p])]++;
      row[J_place_[p]] = unknowns_ + static_cast<Index>(r);
    }
}

void KktSystem::set_scale(const KktMatrix& m) {
  scale_.setZero(size());
  for (Index c = 0; c < unknowns_; ++c)  // where the diagonal is zero, by the largest of the column
    for (SparseLower::InnerIterator it(m.A, c); it; ++it) {
      if (it.row() < c) continue;
      const double a = std::abs(it.value());
      scale_[c] = std::max(scale_[c], it.row() == c && a > 0 ? a : 1e-8 * a);
    }
  for (Index c = 0; c < unknowns_; ++c) scale_[c] = inverse_root(scale_[c]);
  for (Index r = 0; r < rows_; ++r) {
    double length2 = m.C[r];
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(m.J, r); it; ++it)
      length2 += it.value() * scale_[it.col()] * (it.value() * scale_[it.col()]);
    scale_[unknowns_ + r] = inverse_root(length2);
  }
}

bool KktSystem::set(const KktMatrix& m) {
  check(m);
  const bool fresh = !same_pattern(m) || rows_ != m.rows() || unknowns_ != m.unknowns();
  if (fresh) {
    unknowns_ = m.unknowns(), rows_ = m.rows();
    lay_out(m);
  }
  set_scale(m);
  double* values = K_.valuePtr();
  for (const Index p : diagonal_) values[p] = 0;
  for (std::size_t p = 0; p < A_place_.size(); ++p)
    if (A_place_[p] >= 0) values[A_place_[p]] = m.A.valuePtr()[p];
  for (std::size_t p = 0; p < J_place_.size(); ++p) values[J_place_[p]] = m.J.valuePtr()[p];
  for (Index c = 0; c < unknowns_; ++c)
    for (SparseLower::InnerIterator it(K_, c); it; ++it)
      it.valueRef() *= scale_[it.row()] * scale_[c];
  C_ = m.C.cwiseProduct(scale_.tail(rows_)).cwiseProduct(scale_.tail(rows_));
  regularize(0);
  finite_ = Eigen::Map<const Vector>(values, K_.nonZeros()).allFinite();
  return fresh;
}

void KktSystem::regularize(double added) {
  for (Index r = 0; r < rows_; ++r)
    K_.valuePtr()[diagonal_[static_cast<std::size_t>(unknowns_ + r)]] = -C_[r] - added;
}

void KktSystem::multiply(const Vector& z, Vector& Kz) const {
  Kz.noalias() = K_.selfadjointView<Eigen::Lower>() * z;
}

double KktSystem::residual(const Vector& b, const Vector& z, Vector& r) {
  r = b;
  sizes_ = b.cwiseAbs();
  for (Index c = 0; c < size(); ++c)
    for (SparseLower::InnerIterator it(K_, c); it; ++it) {
      const Index i = static_cast<Index>(it.row());
      r[i] -= it.value() * z[c];
      sizes_[i] += std::abs(it.value() * z[c]);
      if (i == c) continue;
      r[c] -= it.value() * z[i];
      sizes_[c] += std::abs(it.value() * z[i]);
    }
  double error = 0;
  for (Index i = 0; i < size(); ++i)
    if (r[i] != 0) error = std::max(error, std::abs(r[i]) / sizes_[i]);
  return r.allFinite() ? error : std::numeric_limits<double>::infinity();
}

bool KktSystem::begin_solve(const RightHandSide& b, Vector& x, Vector& y) const {
  if (b.f.size() != unknowns_ || b.g.size() != rows_)
    throw InputError(fmt::format(
        "the right-hand side of a system with constraints must have {} and {} entries, got {} and "
        "{}",
        unknowns_, rows_, b.f.size(), b.g.size()));
  x.setZero(unknowns_), y.setZero(rows_);
  return b.f.allFinite() && b.g.allFinite();
}

Vector KktSystem::scaled(const Vector& f, const Vector& g) const {
  Vector b(size());
  b << f, g;
  return b.cwiseProduct(scale_);
}

void KktSystem::unscale(const Vector& z, Vector& x, Vector& y) const {
  x = z.head(unknowns_).cwiseProduct(scale_.head(unknowns_));
  y = z.tail(rows_).cwiseProduct(scale_.tail(rows_));
}

}  // namespace pliant
