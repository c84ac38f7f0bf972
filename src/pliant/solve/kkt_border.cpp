#include <pliant/solve/kkt_border.hpp>

#include <pliant/core/symmetric.hpp>

#include <cmath>

namespace pliant {
namespace {

constexpr double kBorderRounding = 1e-15;

}  // namespace

// V = K₀⁻¹ B, each column refined twice: ε is what is left of numbers of size one.
bool KktBorder::solve_columns(const KktSystem& system, KktFactors& factors) {
  const auto k = static_cast<Eigen::Index>(Z_.size());
  B_.resize(system.size(), k), V_.setZero(system.size(), k);
  const auto without_border = [&](Vector& r) {
    for (const Index z : Z_) r[z] = 0;
  };
  Vector r, v, unit = Vector::Zero(system.size());
  for (Eigen::Index j = 0; j < k; ++j) {
    unit[Z_[static_cast<std::size_t>(j)]] = 1;
    system.multiply(unit, r);
    unit[Z_[static_cast<std::size_t>(j)]] = 0;
    without_border(r);
    B_.col(j) = r;
    for (int pass = 0; pass < 3; ++pass) {
      if (!factors.solve(r)) return false;
      V_.col(j) += r;
      v = V_.col(j);
      system.multiply(v, Kz_);
      r = B_.col(j) - Kz_;
      without_border(r);
    }
  }
  return true;
}

Matrix KktBorder::small_matrix(const KktSystem& system) const {
  const auto n = system.unknowns();
  const auto k = static_cast<Eigen::Index>(Z_.size());
  Matrix sigma(k, k);
  Vector v, Kv;
  for (Eigen::Index j = 0; j < k; ++j) {
    const Index zj = Z_[static_cast<std::size_t>(j)];
    v = V_.col(j);
    v.tail(system.rows()).setZero();
    system.multiply(v, Kv);  // A X on top
    for (Eigen::Index i = 0; i < k; ++i) {
      const Index zi = Z_[static_cast<std::size_t>(i)];
      if (zi >= n && zj >= n) {
        const auto y = V_.col(i).tail(system.rows());
        sigma(i, j) = -V_.col(i).head(n).dot(Kv.head(n)) -
                      (y.cwiseProduct(system.compliance())).dot(V_.col(j).tail(system.rows())) -
                      (i == j ? system.compliance()[zi - n] : 0);
      } else {
        sigma(i, j) =
            system.K().coeff(std::max(zi, zj), std::min(zi, zj)) - B_.col(i).dot(V_.col(j));
      }
    }
  }
  return 0.5 * (sigma + sigma.transpose());
}

// Σ⁺ and the null directions. Diagonal entries that are none come first; the others, which may
// differ by twenty orders of magnitude, are scaled to one. The columns V carry errors of rounding,
// those of Σ beside its diagonal are then of rounding/ε.
void KktBorder::invert(const Matrix& sigma, double distance) {
  const auto k = sigma.rows();
  std::vector<Eigen::Index> kept, dropped;
  Vector scale = Vector::Zero(k);
  double smallest = 1;
  for (Eigen::Index i = 0; i < k; ++i) {
    const double size = std::sqrt(std::abs(sigma(i, i)));
    if (size > distance) {
      kept.push_back(i);
      scale[i] = 1 / size;
      smallest = std::min(smallest, size);
    } else {
      dropped.push_back(i);
    }
  }
  inverse_.setZero(k, k), null_t_.setZero(k, k);
  negative_ = 0;
  Eigen::Index nulls = 0;
  for (const Eigen::Index i : dropped) null_t_(i, nulls++) = 1;
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  if (!kept.empty())
    eigen = symmetric_pairs<Matrix>((scale.asDiagonal() * sigma * scale.asDiagonal())(kept, kept));
  const double none = std::max(1e-12, 10 * kBorderRounding / smallest);
  for (Eigen::Index e = 0; e < static_cast<Eigen::Index>(kept.size()); ++e) {
    const double value = eigen.eigenvalues()[e];
    Vector direction = Vector::Zero(k);
    for (std::size_t i = 0; i < kept.size(); ++i)
      direction[kept[i]] = scale[kept[i]] * eigen.eigenvectors()(static_cast<Eigen::Index>(i), e);
    if (std::abs(value) <= none) {
      null_t_.col(nulls++) = direction.normalized();
    } else {
      inverse_ += direction * direction.transpose() / value;
      if (value < 0) ++negative_;
    }
  }
  null_t_.conservativeResize(k, nulls);
}

// z = (−V t, t) for Σ t = 0. Its part in the unknowns is zero where A is definite on the null space
// of J.
bool KktBorder::find_null_space(const KktSystem& system) {
  const auto nulls = null_t_.cols();
  Matrix z = -V_ * null_t_;
  for (std::size_t i = 0; i < Z_.size(); ++i)
    z.row(Z_[i]) = null_t_.row(static_cast<Eigen::Index>(i));
  const Matrix x = z.topRows(system.unknowns());
  for (Eigen::Index j = 0; j < nulls; ++j)
    if (x.col(j).norm() > 1e-6 * z.col(j).norm()) return false;
  const Matrix y = system.scale().tail(system.rows()).asDiagonal() * z.bottomRows(system.rows());
  if (nulls == 0) {
    null_.resize(system.rows(), 0);
    return true;
  }
  const Eigen::ColPivHouseholderQR<Matrix> qr(y * y.colwise().norm().cwiseInverse().asDiagonal());
  null_ = qr.householderQ() * Matrix::Identity(system.rows(), nulls);
  return true;
}

bool KktBorder::prepare(const KktSystem& system, KktFactors& factors,
                        const std::vector<Index>& left_out, double distance) {
  Z_ = left_out;
  negative_ = 0;
  null_.resize(system.rows(), 0);
  if (Z_.empty()) return true;
  if (!solve_columns(system, factors)) return false;
  const Matrix sigma = small_matrix(system);
  if (!sigma.allFinite()) return false;
  invert(sigma, distance);
  return find_null_space(system);
}

bool KktBorder::solve(KktFactors& factors, Vector& z) {
  if (Z_.empty()) return factors.solve(z);
  t_.resize(static_cast<Eigen::Index>(Z_.size()));
  for (std::size_t i = 0; i < Z_.size(); ++i) {
    t_[static_cast<Eigen::Index>(i)] = z[Z_[i]];
    z[Z_[i]] = 0;
  }
  if (!factors.solve(z)) return false;
  t_ -= B_.transpose() * z;
  t_ = inverse_ * t_;
  z.noalias() -= V_ * t_;
  for (std::size_t i = 0; i < Z_.size(); ++i) z[Z_[i]] = t_[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace pliant
