// Elimination of K = [A Jᵀ; J −C] without pivoting, A positive definite, in the order of order_kkt.
// A row of J is eliminated after all its unknowns, so its pivot is −(C + J A⁻¹ Jᵀ) less what rows
// before it explain: the Schur complement, formed where the matrix is sparse instead of at the end.
// That complement is positive semidefinite, and a pivot of it that vanishes beside what it was
// summed from belongs to a row that depends on those before it.
//
// The factorisation goes row by row: row k of L is the solution of a triangular system with the
// rows above, and touches just the columns that the elimination tree (Liu 1990) leads to.
#include <pliant/solve/kkt_factors.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kIndefinite = 1e-15;  // a pivot of A below this part of its sum is rounding

class SchurFactors final : public KktFactors {
 public:
  void analyze(const SparseLower& K, Index unknowns, const std::vector<Index>& order) override;
  double work() const override { return work_needed_; }
  KktPivots factorize(const SparseLower& K, double tolerance) override;
  bool solve(Vector& z) override;

 private:
  void gather_rows(const SparseLower& K);
  void grow_tree();
  std::size_t reach(std::size_t k);
  double eliminate_row(std::size_t k, const SparseLower& K, double& pivot);

  std::size_t n_ = 0, unknowns_ = 0;
  double work_needed_ = 0;
  std::vector<Index> order_;
  // Row k of the permuted lower triangle without its diagonal: columns, and places in K's values.
  std::vector<std::size_t> row_start_, diagonal_;
  std::vector<std::size_t> column_, source_;
  std::vector<std::size_t> parent_;  // in the elimination tree; n_ at a root
  std::vector<std::size_t> L_start_, filled_;
  std::vector<Index> L_row_;
  std::vector<double> L_value_;
  Vector inverse_;  // 1/D; zero where the row is left out
  std::vector<std::size_t> path_, stack_, mark_;
  Vector work_, permuted_;
};

void SchurFactors::gather_rows(const SparseLower& K) {
  std::vector<std::size_t> place(n_);
  for (std::size_t k = 0; k < n_; ++k) place[static_cast<std::size_t>(order_[k])] = k;
  row_start_.assign(n_ + 1, 0), diagonal_.assign(n_, 0);
  const auto each = [&](auto&& visit) {
    for (Index c = 0; c < K.outerSize(); ++c)
      for (Index p = K.outerIndexPtr()[c]; p < K.outerIndexPtr()[c + 1]; ++p)
        visit(place[static_cast<std::size_t>(K.innerIndexPtr()[p])],
              place[static_cast<std::size_t>(c)], static_cast<std::size_t>(p));
  };
  each([&](std::size_t a, std::size_t b, std::size_t p) {
    if (a == b)
      diagonal_[a] = p;
    else
      ++row_start_[std::max(a, b) + 1];
  });
  for (std::size_t k = 0; k < n_; ++k) row_start_[k + 1] += row_start_[k];
  column_.resize(row_start_[n_]), source_.resize(row_start_[n_]);
  std::vector<std::size_t> next(row_start_.begin(), row_start_.end() - 1);
  each([&](std::size_t a, std::size_t b, std::size_t p) {
    if (a == b) return;
    const std::size_t at = next[std::max(a, b)]++;
    column_[at] = std::min(a, b), source_[at] = p;
  });
}

// The parent of a column is the row of its first entry below the diagonal of L. Walking from every
// entry of row k towards the root ends at k or where an earlier walk of this row has been.
void SchurFactors::grow_tree() {
  parent_.assign(n_, n_), mark_.assign(n_, n_);
  std::vector<std::size_t> count(n_, 0);
  for (std::size_t k = 0; k < n_; ++k) {
    mark_[k] = k;
    for (std::size_t p = row_start_[k]; p < row_start_[k + 1]; ++p)
      for (std::size_t i = column_[p]; mark_[i] != k; i = parent_[i]) {
        if (parent_[i] == n_) parent_[i] = k;
        ++count[i];
        mark_[i] = k;
      }
  }
  L_start_.assign(n_ + 1, 0);
  work_needed_ = 0;
  for (std::size_t k = 0; k < n_; ++k) {
    L_start_[k + 1] = L_start_[k] + count[k];
    work_needed_ += 0.5 * std::pow(static_cast<double>(count[k]) + 1, 2);
  }
}

