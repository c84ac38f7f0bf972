#include <pliant/core/error.hpp>
#include <pliant/core/parallel.hpp>
#include <pliant/solve/blas_threads.hpp>
#include <pliant/solve/cholmod_solver.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>

namespace pliant {
namespace {

// An order is made anew where factors by the old one cost so many times what they did at first.
constexpr double kMoreWork = 1.2, kLessWork = 0.5;

}  // namespace

// FNV-1a
std::uint64_t hash_of(const BlockPattern& pattern) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](Index value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211u;
  };
  for (const Index start : pattern.row_start) add(start);
  for (const Index column : pattern.column) add(column);
  return hash;
}

CholmodSolver::CholmodSolver(Kind kind, bool fast) : kind_(kind), fast_(fast) {
  cholmod_start(&common_);
  common_.print = 0;
  common_.quick_return_if_not_posdef = 1;
#ifdef PLIANT_WITH_SUPERNODAL
  common_.supernodal = kind == Kind::llt ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
#else
  common_.supernodal = CHOLMOD_SIMPLICIAL;
#endif
  common_.final_ll = kind == Kind::llt;
  set_blas_threads(fast ? 0 : 1);
}

CholmodSolver::~CholmodSolver() {
  free_all();
  cholmod_finish(&common_);
}

void CholmodSolver::free_all() {
  cholmod_free_factor(&factor_, &common_);
  cholmod_free_sparse(&lower_, &common_);
  cholmod_free_dense(&rhs_, &common_);
  cholmod_free_dense(&solution_, &common_);
  cholmod_free_dense(&work_y_, &common_);
  cholmod_free_dense(&work_e_, &common_);
  for (cholmod_dense*& x : block_) cholmod_free_dense(&x, &common_);
}

cholmod_sparse* CholmodSolver::make_graph(const BlockPattern& pattern) {
  const auto n = static_cast<std::size_t>(pattern.rows);
  cholmod_sparse* graph =
      cholmod_allocate_sparse(n, n, static_cast<std::size_t>(pattern.blocks() + pattern.rows) / 2,
                              1, 1, -1, CHOLMOD_PATTERN, &common_);
  if (!graph) throw CannotContinue("out of memory while ordering the matrix");
  int* start = static_cast<int*>(graph->p);
  int* row = static_cast<int*>(graph->i);
  int filled = 0;
  for (Index j = 0; j < pattern.rows; ++j) {
    start[j] = filled;
    for (Index k = pattern.diagonal[j]; k < pattern.row_start[j + 1]; ++k)
      row[filled++] = pattern.column[k];
  }
  start[n] = filled;
  return graph;
}

// By METIS or `as_before`, and by the postorder of the elimination tree, on nodes: expanding each
// node to its three coordinates keeps a postorder, and the factorisation then needs no further
// permutation of A.
double CholmodSolver::order_graph(cholmod_sparse* graph, bool as_before) {
  common_.nmethods = 1;
  common_.method[0].ordering = as_before ? CHOLMOD_GIVEN : CHOLMOD_METIS;
  common_.postorder = 1;
  const int supernodal = common_.supernodal;
  common_.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_factor* symbolic =
      cholmod_analyze_p(graph, as_before ? kept_.nodes.data() : nullptr, nullptr, 0, &common_);
  common_.supernodal = supernodal;
  if (!symbolic) {
    cholmod_free_sparse(&graph, &common_);
    throw CannotContinue("the matrix could not be ordered (out of memory?)");
  }
  const int* permutation = static_cast<const int*>(symbolic->Perm);
  order_.assign(permutation, permutation + graph->nrow);
  cholmod_free_factor(&symbolic, &common_);
  return common_.fl;
}

void CholmodSolver::order_nodes(const BlockPattern& pattern) {
  const bool known = keeps_order_ && kept_.nodes.size() == static_cast<std::size_t>(pattern.rows);
  const std::uint64_t hash = keeps_order_ ? hash_of(pattern) : 0;
  if (known && hash == kept_.pattern) {
    order_ = kept_.nodes;
    return;
  }
  cholmod_sparse* graph = make_graph(pattern);
  const double cost = known ? order_graph(graph, true) : 0;
  if (!known || cost > kMoreWork * kept_.cost || cost < kLessWork * kept_.cost)
    kept_.cost = order_graph(graph, false);
  cholmod_free_sparse(&graph, &common_);
  if (!keeps_order_) return;
  kept_.nodes = order_;
  kept_.pattern = hash;
}

// [cost, hash in two parts, order…]
std::vector<double> CholmodSolver::memory() const {
  if (kept_.nodes.empty()) return {};
  std::vector<double> out = {kept_.cost, static_cast<double>(kept_.pattern >> 32),
                             static_cast<double>(kept_.pattern & 0xffffffffu)};
  out.insert(out.end(), kept_.nodes.begin(), kept_.nodes.end());
  return out;
}

