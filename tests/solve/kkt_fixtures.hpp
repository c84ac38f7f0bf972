// Systems with constraints and their answers by dense algebra in extended precision.
#pragma once

#include <pliant/solve/kkt_solver.hpp>
#include <pliant/solve/low_rank.hpp>

#include <random>
#include <string>

namespace pliant::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

inline std::vector<std::string> built_kkt_solvers() {
  std::vector<std::string> names;
  for (const LinearSolverInfo& info : kkt_solvers())
    if (info.name != "mumps" || mumps_built()) names.emplace_back(info.name);
  return names;
}

struct DenseKkt {
  Matrix A, J;
  Vector C, f, g;

  KktMatrix sparse() const {
    KktMatrix m;
    m.A = A.sparseView(1, 0), m.J = J.sparseView(1, 0), m.C = C;
    m.A.makeCompressed(), m.J.makeCompressed();
    return m;
  }
  Matrix whole() const {
    const auto n = A.rows(), m = J.rows();
    Matrix K(n + m, n + m);
    K << A, J.transpose(), J, Matrix((-C).asDiagonal());
    return K;
  }
  // The rows' equations in the least-squares sense, the shortest y: g without the part that no x
  // and y reach, then the shortest of all solutions, x being the same in all.
  void solve(Vector& x, Vector& y) const {
    const auto n = A.rows(), m = J.rows();
    LongMatrix rows(m, n + m);
    rows << J.cast<long double>(), LongMatrix((-C.cast<long double>()).asDiagonal());
    LongVector b(n + m);
    b << f.cast<long double>(), g.cast<long double>();
    Eigen::CompleteOrthogonalDecomposition<LongMatrix> of_rows;
    of_rows.setThreshold(1e-15L);
    of_rows.compute(rows);
    b.tail(m) = rows * of_rows.solve(LongVector(g.cast<long double>()));
    Eigen::CompleteOrthogonalDecomposition<LongMatrix> of_all;
    of_all.setThreshold(1e-15L);
    of_all.compute(whole().cast<long double>());
    const LongVector z = of_all.solve(b);
    x = z.head(n).cast<double>(), y = z.tail(m).cast<double>();
  }
};

inline Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Matrix::NullaryExpr(rows, columns, [&] { return uniform(random); });
}

// Sparse rows, a banded A that is positive definite.
inline DenseKkt random_kkt(Eigen::Index n, Eigen::Index m, unsigned seed) {
  DenseKkt k;
  Matrix R = random_matrix(n, n, seed);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if (std::abs(i - j) > 3) R(i, j) = 0;
  k.A = R * R.transpose() + Matrix::Identity(n, n);
  k.J = random_matrix(m, n, seed + 1);
  std::mt19937 random(seed + 2);
  for (Eigen::Index r = 0; r < m; ++r)
    for (Eigen::Index c = 0; c < n; ++c)
      if (random() % 4 != 0 && c != r) k.J(r, c) = 0;
  k.C = Vector::Zero(m);
  k.f = random_matrix(n, 1, seed + 3), k.g = random_matrix(m, 1, seed + 4);
  return k;
}

}  // namespace pliant::test
