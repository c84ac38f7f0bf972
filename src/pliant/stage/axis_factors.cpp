#include <pliant/stage/axis_factors.hpp>

#include <pliant/core/parallel.hpp>

namespace pliant {

int AxisFactors::factorize(const NodeMatrix& A, const DofMask& mask) {
  int count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    Axis& axis = axes_[k];
    axis.free.clear();
    for (Index n = 0; n < A.pattern().rows; ++n)
      if (!mask[3 * static_cast<std::size_t>(n) + k] && A.diagonal(n) > 0) axis.free.push_back(n);
    axis.factors.reset();
    if (k > 0 && axis.free == axes_[0].free) continue;
    axis.factors = factors_of(A, axis.free);
    ++count;
  }
  return count;
}

std::unique_ptr<AxisFactors::Factors> AxisFactors::factors_of(const NodeMatrix& A,
                                                              const std::vector<Index>& free) {
  const BlockPattern& pattern = A.pattern();
  std::vector<Index> number(static_cast<std::size_t>(pattern.rows), -1);
  for (std::size_t k = 0; k < free.size(); ++k)
    number[static_cast<std::size_t>(free[k])] = static_cast<Index>(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (const Index n : free)
    for (Index k = pattern.row_start[static_cast<std::size_t>(n)];
         k < pattern.row_start[static_cast<std::size_t>(n) + 1]; ++k) {
      const Index m = pattern.column[static_cast<std::size_t>(k)];
      if (m <= n && number[static_cast<std::size_t>(m)] >= 0)
        entries.emplace_back(number[static_cast<std::size_t>(n)],
                             number[static_cast<std::size_t>(m)],
                             A.values()[static_cast<std::size_t>(k)]);
    }
  const auto size = static_cast<Eigen::Index>(free.size());
  Eigen::SparseMatrix<double> lower(size, size);
  lower.setFromTriplets(entries.begin(), entries.end());
  return std::make_unique<Factors>(lower);
}

void AxisFactors::solve(const Vector& b, Vector& x) {
  parallel_for_each(3, 1, [&](std::size_t k) {
    Axis& axis = axes_[k];
    const auto place = [&](std::size_t i) {
      return 3 * axis.free[i] + static_cast<Eigen::Index>(k);
    };
    axis.b.resize(static_cast<Eigen::Index>(axis.free.size()));
    for (std::size_t i = 0; i < axis.free.size(); ++i)
      axis.b[static_cast<Eigen::Index>(i)] = b[place(i)];
    axis.x = (axis.factors ? axis.factors : axes_[0].factors)->solve(axis.b);
    for (std::size_t i = 0; i < axis.free.size(); ++i)
      x[place(i)] = axis.x[static_cast<Eigen::Index>(i)];
  });
}

}  // namespace pliant
