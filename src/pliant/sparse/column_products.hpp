// Products of sparse matrices with several vectors at once, the columns of X. Each block of the
// matrix is read once for four of them, which takes half the time of one by one.
#pragma once

#include <pliant/sparse/block_matrix.hpp>

#include <Eigen/Core>

namespace pliant {

void multiply(const BlockMatrix& A, const Eigen::MatrixXd& X, Eigen::MatrixXd& Y);  // Y = A X
void multiply(const NodeMatrix& A, const Eigen::MatrixXd& X, Eigen::MatrixXd& Y);

}  // namespace pliant
