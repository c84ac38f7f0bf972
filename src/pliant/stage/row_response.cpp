#include <pliant/stage/row_response.hpp>

#include <algorithm>

namespace pliant {
namespace {

constexpr std::size_t kTogether = 32;  // columns: more gain little, and take memory

}  // namespace

void RowResponse::forget() {
  slots_.clear();
  for (auto& slots : slot_of_row_) slots.clear();
  solved_ = 0;
}

Index RowResponse::slot_of(Kind kind, const NodeRows& rows, Index row) {
  auto& slots = slot_of_row_[static_cast<std::size_t>(kind)];
  const auto at = static_cast<std::size_t>(row);
  if (slots.size() <= at) slots.resize(at + 1, -1);
  if (slots[at] < 0) {
    slots[at] = static_cast<Index>(slots_.size());
    slots_.push_back({&rows, row});
  }
  return slots[at];
}

// W is symmetric: rows that come later see those before them in their own columns.
bool RowResponse::fill(Eigen::Index dofs, const Respond& respond) {
  const auto n = static_cast<Eigen::Index>(slots_.size());
  if (W_.rows() < n) W_.conservativeResize(2 * n, 2 * n);
  while (solved_ < slots_.size()) {
    const std::size_t end = std::min(solved_ + kTogether, slots_.size());
    columns_.setZero(dofs, static_cast<Eigen::Index>(end - solved_));
    for (std::size_t k = solved_; k < end; ++k) {
      const auto& [list, row] = slots_[k];
      for (std::size_t i = 0; i < list->nodes(row).size(); ++i)
        columns_.col(static_cast<Eigen::Index>(k - solved_)).segment<3>(3 * list->nodes(row)[i]) +=
            list->coefficients(row)[i];
    }
    if (!respond(columns_)) return false;
    for (; solved_ < end; ++solved_) {
      const auto j = static_cast<Eigen::Index>(solved_);
      const auto column = columns_.col(columns_.cols() - static_cast<Eigen::Index>(end - solved_));
      for (Eigen::Index i = 0; i <= j; ++i) {
        const auto& [list, row] = slots_[static_cast<std::size_t>(i)];
        W_(i, j) = W_(j, i) =
            list->dot(row, {column.data(), static_cast<std::size_t>(column.size())});
      }
    }
  }
  return true;
}

}  // namespace pliant
