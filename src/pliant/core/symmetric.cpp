#include <pliant/core/symmetric.hpp>

#include <Eigen/Cholesky>

namespace pliant {

template <class Matrix>
Eigen::SelfAdjointEigenSolver<Matrix> symmetric_pairs(const Matrix& A,
                                                      Eigen::DecompositionOptions wanted) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, wanted);
}

template <class Matrix>
Matrix positive_part(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

template <class Matrix, class Column>
bool solve_by_cholesky(const Matrix& A, const Column& b, Column& x) {
  const Eigen::LLT<Matrix> factors(A);
  if (factors.info() != Eigen::Success) return false;
  x = factors.solve(b);
  return true;
}

template <class Matrix, class Column>
Column solve_by_ldlt(const Matrix& A, const Column& b) {
  return A.ldlt().solve(b);
}

template <int n>
using Square = Eigen::Matrix<double, n, n>;
template <int n>
using Column = Eigen::Matrix<double, n, 1>;

template Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> symmetric_pairs(
    const Eigen::Matrix2d&, Eigen::DecompositionOptions);
template Eigen::SelfAdjointEigenSolver<Mat3> symmetric_pairs(const Mat3&,
                                                             Eigen::DecompositionOptions);
template Eigen::SelfAdjointEigenSolver<Mat9> symmetric_pairs(const Mat9&,
                                                             Eigen::DecompositionOptions);
template Eigen::SelfAdjointEigenSolver<Square<6>> symmetric_pairs(const Square<6>&,
                                                                  Eigen::DecompositionOptions);
template Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> symmetric_pairs(
    const Eigen::MatrixXd&, Eigen::DecompositionOptions);

template Mat3 positive_part(const Mat3&);
template Square<5> positive_part(const Square<5>&);
template Mat9 positive_part(const Mat9&);
template Square<12> positive_part(const Square<12>&);
template Eigen::MatrixXd positive_part(const Eigen::MatrixXd&);

template bool solve_by_cholesky(const Mat3&, const Vec3&, Vec3&);
template bool solve_by_cholesky(const Square<6>&, const Column<6>&, Column<6>&);
template bool solve_by_cholesky(const Mat9&, const Vec9&, Vec9&);
template Vec3 solve_by_ldlt(const Mat3&, const Vec3&);
template Vec9 solve_by_ldlt(const Mat9&, const Vec9&);

}  // namespace pliant
