// The matrix of constrained problems from its parts over nodes:
//   [ A  Jᵀ ]
//   [ J −C  ]
// Prescribed coordinates keep a diagonal of their own and nothing else. The pattern depends on that
// of A and on which nodes each row has, not on the numbers.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/solve/kkt_solver.hpp>

namespace pliant {

// `A` has its prescribed coordinates removed already; `more` is added to it.
void fill_kkt_matrix(const BlockMatrix& A, std::span<const NodeBlock> more,
                     std::span<const JacobianEntry> J, const DofMask& mask, KktMatrix& out);

}  // namespace pliant
