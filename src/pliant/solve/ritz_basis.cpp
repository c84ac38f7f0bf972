#include <pliant/solve/ritz_basis.hpp>

#include <cmath>
#include <random>

namespace pliant {
namespace {

// What is left of a column after orthogonalisation, as a part of its length, for it to be new.
constexpr double kNew = 1e-10;
constexpr double kRounding = 5e-14;     // of the scale: residuals do not fall further
constexpr double kGuardResidual = 0.1;  // of λ: close enough to say that nothing was missed

}  // namespace

RitzBasis::RitzBasis(const EigenProblem& problem, Index capacity)
    : problem_(problem),
      V_(static_cast<Eigen::Index>(problem.mask.size()), capacity),
      KV_(V_.rows(), capacity),
      MV_(V_.rows(), capacity),
      H_(capacity, capacity) {}

void RitzBasis::clear_masked(Vector& x) const {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (problem_.mask[static_cast<std::size_t>(i)]) x[i] = 0;
}

// Gram–Schmidt in the inner product of M, as often as cancellation asks for it (twice is enough).
bool RitzBasis::orthonormalize(Vector& t, Vector& Mt) const {
  problem_.M.multiply(view(t), view(Mt));
  const double length = std::sqrt(t.dot(Mt));
  double left = length;
  if (!std::isfinite(length) || length == 0) return false;
  for (int k = 0; k < 3 && size_ > 0; ++k) {
    t.noalias() -= V_.leftCols(size_) * (MV_.leftCols(size_).transpose() * t);
    problem_.M.multiply(view(t), view(Mt));
    const double before = left;
    left = std::sqrt(std::max(0.0, t.dot(Mt)));
    if (!(left > kNew * length)) return false;
    if (left > 0.5 * before) break;  // nothing has cancelled
  }
  t /= left;
  Mt /= left;
  return true;
}

void RitzBasis::append(const Eigen::MatrixXd& T, const Interruption& interrupted) {
  Vector t, Mt(V_.rows()), Kt(V_.rows());
  for (Eigen::Index j = 0; j < T.cols() && room() > 0; ++j) {
    if (is_interrupted(interrupted)) return;
    t = T.col(j);
    clear_masked(t);
    if (!orthonormalize(t, Mt)) continue;
    problem_.K.multiply(view(t), view(Kt));
    clear_masked(Mt);
    clear_masked(Kt);
    V_.col(size_) = t;
    MV_.col(size_) = Mt;
    KV_.col(size_) = Kt;
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

Eigen::MatrixXd RitzBasis::residuals(Index count, Vector& norms) const {
  const Eigen::MatrixXd Y = Y_.leftCols(count);
  Eigen::MatrixXd R = KV_.leftCols(size_) * Y;
  R.noalias() -= MV_.leftCols(size_) * (Y * theta_.head(count).asDiagonal());
  norms.setZero(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    for (Eigen::Index i = 0; i < R.rows(); ++i)
      if (R(i, j) != 0)  // nodes that follow others have no mass
        norms[j] += R(i, j) * R(i, j) / problem_.M.diagonal(static_cast<Index>(i / 3));
    norms[j] = std::sqrt(norms[j]);
  }
  return R;
}

void RitzBasis::restart(Index count) {
  for (Eigen::MatrixXd* X : {&V_, &KV_, &MV_})
    X->leftCols(count) = (X->leftCols(size_) * Y_.leftCols(count)).eval();
  H_.topLeftCorner(count, count) = theta_.head(count).asDiagonal();
  size_ = count;
}

void fix_signs(Eigen::MatrixXd& X) {
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const double bound = (1 - 1e-6) * X.col(j).cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < X.rows(); ++i) {
      if (std::abs(X(i, j)) < bound) continue;
      if (X(i, j) < 0) X.col(j) *= -1;
      break;
    }
  }
}

std::vector<Eigen::Index> open_pairs(const Vector& values, const Vector& residuals,
                                     const Convergence& wanted) {
  std::vector<Eigen::Index> open;
  for (Eigen::Index j = 0; j < residuals.size(); ++j) {
    const double size = std::abs(values[j]);
    const double tolerance =
        j < wanted.count ? wanted.tolerance * size : kGuardResidual * (size + wanted.sigma);
    if (!(residuals[j] <= tolerance + kRounding * wanted.scale)) open.push_back(j);
  }
  if (!open.empty() && open.front() > wanted.count) open.clear();
  return open;
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
