#include <pliant/coarsen/elastic_modes.hpp>

#include <algorithm>
#include <numeric>

namespace pliant {

ElasticModes find_elastic_modes(const ElasticSearch& search, EigenpairSolver& solver,
                                const Matrix& start) {
  const EigenProblem& problem = search.problem;
  const Matrix rigid = free_rigid_motions(search.x, problem.mask, problem.M);
  const auto free = static_cast<Index>(rigid.cols());
  Eigenpairs pairs = search.old_factors
                         ? solver.solve_with_old_factors(problem, search.count + free, start)
                         : solver.solve(problem, search.count + free, start);
  ElasticModes modes;
  modes.ok = pairs.ok;
  modes.reason = pairs.reason;
  if (!pairs.ok) return modes;
  modes.start.resize(pairs.vectors.rows(), pairs.vectors.cols() + pairs.guards.cols());
  modes.start.leftCols(pairs.vectors.cols()) = pairs.vectors;
  if (pairs.guards.cols() > 0) modes.start.rightCols(pairs.guards.cols()) = pairs.guards;
  if (free == 0) {
    modes.values = std::move(pairs.values);
    modes.vectors = std::move(pairs.vectors);
    return modes;
  }
  Matrix Mr(rigid.rows(), rigid.cols());
  const auto n = static_cast<std::size_t>(rigid.rows());
  for (Eigen::Index k = 0; k < rigid.cols(); ++k)
    problem.M.multiply({rigid.col(k).data(), n}, {Mr.col(k).data(), n});
  const Matrix share = Mr.transpose() * pairs.vectors;  // of the rigid motions in each mode
  std::vector<Eigen::Index> order(static_cast<std::size_t>(pairs.values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return share.col(a).squaredNorm() > share.col(b).squaredNorm();
  });
  order.erase(order.begin(), order.begin() + std::min<std::ptrdiff_t>(free, order.size()));
  std::sort(order.begin(), order.end());
  modes.values = pairs.values(order);
  Matrix U = pairs.vectors(Eigen::all, order) - rigid * share(Eigen::all, order);
  Matrix MU(U.rows(), U.cols());
  for (Eigen::Index k = 0; k < U.cols(); ++k)
    problem.M.multiply({U.col(k).data(), n}, {MU.col(k).data(), n});
  for (std::size_t i = 0; i < n; ++i)
    if (problem.mask[i]) MU.row(static_cast<Eigen::Index>(i)).setZero();
  const Matrix gram = U.transpose() * MU;
  if (U.cols() > 0) gram.llt().matrixU().solveInPlace<Eigen::OnTheRight>(U);
  modes.vectors = std::move(U);
  return modes;
}

}  // namespace pliant
