// Factors of a matrix over nodes that acts on each axis alike, as M + γq γv Dᵀ W D of a
// local–global method does: one for each axis, without the nodes that are held along it, and one
// for all axes that hold the same nodes.
#pragma once

#include <pliant/sparse/block_matrix.hpp>

#include <Eigen/SparseCholesky>

#include <array>
#include <memory>

namespace pliant {

class AxisFactors {
 public:
  // Returns how many factorisations that took. Nodes without a diagonal are left out.
  int factorize(const NodeMatrix& A, const DofMask& mask);
  // Writes what is free of x; the three axes do not see each other and go at the same time.
  void solve(const Vector& b, Vector& x);

 private:
  using Factors = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>;
  struct Axis {
    std::vector<Index> free;           // nodes
    std::unique_ptr<Factors> factors;  // null: as those of the first axis
    Vector b, x;
  };
  static std::unique_ptr<Factors> factors_of(const NodeMatrix& A, const std::vector<Index>& free);
  std::array<Axis, 3> axes_;
};

}  // namespace pliant
