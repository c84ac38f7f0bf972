#include <pliant/gradient/row_equations.hpp>

#include <Eigen/SparseLU>

namespace pliant {

void RowEquations::linearize(double t, std::span<const double> q, const Vector& lambda,
                             double gamma) {
  gamma_ = gamma;
  constraints_.value(t, q, phi_);
  constraints_.jacobian(q, J_);
  constraints_.geometric_stiffness(q, lambda, gamma * gamma, GeometricStiffness::exact, blocks_);
}

bool RowEquations::solve(const BlockMatrix& A, bool symmetric, const DofMask& mask, const Vector& b,
                         Vector& w, Vector& y) {
  if (!symmetric) return solve_by_lu(A, mask, b, w, y);
  if (!solver_) solver_ = make_kkt_solver("auto");
  assembly_.matrix().C = constraints_.compliance() / (gamma_ * gamma_);
  assembly_.fill(A, blocks_, J_, mask);
  if (solver_->factorize(assembly_.matrix()) != SolveStatus::ok) return false;
  assembly_.gather(b, f_);
  const Vector none = Vector::Zero(constraints_.rows());
  if (solver_->solve(f_, none, x_, y).status != SolveStatus::ok || !x_.allFinite()) return false;
  assembly_.scatter(x_, w);
  y /= gamma_;
  return true;
}

bool RowEquations::solve_by_lu(const BlockMatrix& transposed, const DofMask& mask, const Vector& b,
                               Vector& w, Vector& y) {
  const BlockPattern& p = transposed.pattern();
  const Index n = 3 * p.rows, rows = constraints_.rows();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index i, Index j, double value) {
    const bool free = (i >= n || !mask[static_cast<std::size_t>(i)]) &&
                      (j >= n || !mask[static_cast<std::size_t>(j)]);
    if (free && value != 0) entries.emplace_back(i, j, value);
  };
  for (Index i = 0; i < p.rows; ++i)
    for (Index k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int c = 0; c < 9; ++c)
        add(3 * i + c % 3, 3 * p.column[k] + c / 3, transposed.block(k)[c]);
  for (const NodeBlock& block : blocks_)
    for (int c = 0; c < 9; ++c)
      add(3 * block.row + c % 3, 3 * block.column + c / 3, block.block(c % 3, c / 3));
  for (const JacobianEntry& entry : J_)
    for (int c = 0; c < 3; ++c) {
      add(n + entry.row, 3 * entry.node + c, entry.gradient[c]);
      add(3 * entry.node + c, n + entry.row, entry.gradient[c]);
    }
  for (Index k = 0; k < rows; ++k)
    add(n + k, n + k, -constraints_.compliance()[k] / (gamma_ * gamma_));
  for (Index i = 0; i < n; ++i)
    if (mask[static_cast<std::size_t>(i)]) entries.emplace_back(i, i, 1.0);
  Eigen::SparseMatrix<double> matrix(n + rows, n + rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() != Eigen::Success) return false;
  Vector right = Vector::Zero(n + rows);
  right.head(n) = b;
  const Vector x = lu.solve(right);
  w = x.head(n);
  y = x.tail(rows) / gamma_;
  return x.allFinite();
}

void RowEquations::leave(const Vector& w, const Vector& y, Vector& q_bar) const {
  for (const NodeBlock& block : blocks_)
    q_bar.segment<3>(3 * block.column) -=
        block.block.transpose() * w.segment<3>(3 * block.row) / gamma_;
  for (const JacobianEntry& entry : J_)
    q_bar.segment<3>(3 * entry.node) -= y[entry.row] * entry.gradient;
}

double RowEquations::weighted(double t, std::span<const double> q, const Vector& lambda,
                              double gamma, const Vector& w, const Vector& y) {
  constraints_.value(t, q, phi_);
  constraints_.jacobian(q, J_);
  double sum = y.dot(phi_ + constraints_.compliance().cwiseProduct(lambda));
  for (const JacobianEntry& entry : J_)
    sum -= gamma * lambda[entry.row] * entry.gradient.dot(w.segment<3>(3 * entry.node));
  return sum;
}

}  // namespace pliant