void SchurFactors::analyze(const SparseLower& K, Index unknowns, const std::vector<Index>& order) {
  n_ = static_cast<std::size_t>(K.rows()), unknowns_ = static_cast<std::size_t>(unknowns);
  order_ = order;
  gather_rows(K);
  grow_tree();
  inverse_.resize(K.rows()), permuted_.resize(K.rows());
  work_.setZero(K.rows());
  path_.resize(n_), stack_.resize(n_);
}

// The columns of row k of L, children before parents, at the end of stack_ from the place returned.
std::size_t SchurFactors::reach(std::size_t k) {
  std::size_t top = n_;
  mark_[k] = k;
  for (std::size_t p = row_start_[k]; p < row_start_[k + 1]; ++p) {
    std::size_t length = 0;
    for (std::size_t i = column_[p]; mark_[i] != k; i = parent_[i]) {
      path_[length++] = i;
      mark_[i] = k;
    }
    while (length > 0) stack_[--top] = path_[--length];
  }
  return top;
}

// Fills row k of L and its pivot d_k = K_kk − Σ l²d; returns the sum of what it is made of, each
// without its sign.
double SchurFactors::eliminate_row(std::size_t k, const SparseLower& K, double& pivot) {
  const double* values = K.valuePtr();
  const std::size_t top = reach(k);
  for (std::size_t p = row_start_[k]; p < row_start_[k + 1]; ++p)
    work_[static_cast<Eigen::Index>(column_[p])] = values[source_[p]];
  pivot = values[diagonal_[k]];
  double size = std::abs(pivot);
  for (std::size_t s = top; s < n_; ++s) {
    const std::size_t i = stack_[s];
    double& slot = work_[static_cast<Eigen::Index>(i)];
    const double w = slot, l = w * inverse_[static_cast<Eigen::Index>(i)];
    slot = 0;
    for (std::size_t p = L_start_[i]; p < filled_[i]; ++p) work_[L_row_[p]] -= L_value_[p] * w;
    pivot -= l * w;
    size += std::abs(l * w);
    L_row_[filled_[i]] = static_cast<Index>(k), L_value_[filled_[i]++] = l;
  }
  return size;
}

KktPivots SchurFactors::factorize(const SparseLower& K, double tolerance) {
  KktPivots pivots;
  L_row_.resize(L_start_[n_]), L_value_.resize(L_start_[n_]);
  filled_.assign(L_start_.begin(), L_start_.end() - 1);
  work_.setZero();
  mark_.assign(n_, n_);
  for (std::size_t k = 0; k < n_; ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    double pivot = 0;
    const double size = eliminate_row(k, K, pivot);
    if (!std::isfinite(pivot)) {
      pivots.status = SolveStatus::failed;
      return pivots;
    }
    if (static_cast<std::size_t>(order_[k]) < unknowns_) {
      if (!(pivot > kIndefinite * size)) {
        pivots.status = SolveStatus::not_positive_definite;
        return pivots;
      }
      inverse_[at] = 1 / pivot;
    } else if (-pivot > tolerance * size) {
      inverse_[at] = 1 / pivot;
      ++pivots.negative;
    } else {
      inverse_[at] = 0;
      pivots.null.push_back(order_[k]);
    }
  }
  std::sort(pivots.null.begin(), pivots.null.end());
  return pivots;
}

bool SchurFactors::solve(Vector& z) {
  for (std::size_t k = 0; k < n_; ++k) permuted_[static_cast<Eigen::Index>(k)] = z[order_[k]];
  for (std::size_t k = 0; k < n_; ++k) {
    const double value = permuted_[static_cast<Eigen::Index>(k)];
    if (inverse_[static_cast<Eigen::Index>(k)] == 0) continue;
    for (std::size_t p = L_start_[k]; p < L_start_[k + 1]; ++p)
      permuted_[L_row_[p]] -= L_value_[p] * value;
  }
  permuted_ = permuted_.cwiseProduct(inverse_);
  for (std::size_t k = n_; k-- > 0;) {
    double& value = permuted_[static_cast<Eigen::Index>(k)];
    for (std::size_t p = L_start_[k]; p < L_start_[k + 1]; ++p)
      value -= L_value_[p] * permuted_[L_row_[p]];
  }
  for (std::size_t k = 0; k < n_; ++k) z[order_[k]] = permuted_[static_cast<Eigen::Index>(k)];
  return z.allFinite();
}

}  // namespace

std::unique_ptr<KktFactors> make_schur_factors() { return std::make_unique<SchurFactors>(); }

}  // namespace pliant
