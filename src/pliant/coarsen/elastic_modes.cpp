#include <pliant/coarsen/elastic_modes.hpp>

#include <pliant/sparse/column_products.hpp>

#include <algorithm>
#include <numeric>

namespace pliant {

ElasticModes find_elastic_modes(const ElasticSearch& search, EigenpairSolver& solver,
                                const Matrix& start) {
  const EigenProblem& problem = search.problem;
  const Matrix rigid = free_rigid_motions(search.x, problem.mask, problem.M);
  const auto free = static_cast<Index>(rigid.cols());
  Eigenpairs pairs = search.known_factors ? solver.follow(problem, search.count + free, start)
                                          : solver.solve(problem, search.count + free, start);
  ElasticModes modes;
  modes.ok = pairs.ok;
  modes.rounds = pairs.iterations;
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
  Matrix Mr;
  multiply(problem.M, rigid, Mr);
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
  Matrix MU;
  multiply(problem.M, U, MU);
  for (std::size_t i = 0; i < problem.mask.size(); ++i)
    if (problem.mask[i]) MU.row(static_cast<Eigen::Index>(i)).setZero();
  const Matrix gram = U.transpose() * MU;
  if (U.cols() > 0) gram.llt().matrixU().solveInPlace<Eigen::OnTheRight>(U);
  modes.vectors = std::move(U);
  return modes;
}

}  // namespace pliant
