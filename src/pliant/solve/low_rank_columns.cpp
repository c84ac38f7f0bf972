#include <pliant/solve/low_rank_columns.hpp>

#include <vector>

namespace pliant {

Eigen::Index append_columns(Eigen::Index count, LowRank& update) {
  const Eigen::Index first = update.Y.cols(), n = update.Y.rows();
  for (Matrix* part : {&update.Y, &update.Z}) {
    part->conservativeResize(n, first + count);
    part->rightCols(count).setZero();
  }
  return first;
}

void symmetrize(LowRank& update) {
  constexpr double rounding = 1e-14;
  std::vector<Eigen::Index> crossed;
  for (Eigen::Index k = 0; k < update.Y.cols(); ++k) {
    const auto y = update.Y.col(k), z = update.Z.col(k);
    const double yy = y.squaredNorm(), zz = z.squaredNorm();
    if (yy == 0 || zz == 0) continue;
    if ((y - (y.dot(z) / zz) * z).squaredNorm() > rounding * rounding * yy) crossed.push_back(k);
  }
  if (crossed.empty()) return;
  Eigen::Index to = append_columns(static_cast<Eigen::Index>(crossed.size()), update);
  for (const Eigen::Index k : crossed) {
    update.Y.col(k) *= 0.5;
    update.Y.col(to) = update.Z.col(k);
    update.Z.col(to++) = update.Y.col(k);
  }
}

}  // namespace pliant