void CholmodSolver::restore(std::span<const double> memory) {
  if (!keeps_order_ || memory.size() < 4) return;
  const auto half = [&](std::size_t k) { return static_cast<std::uint64_t>(memory[k]); };
  kept_.cost = memory[0];
  kept_.pattern = half(1) << 32 | half(2);
  kept_.nodes.clear();
  for (const double n : memory.subspan(3)) kept_.nodes.push_back(static_cast<int>(n));
  if (pattern_ && hash_of(*pattern_) == kept_.pattern) analyze(std::shared_ptr(pattern_));
}

// The lower triangle of the permuted matrix in compressed columns. Block column p holds its
// diagonal block first, then the blocks below it in the order of elimination.
void CholmodSolver::lay_out_lower(const BlockPattern& pattern) {
  const Index n = pattern.rows;
  std::vector<Index> place(n);
  for (Index p = 0; p < n; ++p) place[order_[p]] = p;
  column_start_.assign(n + 1, 0);
  source_.clear();
  source_.reserve(static_cast<std::size_t>(pattern.blocks() + n) / 2);
  for (Index p = 0; p < n; ++p) {
    const Index r = order_[p];
    for (Index k = pattern.row_start[r]; k < pattern.row_start[r + 1]; ++k)
      if (place[pattern.column[k]] >= p) source_.push_back(k);
    std::sort(source_.begin() + column_start_[p], source_.end(), [&](Index a, Index b) {
      return place[pattern.column[a]] < place[pattern.column[b]];
    });
    column_start_[p + 1] = static_cast<Index>(source_.size());
  }
  const std::size_t entries = 9 * source_.size() - 3 * static_cast<std::size_t>(n);
  lower_ = cholmod_allocate_sparse(3 * n, 3 * n, entries, 1, 1, -1, CHOLMOD_REAL, &common_);
  if (!lower_) throw CannotContinue("out of memory for the matrix to be factorised");
  // What the first copy is compared to.
  std::fill_n(static_cast<double*>(lower_->x), entries, 0.0);
  int* start = static_cast<int*>(lower_->p);
  int* row = static_cast<int*>(lower_->i);
  int filled = 0;
  for (Index p = 0; p < n; ++p) {
    for (int b = 0; b < 3; ++b) {
      start[3 * p + b] = filled;
      for (int a = b; a < 3; ++a) row[filled++] = 3 * p + a;
      for (Index s = column_start_[p] + 1; s < column_start_[p + 1]; ++s)
        for (int a = 0; a < 3; ++a) row[filled++] = 3 * place[pattern.column[source_[s]]] + a;
    }
  }
  start[3 * n] = filled;
}

void CholmodSolver::analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  free_all();
  pattern_ = pattern;
  has_factors_ = false;
  order_nodes(*pattern);
  lay_out_lower(*pattern);
  common_.nmethods = 1;
  common_.method[0].ordering = CHOLMOD_NATURAL;
  common_.postorder = 0;
  factor_ = cholmod_analyze(lower_, &common_);
  if (!factor_)
    throw CannotContinue("the matrix could not be analysed (out of memory, or too large)");
  flops_ = common_.fl;
  entries_ = common_.lnz;
  rhs_ = cholmod_allocate_dense(lower_->nrow, 1, lower_->nrow, CHOLMOD_REAL, &common_);
}

// Entry (3 i + a, 3 p + b) of the lower triangle is entry (b, a) of the block in row order_[p] of
// A.
bool CholmodSolver::copy_lower(const BlockMatrix& A) {
  const int* start = static_cast<const int*>(lower_->p);
  double* values = static_cast<double*>(lower_->x);
  std::atomic<bool> changed = false;
  parallel_for_each(order_.size(), 512, [&](std::size_t p) {
    bool differs = false;
    const auto put = [&differs](double*& out, double value) {
      differs = differs || *out != value;
      *out++ = value;
    };
    for (int b = 0; b < 3; ++b) {
      double* out = values + start[3 * p + b];
      const double* diagonal = A.block(source_[column_start_[p]]);
      for (int a = b; a < 3; ++a) put(out, diagonal[b + 3 * a]);
      for (Index s = column_start_[p] + 1; s < column_start_[p + 1]; ++s) {
        const double* block = A.block(source_[s]);
        put(out, block[b]);
        put(out, block[b + 3]);
        put(out, block[b + 6]);
      }
    }
    if (differs) changed.store(true, std::memory_order_relaxed);
  });
  return changed;
}

