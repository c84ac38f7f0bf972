// What a factorisation of the whole matrix K = [A Jᵀ; J −C] offers to DirectKkt, which does the
// rest: pivots that are next to nothing are left out with their row and column and named.
#pragma once

#include <pliant/solve/linear_solver.hpp>

#include <Eigen/Sparse>

#include <vector>

namespace pliant {

using SparseLower = Eigen::SparseMatrix<double>;  // the lower triangle, with its whole diagonal

struct KktPivots {
  SolveStatus status = SolveStatus::ok;
  std::vector<Index> null;  // left out, in the order of K
  int negative = 0;         // of those kept
};

class KktFactors {
 public:
  virtual ~KktFactors() = default;
  // The first `unknowns` rows of K are those of A; `order` is one of order_kkt.
  virtual void analyze(const SparseLower& K, Index unknowns, const std::vector<Index>& order) = 0;
  // Multiplications that a factorisation takes, as the analysis sees it.
  virtual double work() const = 0;
  // `tolerance`: a pivot below it, in a matrix scaled to entries of about one, is left out.
  [[nodiscard]] virtual KktPivots factorize(const SparseLower& K, double tolerance) = 0;
  // In place; what was left out is zero in the answer and is not read.
  [[nodiscard]] virtual bool solve(Vector& z) = 0;
};

std::unique_ptr<KktFactors> make_schur_factors();
std::unique_ptr<KktFactors> make_mumps_factors();  // throws InputError without PLIANT_MUMPS

// An order of elimination with little fill (METIS, or minimum degree where K is small) in which
// every row of J comes after all the unknowns it touches: with A positive definite the pivots are
// then A's own, positive, and those of Schur complements, negative, and none needs a partner.
// order[k] is the row of K at place k.
std::vector<Index> order_kkt(const SparseLower& K, Index unknowns);

}  // namespace pliant
