// Eigenpairs and factors of dense symmetric matrices. Eigen makes some ten thousand lines of code
// of each of these for each type of matrix; here they are compiled once for each type that is used
// (symmetric.cpp).
#pragma once

#include <pliant/core/types.hpp>

#include <Eigen/Eigenvalues>

namespace pliant {

// Eigenvalues in ascending order, with eigenvectors unless only values are asked for.
template <class Matrix>
Eigen::SelfAdjointEigenSolver<Matrix> symmetric_pairs(
    const Matrix& A, Eigen::DecompositionOptions wanted = Eigen::ComputeEigenvectors);

// The nearest symmetric positive semi-definite matrix: negative eigenvalues become zero.
template <class Matrix>
Matrix positive_part(const Matrix& A);

// x = A⁻¹ b by A = L Lᵀ; false where A is not positive definite.
template <class Matrix, class Column>
bool solve_by_cholesky(const Matrix& A, const Column& b, Column& x);

// x = A⁻¹ b by A = L D Lᵀ, which semi-definite matrices have, too.
template <class Matrix, class Column>
Column solve_by_ldlt(const Matrix& A, const Column& b);

}  // namespace pliant
