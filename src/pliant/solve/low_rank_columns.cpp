#include <pliant/solve/low_rank_columns.hpp>

#include <vector>

namespace pliant {
namespace {

// y zᵀ = d z zᵀ, or nothing where y is no multiple of z.
std::optional<double> multiple(const Eigen::Ref<const Vector>& y,
                               const Eigen::Ref<const Vector>& z) {
  constexpr double rounding = 1e-14;
  const double yy = y.squaredNorm(), zz = z.squaredNorm();
  if (yy == 0 || zz == 0) return 0;
  const double d = y.dot(z) / zz;
  if ((y - d * z).squaredNorm() <= rounding * rounding * yy) return d;
  return std::nullopt;
}

}  // namespace

Eigen::Index append_columns(Eigen::Index count, LowRank& update) {
  const Eigen::Index first = update.Y.cols(), n = update.Y.rows();
  for (Matrix* part : {&update.Y, &update.Z}) {
    part->conservativeResize(n, first + count);
    part->rightCols(count).setZero();
  }
  return first;
}

std::optional<Vector> multiples(const LowRank& update) {
  Vector d(update.Y.cols());
  for (Eigen::Index k = 0; k < d.size(); ++k) {
    const std::optional<double> one = multiple(update.Y.col(k), update.Z.col(k));
    if (!one) return std::nullopt;
    d[k] = *one;
  }
  return d;
}

void symmetrize(LowRank& update) {
  std::vector<Eigen::Index> crossed;
  for (Eigen::Index k = 0; k < update.Y.cols(); ++k)
    if (!multiple(update.Y.col(k), update.Z.col(k))) crossed.push_back(k);
  if (crossed.empty()) return;
  Eigen::Index to = append_columns(static_cast<Eigen::Index>(crossed.size()), update);
  for (const Eigen::Index k : crossed) {
    update.Y.col(k) *= 0.5;
    update.Y.col(to) = update.Z.col(k);
    update.Z.col(to++) = update.Y.col(k);
  }
}

}  // namespace pliant
