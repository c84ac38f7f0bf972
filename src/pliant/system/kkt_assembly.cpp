#include <pliant/system/kkt_assembly.hpp>

#include <algorithm>

namespace pliant {
namespace {

using Triplet = Eigen::Triplet<double>;

// Where an entry of a compressed matrix is; sorted inner indices.
template <class Sparse>
Index find_place(const Sparse& M, Index outer, Index inner) {
  const auto* begin = M.innerIndexPtr() + M.outerIndexPtr()[outer];
  const auto* end = M.innerIndexPtr() + M.outerIndexPtr()[outer + 1];
  return static_cast<Index>(std::lower_bound(begin, end, inner) - M.innerIndexPtr());
}

template <class Sparse>
void clear_values(Sparse& M) {
  std::fill(M.valuePtr(), M.valuePtr() + M.nonZeros(), 0.0);
}

}  // namespace

bool KktAssembly::is_laid_out(const BlockMatrix& A, std::span<const NodeBlock> more,
                              std::span<const JacobianEntry> J, const DofMask& mask) const {
  return pattern_ == A.shared_pattern() && mask_ == mask && matrix_.J.rows() == matrix_.C.size() &&
         std::equal(more_.begin(), more_.end(), more.begin(), more.end(),
                    [](const Couple& a, const NodeBlock& b) {
                      return a == Couple{b.row, b.column};
                    }) &&
         std::equal(J_.begin(), J_.end(), J.begin(), J.end(),
                    [](const Couple& a, const JacobianEntry& b) {
                      return a == Couple{b.row, b.node};
                    });
}

void KktAssembly::number_unknowns() {
  unknown_.clear(), number_.assign(mask_.size(), -1);
  for (std::size_t i = 0; i < mask_.size(); ++i)
    if (!mask_[i]) {
      number_[i] = static_cast<Index>(unknown_.size());
      unknown_.push_back(static_cast<Index>(i));
    }
}

// Unknowns are numbered as coordinates are, so what is below the diagonal stays there.
template <class Take>
void KktAssembly::for_each_lower(const Couple& nodes, Take&& take) const {
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) {
      const Index r = number_[static_cast<std::size_t>(3 * nodes.row + i)];
      const Index c = number_[static_cast<std::size_t>(3 * nodes.column + j)];
      if (r >= c && c >= 0) take(static_cast<std::size_t>(3 * j + i), r, c);
    }
}

void KktAssembly::lay_out() {
  number_unknowns();
  std::vector<Couple> blocks;
  A_block_.clear();
  for (Index row = 0; row < pattern_->rows; ++row)
    for (Index k = pattern_->row_start[static_cast<std::size_t>(row)];
         k <= pattern_->diagonal[static_cast<std::size_t>(row)]; ++k) {
      A_block_.push_back(k);
      blocks.push_back({row, pattern_->column[static_cast<std::size_t>(k)]});
    }
  std::vector<Triplet> entries;
  for (const auto* list : {&blocks, &more_})
    for (const Couple& nodes : *list)
      for_each_lower(nodes,
                     [&](std::size_t, Index r, Index c) { entries.emplace_back(r, c, 0.0); });
  const auto n = static_cast<Eigen::Index>(unknown_.size());
  matrix_.A.resize(n, n);
  matrix_.A.setFromTriplets(entries.begin(), entries.end());
  const auto find = [&](const std::vector<Couple>& list, std::vector<BlockPlaces>& places) {
    BlockPlaces none;
    none.fill(-1);
    places.assign(list.size(), none);
    for (std::size_t k = 0; k < list.size(); ++k)
      for_each_lower(list[k], [&](std::size_t i, Index r, Index c) {
        places[k][i] = find_place(matrix_.A, c, r);
      });
  };
  find(blocks, A_places_), find(more_, more_places_);
  lay_out_rows();
}

void KktAssembly::lay_out_rows() {
  std::vector<Triplet> entries;
  const auto unknown = [&](const Couple& entry, std::size_t i) {
    return number_[3 * static_cast<std::size_t>(entry.column) + i];
  };
  for (const Couple& entry : J_)
    for (std::size_t i = 0; i < 3; ++i)
      if (unknown(entry, i) >= 0) entries.emplace_back(entry.row, unknown(entry, i), 0.0);
  matrix_.J.resize(matrix_.C.size(), static_cast<Eigen::Index>(unknown_.size()));
  matrix_.J.setFromTriplets(entries.begin(), entries.end());
  J_places_.assign(J_.size(), {-1, -1, -1});
  for (std::size_t k = 0; k < J_.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      if (unknown(J_[k], i) >= 0)
        J_places_[k][i] = find_place(matrix_.J, J_[k].row, unknown(J_[k], i));
}

void KktAssembly::fill(const BlockMatrix& A, std::span<const NodeBlock> more,
                       std::span<const JacobianEntry> J, const DofMask& mask) {
  if (!is_laid_out(A, more, J, mask)) {
    pattern_ = A.shared_pattern(), mask_ = mask;
    more_.clear(), J_.clear();
    for (const NodeBlock& block : more) more_.push_back({block.row, block.column});
    for (const JacobianEntry& entry : J) J_.push_back({entry.row, entry.node});
    lay_out();
  }
  clear_values(matrix_.A), clear_values(matrix_.J);
  const auto add = [](auto& values, const auto& places, const double* numbers) {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0) values[places[i]] += numbers[i];
  };
  double* a = matrix_.A.valuePtr();
  for (std::size_t k = 0; k < A_block_.size(); ++k) add(a, A_places_[k], A.block(A_block_[k]));
  for (std::size_t k = 0; k < more.size(); ++k) add(a, more_places_[k], more[k].block.data());
  double* j = matrix_.J.valuePtr();
  for (std::size_t k = 0; k < J.size(); ++k) add(j, J_places_[k], J[k].gradient.data());
}

void KktAssembly::gather(const Vector& all, Vector& unknowns) const {
  unknowns.resize(static_cast<Eigen::Index>(unknown_.size()));
  for (std::size_t k = 0; k < unknown_.size(); ++k)
    unknowns[static_cast<Eigen::Index>(k)] = all[unknown_[k]];
}

void KktAssembly::scatter(const Vector& unknowns, Vector& all) const {
  all.setZero(static_cast<Eigen::Index>(number_.size()));
  for (std::size_t k = 0; k < unknown_.size(); ++k)
    all[unknown_[k]] = unknowns[static_cast<Eigen::Index>(k)];
}

}  // namespace pliant
