// Sparse Cholesky factors of a NodeMatrix by CHOLMOD, for matrices that stay the same over many
// solves, as masses do: one number for each pair of nodes, so a ninth of the entries of a
// BlockMatrix, and the three coordinates are three right-hand sides. Where pins prescribe different
// nodes along different axes, each axis has factors of its own.
#pragma once

#include <pliant/sparse/block_matrix.hpp>

#include <cholmod.h>

#include <vector>

namespace pliant {

class NodeCholesky {
 public:
  NodeCholesky();
  ~NodeCholesky();
  NodeCholesky(const NodeCholesky&) = delete;
  NodeCholesky& operator=(const NodeCholesky&) = delete;

  // Of M without the prescribed coordinates. False, with no factors, where they would have more
  // than `most` times the entries of M, or M is not positive definite.
  [[nodiscard]] bool factorize(const NodeMatrix& M, const DofMask& mask, double most);
  // x = M_ff⁻¹ b on free coordinates; others are not touched.
  [[nodiscard]] bool solve(std::span<const double> b, std::span<double> x);
  bool ready() const { return !parts_.empty(); }

 private:
  struct Part {
    std::vector<int> axes;    // that share it
    std::vector<Index> free;  // nodes
    cholmod_factor* factor = nullptr;
    cholmod_dense *right = nullptr, *left = nullptr, *work_y = nullptr, *work_e = nullptr;
  };
  bool make_part(const NodeMatrix& M, double most, Part& part);
  bool solve_part(Part& part, std::span<const double> b, std::span<double> x);
  void free_all();

  cholmod_common common_;
  std::vector<Part> parts_;
};

}  // namespace pliant
