#include <pliant/solve/ritz_basis.hpp>

#include <pliant/core/symmetric.hpp>
#include <pliant/sparse/column_products.hpp>

#include <cmath>
#include <random>

namespace pliant {
namespace {

// What is left of a column after orthogonalisation, as a part of its length, for it to be new.
constexpr double kNew = 1e-10;
// Of the largest eigenvalue of a Gram matrix of unit columns: what is less depends on the rest; and
// what may be lost in one pass, as a part of a length or of that eigenvalue, for orthonormality to
// be that of rounding.
constexpr double kDependent = 1e-13;
constexpr double kSafe = 0.01;
constexpr double kOrthonormal = 1e-13;   // how near to that columns are that were so before
constexpr double kRitzRounding = 5e-14;  // of the scale: residuals do not fall further
constexpr double kGuardResidual = 0.1;   // of λ: close enough to say that nothing was missed

}  // namespace

void RitzBasis::open(const EigenProblem& problem, Index capacity) {
  problem_ = &problem;
  capacity_ = capacity;
  size_ = 0;
  masked_.clear();
  for (std::size_t i = 0; i < problem.mask.size(); ++i)
    if (problem.mask[i]) masked_.push_back(static_cast<Eigen::Index>(i));
  const auto n = static_cast<Eigen::Index>(problem.mask.size());
  for (Eigen::MatrixXd* X : {&V_, &KV_, &MV_})
    if (X->rows() != n || X->cols() < capacity) X->resize(n, capacity);
  if (H_.cols() < capacity) H_.resize(capacity, capacity);
}

void RitzBasis::clear_masked(Eigen::MatrixXd& X) const {
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    for (const Eigen::Index i : masked_) X(i, j) = 0;
}

// T becomes M-orthonormal by the eigenvectors of its Gram matrix, MT_ with it; what depends on the
// rest of T goes. False where some of it was lost in rounding, so that it has to be done again.
bool RitzBasis::make_orthonormal(Eigen::MatrixXd& T) {
  if (T.cols() == 0) return true;
  const Eigen::MatrixXd gram = T.transpose() * MT_;
  if ((gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() <=
      kOrthonormal)
    return true;
  const Vector scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const auto eigen =
      symmetric_pairs<Eigen::MatrixXd>(scale.asDiagonal() * gram * scale.asDiagonal());
  const Vector& lengths = eigen.eigenvalues();
  Eigen::Index first = 0;
  while (first < lengths.size() && !(lengths[first] > kDependent * lengths[lengths.size() - 1]))
    ++first;
  const Eigen::Index kept = lengths.size() - first;
  const Eigen::MatrixXd Q = scale.asDiagonal() * eigen.eigenvectors().rightCols(kept) *
                            lengths.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  T = (T * Q).eval();
  MT_ = (MT_ * Q).eval();
  return kept == 0 || lengths[first] > kSafe * lengths[lengths.size() - 1];
}

// What the basis has already goes, and columns of which nothing is left; MT_ with them. False where
// much has cancelled.
bool RitzBasis::make_new(Eigen::MatrixXd& T, Vector& lengths) {
  if (size_ == 0) return true;
  const Eigen::MatrixXd C = MV_.leftCols(size_).transpose() * T;
  T.noalias() -= V_.leftCols(size_) * C;
  MT_.noalias() -= MV_.leftCols(size_) * C;
  bool safe = true;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index j = 0; j < T.cols(); ++j) {
    const double left = std::sqrt(std::max(0.0, T.col(j).dot(MT_.col(j))));
    if (left > kNew * lengths[j]) kept.push_back(j);
    safe = safe && (left > kSafe * lengths[j] || !(left > kNew * lengths[j]));
    lengths[j] = left;
  }
  if (static_cast<Eigen::Index>(kept.size()) == T.cols()) return safe;
  T = T(Eigen::all, kept).eval();
  MT_ = MT_(Eigen::all, kept).eval();
  return safe;
}

Vector RitzBasis::append(Eigen::MatrixXd T, const Interruption& interrupted) {
  if (T.cols() > room()) T.conservativeResize(Eigen::NoChange, room());
  if (T.cols() == 0 || is_interrupted(interrupted)) return Vector::Zero(T.cols());
  clear_masked(T);
  for (Eigen::Index j = 0; j < T.cols(); ++j)
    if (!T.col(j).allFinite()) T.col(j).setZero();
  multiply_by_mass(T);
  Vector left = T.cwiseProduct(MT_).colwise().sum().cwiseMax(0).cwiseSqrt().transpose();
  const bool nothing_cancelled = make_new(T, left);
  if (!make_orthonormal(T) || !nothing_cancelled) {  // twice is enough
    multiply_by_mass(T);
    Vector ones = Vector::Ones(T.cols());
    make_new(T, ones);
    make_orthonormal(T);
  }
  const Eigen::Index count = T.cols();
  if (count == 0) return left;
  multiply(problem_->K, T, KT_);
  clear_masked(KT_);
  V_.middleCols(size_, count) = T;
  MV_.middleCols(size_, count) = MT_;
  KV_.middleCols(size_, count) = KT_;
  const Eigen::MatrixXd h = V_.leftCols(size_ + count).transpose() * KT_;
  H_.block(0, size_, size_ + count, count) = h;
  H_.block(size_, 0, count, size_ + count) = h.transpose();
  size_ += static_cast<Index>(count);
  return left;
}

void RitzBasis::multiply_by_mass(const Eigen::MatrixXd& T) {
  multiply(problem_->M, T, MT_);
  clear_masked(MT_);
}

void RitzBasis::diagonalize() {
  if (size_ == 0) {
    theta_.resize(0);
    Y_.resize(0, 0);
    return;
  }
  const auto eigen = symmetric_pairs<Eigen::MatrixXd>(H_.topLeftCorner(size_, size_));
  theta_ = eigen.eigenvalues();
  Y_ = eigen.eigenvectors();
}

Eigen::MatrixXd RitzBasis::vectors(Index count) const {
  return V_.leftCols(size_) * Y_.leftCols(count);
}

Eigen::MatrixXd RitzBasis::residuals(Index count) const {
  const Eigen::MatrixXd Y = Y_.leftCols(count);
  Eigen::MatrixXd R = KV_.leftCols(size_) * Y;
  R.noalias() -= MV_.leftCols(size_) * (Y * theta_.head(count).asDiagonal());
  return R;
}

Vector RitzBasis::residual_norms(const Eigen::MatrixXd& R) const {
  Vector norms = Vector::Zero(R.cols());
  for (Eigen::Index j = 0; j < R.cols(); ++j) {
    for (Eigen::Index i = 0; i < R.rows(); ++i)
      if (R(i, j) != 0)  // nodes that follow others have no mass
        norms[j] += R(i, j) * R(i, j) / problem_->M.diagonal(static_cast<Index>(i / 3));
    norms[j] = std::sqrt(norms[j]);
  }
  return norms;
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
    if (!(residuals[j] <= tolerance + kRitzRounding * wanted.scale)) open.push_back(j);
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
