// The Schur complement W = G A⁻¹ Gᵀ of the rows of a correction: the motion that a unit of force at
// one row leads to, as others see it. Rows come in rounds and stay what they are until the matrix
// changes, so each is solved for once.
#pragma once

#include <pliant/solve/low_rank.hpp>
#include <pliant/solve/node_rows.hpp>

#include <array>
#include <functional>
#include <vector>

namespace pliant {

class RowResponse {
 public:
  enum class Kind { normal, tangent, bounded };
  // Columns of forces, to be turned into the motion each leads to; false where that fails.
  using Respond = std::function<bool(Matrix& columns)>;

  void forget();
  // Where a row is in W. `rows` stay alive, and what row k is stays so, until all is forgotten.
  Index slot_of(Kind kind, const NodeRows& rows, Index row);
  // Solves for what has been asked of since; over so many coordinates.
  [[nodiscard]] bool fill(Eigen::Index dofs, const Respond& respond);
  double operator()(Index slot, Index other) const { return W_(slot, other); }

 private:
  struct Row {
    const NodeRows* list = nullptr;
    Index row = 0;
  };
  std::vector<Row> slots_;
  std::size_t solved_ = 0;
  std::array<std::vector<Index>, 3> slot_of_row_;  // by kind; −1: not met yet
  Matrix W_, columns_;
};

}  // namespace pliant