SolveStatus CholmodSolver::factorize(const BlockMatrix& A) {
  if (!factor_) analyze(A.shared_pattern());
  // Linear bodies bring the same matrix at every step.
  const bool same = !copy_lower(A) && has_factors_;
  if (!same) {
    has_factors_ = false;
    woodbury_.clear();
    std::optional<WithoutOpenMp> alone;
    if (!fast_) alone.emplace();
    cholmod_factorize(lower_, factor_, &common_);
    alone.reset();
    if (common_.status == CHOLMOD_NOT_POSDEF) return SolveStatus::not_positive_definite;
    if (common_.status < CHOLMOD_OK) return SolveStatus::failed;
    if (factor_->minor < factor_->n) return SolveStatus::not_positive_definite;
    has_factors_ = true;
  }
  if (!update_ || update_->empty()) {
    woodbury_.clear();
    return SolveStatus::ok;
  }
  if (woodbury_.is_for(*update_)) return SolveStatus::ok;
  return prepare_update() ? SolveStatus::ok : SolveStatus::failed;
}

// Between the two solves where A = L Lᵀ: half the work, as Y is mostly a multiple of Z.
bool CholmodSolver::prepare_update() {
  if (kind_ == Kind::ldlt) {
    Matrix P = update_->Y;
    return solve_in_place(P) && woodbury_.prepare(*update_, std::move(P), update_->Z);
  }
  const auto forward = [this](const Matrix& B, Matrix& out) {
    const double* x = solve_columns(CHOLMOD_L, B);
    if (x) out = Eigen::Map<const Matrix>(x, B.rows(), B.cols());
    return x != nullptr;
  };
  Matrix P, Q;
  if (!forward(update_->Z, Q)) return false;
  if (const std::optional<Vector> d = multiples(*update_))
    P = Q * d->asDiagonal();
  else if (!forward(update_->Y, P))
    return false;
  return woodbury_.prepare(*update_, std::move(P), std::move(Q));
}

// In the order of elimination; null where it fails.
const double* CholmodSolver::solve_columns(int system, const Matrix& B) {
  const auto rows = static_cast<std::size_t>(B.rows()),
             columns = static_cast<std::size_t>(B.cols());
  auto& [right, solution, work_y, work_e] = block_;
  if (!right || right->nrow != rows || right->ncol != columns) {
    cholmod_free_dense(&right, &common_);
    right = cholmod_allocate_dense(rows, columns, rows, CHOLMOD_REAL, &common_);
  }
  if (!right) return nullptr;
  double* rhs = static_cast<double*>(right->x);
  for (Eigen::Index c = 0; c < B.cols(); ++c)
    for (std::size_t p = 0; p < order_.size(); ++p)
      for (int i = 0; i < 3; ++i) *rhs++ = B(3 * order_[p] + i, c);
  const int good = cholmod_solve2(system, factor_, right, nullptr, &solution, nullptr, &work_y,
                                  &work_e, &common_);
  return good ? static_cast<const double*>(solution->x) : nullptr;
}

bool CholmodSolver::solve_in_place(Matrix& B) {
  const double* x = solve_columns(CHOLMOD_A, B);
  if (!x) return false;
  for (Eigen::Index c = 0; c < B.cols(); ++c)
    for (std::size_t p = 0; p < order_.size(); ++p)
      for (int i = 0; i < 3; ++i) B(3 * order_[p] + i, c) = *x++;
  return true;
}

// What is in rhs_, into solution_.
bool CholmodSolver::solve_one(int system) {
  return cholmod_solve2(system, factor_, rhs_, nullptr, &solution_, nullptr, &work_y_, &work_e_,
                        &common_);
}

// L Lᵀ x = b with the correction in between.
bool CholmodSolver::solve_corrected() {
  if (!solve_one(CHOLMOD_L)) return false;
  double* y = static_cast<double*>(rhs_->x);
  std::copy_n(static_cast<const double*>(solution_->x), rhs_->nrow, y);
  woodbury_.correct({y, rhs_->nrow});
  return solve_one(CHOLMOD_Lt);
}

SolveStatus CholmodSolver::solve(std::span<const double> b, std::span<double> x, SolveAccuracy) {
  ++solves_;
  double* rhs = static_cast<double*>(rhs_->x);
  for (std::size_t p = 0; p < order_.size(); ++p)
    for (int c = 0; c < 3; ++c) rhs[3 * p + c] = b[3 * order_[p] + c];
  const bool between = woodbury_.active() && kind_ == Kind::llt;
  if (!(between ? solve_corrected() : solve_one(CHOLMOD_A))) return SolveStatus::failed;
  const double* solution = static_cast<const double*>(solution_->x);
  bool finite = true;
  for (std::size_t p = 0; p < order_.size(); ++p)
    for (int c = 0; c < 3; ++c) {
      x[3 * order_[p] + c] = solution[3 * p + c];
      finite = finite && std::isfinite(solution[3 * p + c]);
    }
  if (finite && woodbury_.active() && !between) woodbury_.correct(x);
  return finite ? SolveStatus::ok : SolveStatus::failed;
}

}  // namespace pliant
