#include <pliant/stage/subspace.hpp>

namespace pliant {

void Subspace::make_update(const BlockMatrix& A, Eigen::Index kept, LowRank& update) const {
  const Eigen::Index n = X.rows(), s = X.cols();
  update.Y.conservativeResize(n, kept + 2 * s);
  update.Z.conservativeResize(n, kept + 2 * s);
  for (Eigen::Index k = 0; k < s; ++k)
    A.multiply({X.col(k).data(), static_cast<std::size_t>(n)},
               {update.Y.col(kept + k).data(), static_cast<std::size_t>(n)});
  auto W = update.Y.middleCols(kept, s);
  if (kept > 0) W.noalias() += update.Y.leftCols(kept) * (update.Z.leftCols(kept).transpose() * X);
  Matrix S = X.transpose() * W;
  S.diagonal().array() += 1;
  update.Z.rightCols(s).noalias() = Y * S;
  update.Z.rightCols(s) -= W;
  update.Z.middleCols(kept, s) = -Y;
  update.Y.rightCols(s) = Y;
}

}  // namespace pliant
