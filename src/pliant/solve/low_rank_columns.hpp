// Columns of a dense correction A + Y Zᵀ: room for more of them, and its symmetric part, which is
// all that solvers for symmetric matrices can take.
#pragma once

#include <pliant/solve/low_rank.hpp>

#include <optional>

namespace pliant {

// Columns of zeros behind those that are there; the number of the first of them.
Eigen::Index append_columns(Eigen::Index count, LowRank& update);

// d with Y Zᵀ = Z diag(d) Zᵀ to rounding, or nothing where a column of Y is no multiple of Z's.
std::optional<Vector> multiples(const LowRank& update);

// Y Zᵀ ← ½ (Y Zᵀ + Z Yᵀ). Columns that are multiples of each other stay as they are.
void symmetrize(LowRank& update);

}  // namespace pliant
