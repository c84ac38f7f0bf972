#include <pliant/solve/ritz_basis.hpp>

#include <cmath>
#include <random>

namespace pliant {
namespace {

// What is left of a column after orthogonalisation, as a part of its length, for it to be new.
constexpr double kNew = 1e-10;

}  // namespace

RitzBasis::RitzBasis(const EigenProblem& problem, Index capacity)
    : problem_(problem),
      V_(static_cast<Eigen::Index>(problem.mask.size()), capacity),
      H_(capacity, capacity) {}

void RitzBasis::clear_masked(Vector& x) const {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (problem_.mask[static_cast<std::size_t>(i)]) x[i] = 0;
}

// Gram–Schmidt in the inner product of M, as often as cancellation asks for it (twice is enough).
bool RitzBasis::orthonormalize(Vector& t) const {
  Vector Mt(t.size());
  problem_.M.multiply(view(t), view(Mt));
  const double length = std::sqrt(t.dot(Mt));
  double left = length;
  if (!std::isfinite(length) || length == 0) return false;
  for (int k = 0; k < 3; ++k) {
    t.noalias() -= V_.leftCols(size_) * (V_.leftCols(size_).transpose() * Mt);
    problem_.M.multiply(view(t), view(Mt));
    const double before = left;
    left = std::sqrt(std::max(0.0, t.dot(Mt)));
    if (!(left > kNew * length)) return false;
    if (k > 0 && left > 0.5 * before) break;
  }
  t /= left;
  return true;
}

void RitzBasis::append(const Eigen::MatrixXd& T, const Interruption& interrupted) {
  Vector Kt(V_.rows());
  for (Eigen::Index j = 0; j < T.cols() && room() > 0; ++j) {
    if (is_interrupted(interrupted)) return;
    Vector t = T.col(j);
    clear_masked(t);
    if (!orthonormalize(t)) continue;
    V_.col(size_) = t;
    problem_.K.multiply(view(t), view(Kt));
    ++size_;
    H_.col(size_ - 1).head(size_) = V_.leftCols(size_).transpose() * Kt;
    H_.row(size_ - 1).head(size_) = H_.col(size_ - 1).head(size_).transpose();
  }
}

void RitzBasis::diagonalize() {
  if (size_ == 0) {
    theta_.resize(0);
    Y_.resize(0, 0);
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H_.topLeftCorner(size_, size_));
  theta_ = eigen.eigenvalues();
  Y_ = eigen.eigenvectors();
}

Eigen::MatrixXd RitzBasis::vectors(Index count) const {
  return V_.leftCols(size_) * Y_.leftCols(count);
}

Eigen::MatrixXd RitzBasis::residuals(const Eigen::MatrixXd& X, Vector& norms) const {
  Eigen::MatrixXd R(X.rows(), X.cols());
  norms.setZero(X.cols());
  Vector x, r(X.rows()), Mx(X.rows());
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    x = X.col(j);
    problem_.K.multiply(view(x), view(r));
    problem_.M.multiply(view(x), view(Mx));
    r -= theta_[j] * Mx;
    clear_masked(r);
    for (Eigen::Index i = 0; i < r.size(); ++i)
      if (r[i] != 0)  // nodes that follow others have no mass
        norms[j] += r[i] * r[i] / problem_.M.diagonal(static_cast<Index>(i / 3));
    norms[j] = std::sqrt(norms[j]);
    R.col(j) = r;
  }
  return R;
}

void RitzBasis::restart(Index count) {
  const Eigen::MatrixXd X = vectors(count);
  V_.leftCols(count) = X;
  H_.topLeftCorner(count, count) = theta_.head(count).asDiagonal();
  size_ = count;
}

Eigen::MatrixXd fixed_random(const DofMask& mask, Index columns, unsigned seed) {
  std::mt19937 random(seed);  // its numbers are the same everywhere, those of distributions are not
  Eigen::MatrixXd X(static_cast<Eigen::Index>(mask.size()), columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const double number = static_cast<double>(random()) / 4294967296.0 - 0.5;
      X(static_cast<Eigen::Index>(i), j) = mask[i] ? 0 : number;
    }
  return X;
}

}  // namespace pliant
