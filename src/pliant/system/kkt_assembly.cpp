#include <pliant/system/kkt_assembly.hpp>

namespace pliant {
namespace {

using Triplet = Eigen::Triplet<double>;

void add_lower(Index row, Index column, const double* block, std::vector<Triplet>& out) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (3 * row + i >= 3 * column + j)
        out.emplace_back(3 * row + i, 3 * column + j, block[3 * j + i]);
}

}  // namespace

void fill_kkt_matrix(const BlockMatrix& A, std::span<const NodeBlock> more,
                     std::span<const JacobianEntry> J, const DofMask& mask, KktMatrix& out) {
  const BlockPattern& pattern = A.pattern();
  std::vector<Triplet> numbers;
  numbers.reserve(6 * static_cast<std::size_t>(pattern.blocks()) + 9 * more.size());
  for (Index row = 0; row < pattern.rows; ++row)
    for (Index k = pattern.row_start[static_cast<std::size_t>(row)];
         k < pattern.row_start[static_cast<std::size_t>(row) + 1]; ++k)
      if (const Index column = pattern.column[static_cast<std::size_t>(k)]; column <= row)
        add_lower(row, column, A.block(k), numbers);
  const auto free = [&mask](Index n, int i) {
    return mask[3 * static_cast<std::size_t>(n) + i] == 0;
  };
  for (const NodeBlock& block : more) {
    if (block.column > block.row) continue;
    Mat3 kept = block.block;
    for (int i = 0; i < 3; ++i) {
      if (!free(block.row, i)) kept.row(i).setZero();
      if (!free(block.column, i)) kept.col(i).setZero();
    }
    add_lower(block.row, block.column, kept.data(), numbers);
  }
  const Eigen::Index n = 3 * static_cast<Eigen::Index>(pattern.rows);
  out.A.resize(n, n);
  out.A.setFromTriplets(numbers.begin(), numbers.end());
  numbers.clear();
  for (const JacobianEntry& entry : J)
    for (int i = 0; i < 3; ++i)
      numbers.emplace_back(entry.row, 3 * entry.node + i,
                           free(entry.node, i) ? entry.gradient[i] : 0.0);
  out.J.resize(out.C.size(), n);
  out.J.setFromTriplets(numbers.begin(), numbers.end());
}

}  // namespace pliant
