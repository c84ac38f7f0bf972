// A dense correction A + Y Zᵀ of a sparse matrix by few columns, symmetric as a whole: what the
// exponential hybrids and EigenFit add to a stage. Direct solvers serve it by the formula of
// Sherman, Morrison and Woodbury, iterative ones as an operator.
#pragma once

#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

using Matrix = Eigen::MatrixXd;

struct LowRank {
  Matrix Y, Z;
  bool empty() const { return Y.cols() == 0; }
  void add_product(const Vector& x, Vector& y) const {  // y += Y Zᵀ x
    if (!empty()) y.noalias() += Y * (Z.transpose() * x);
  }
  void add_product(const Matrix& X, Matrix& out) const {
    if (!empty()) out.noalias() += Y * (Z.transpose() * X);
  }
  void remove(const DofMask& mask);  // the masked coordinates take no part, as in BlockMatrix
};

// (A + Y Zᵀ)⁻¹ b = x − P (I + Qᵀ P)⁻¹ Qᵀ x  with  x = A⁻¹ b, P = A⁻¹Y, Q = Z;
// where A = L Lᵀ, the same between the two solves: L⁻ᵀ of it with x = L⁻¹ b, P = L⁻¹Y, Q = L⁻¹Z.
class Woodbury {
 public:
  // False where the correction is singular.
  [[nodiscard]] bool prepare(const LowRank& update, Matrix P, Matrix Q);
  void correct(std::span<double> x) const;
  void clear() { active_ = false; }
  bool active() const { return active_; }
  bool is_for(const LowRank& update) const {
    return active_ && update.Y.rows() == update_.Y.rows() && update.Y.cols() == update_.Y.cols() &&
           update.Y == update_.Y && update.Z == update_.Z;
  }

 private:
  bool active_ = false;
  LowRank update_;
  Matrix P_, Q_;
  Eigen::PartialPivLU<Matrix> inner_;
};

}  // namespace pliant
