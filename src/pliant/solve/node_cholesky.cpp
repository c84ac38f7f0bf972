#include <pliant/solve/node_cholesky.hpp>

#include <pliant/solve/blas_threads.hpp>

#include <cmath>

namespace pliant {
namespace {

std::vector<Index> free_nodes(const DofMask& mask, int axis) {
  std::vector<Index> free;
  for (std::size_t n = 0; 3 * n < mask.size(); ++n)
    if (!mask[3 * n + static_cast<std::size_t>(axis)]) free.push_back(static_cast<Index>(n));
  return free;
}

// The lower triangle of M over those nodes; null where memory runs out.
cholmod_sparse* lower_triangle(const NodeMatrix& M, const std::vector<Index>& free,
                               cholmod_common& common) {
  const BlockPattern& p = M.pattern();
  std::vector<int> place(static_cast<std::size_t>(p.rows), -1);
  for (std::size_t k = 0; k < free.size(); ++k) place[free[k]] = static_cast<int>(k);
  cholmod_sparse* lower = cholmod_allocate_sparse(free.size(), free.size(),
                                                  static_cast<std::size_t>(p.blocks() + p.rows) / 2,
                                                  1, 1, -1, CHOLMOD_REAL, &common);
  if (!lower) return nullptr;
  int* start = static_cast<int*>(lower->p);
  int* row = static_cast<int*>(lower->i);
  double* value = static_cast<double*>(lower->x);
  int filled = 0;
  for (std::size_t j = 0; j < free.size(); ++j) {
    start[j] = filled;
    for (Index k = p.diagonal[free[j]]; k < p.row_start[free[j] + 1]; ++k) {
      if (place[p.column[k]] < 0) continue;
      row[filled] = place[p.column[k]];
      value[filled++] = M.values()[static_cast<std::size_t>(k)];
    }
  }
  start[free.size()] = filled;
  return lower;
}

}  // namespace

NodeCholesky::NodeCholesky() {
  cholmod_start(&common_);
  common_.print = 0;
  common_.quick_return_if_not_posdef = 1;
#ifdef PLIANT_WITH_SUPERNODAL
  common_.supernodal = CHOLMOD_SUPERNODAL;
#else
  common_.supernodal = CHOLMOD_SIMPLICIAL;
#endif
  common_.final_ll = 1;
  common_.nmethods = 1;
  common_.method[0].ordering = CHOLMOD_METIS;
  set_blas_threads(1);
}

NodeCholesky::~NodeCholesky() {
  free_all();
  cholmod_finish(&common_);
}

void NodeCholesky::free_all() {
  for (Part& part : parts_) {
    cholmod_free_factor(&part.factor, &common_);
    for (cholmod_dense** x : {&part.right, &part.left, &part.work_y, &part.work_e})
      cholmod_free_dense(x, &common_);
  }
  parts_.clear();
}

bool NodeCholesky::make_part(const NodeMatrix& M, double most, Part& part) {
  cholmod_sparse* lower = lower_triangle(M, part.free, common_);
  if (!lower) return false;
  part.factor = cholmod_analyze(lower, &common_);
  const double entries = static_cast<double>(static_cast<int*>(lower->p)[part.free.size()]);
  const bool worth_it = part.factor && common_.lnz <= most * entries;
  if (worth_it) {
    const WithoutOpenMp alone;
    cholmod_factorize(lower, part.factor, &common_);
  }
  const bool good =
      worth_it && common_.status == CHOLMOD_OK && part.factor->minor == part.factor->n;
  cholmod_free_sparse(&lower, &common_);
  if (!good) return false;
  part.right = cholmod_allocate_dense(part.free.size(), part.axes.size(), part.free.size(),
                                      CHOLMOD_REAL, &common_);
  return part.right != nullptr;
}

bool NodeCholesky::factorize(const NodeMatrix& M, const DofMask& mask, double most) {
  free_all();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Index> free = free_nodes(mask, axis);
    bool shared = free.empty();  // then there is nothing to solve for
    for (Part& part : parts_)
      if (!shared && part.free == free) {
        part.axes.push_back(axis);
        shared = true;
      }
    if (!shared) parts_.push_back({{axis}, std::move(free)});
  }
  for (Part& part : parts_)
    if (!make_part(M, most, part)) {
      free_all();
      return false;
    }
  return true;
}

bool NodeCholesky::solve_part(Part& part, std::span<const double> b, std::span<double> x) {
  double* right = static_cast<double*>(part.right->x);
  for (const int axis : part.axes)
    for (const Index n : part.free) *right++ = b[3 * static_cast<std::size_t>(n) + axis];
  if (!cholmod_solve2(CHOLMOD_A, part.factor, part.right, nullptr, &part.left, nullptr,
                      &part.work_y, &part.work_e, &common_))
    return false;
  const double* left = static_cast<const double*>(part.left->x);
  bool finite = true;
  for (const int axis : part.axes)
    for (const Index n : part.free) {
      finite = finite && std::isfinite(*left);
      x[3 * static_cast<std::size_t>(n) + axis] = *left++;
    }
  return finite;
}

bool NodeCholesky::solve(std::span<const double> b, std::span<double> x) {
  for (Part& part : parts_)
    if (!solve_part(part, b, x)) return false;
  return true;
}

}  // namespace pliant
