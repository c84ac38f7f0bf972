#include <pliant/stage/subspace.hpp>

namespace pliant {

void Subspace::make_update(const BlockMatrix& A, LowRank& update) const {
  const Eigen::Index n = X.rows(), s = X.cols();
  update.Y.resize(n, 2 * s);
  update.Z.resize(n, 2 * s);
  for (Eigen::Index k = 0; k < s; ++k)
    A.multiply({X.col(k).data(), static_cast<std::size_t>(n)},
               {update.Y.col(k).data(), static_cast<std::size_t>(n)});
  const auto W = update.Y.leftCols(s);
  Matrix S = X.transpose() * W;
  S.diagonal().array() += 1;
  update.Z.rightCols(s).noalias() = Y * S;
  update.Z.rightCols(s) -= W;
  update.Z.leftCols(s) = -Y;
  update.Y.rightCols(s) = Y;
}

}  // namespace pliant
