// The matrix of constrained problems from its parts over nodes,
//   [ A  Jᵀ ]
//   [ J −C  ]
// without the prescribed coordinates, of which nothing is asked. The pattern depends on that of A,
// on which nodes each row has and on what is prescribed, not on the numbers: where each number goes
// is worked out when one of them changes, and else only numbers are written.
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/solve/kkt_solver.hpp>

namespace pliant {

class KktAssembly {
 public:
  // A + `more` and J. C has a number for each row of J before.
  void fill(const BlockMatrix& A, std::span<const NodeBlock> more, std::span<const JacobianEntry> J,
            const DofMask& mask);
  KktMatrix& matrix() { return matrix_; }
  const KktMatrix& matrix() const { return matrix_; }

  // Between vectors over all coordinates and those over the unknowns of the matrix.
  void gather(const Vector& all, Vector& unknowns) const;
  void scatter(const Vector& unknowns, Vector& all) const;  // zero where it is prescribed

 private:
  struct Couple {
    Index row = 0, column = 0;
    bool operator==(const Couple&) const = default;
  };
  // Places in the values of the matrix for 3×3 blocks, column by column; −1: not there.
  using BlockPlaces = std::array<Index, 9>;

  bool is_laid_out(const BlockMatrix& A, std::span<const NodeBlock> more,
                   std::span<const JacobianEntry> J, const DofMask& mask) const;
  void number_unknowns();
  void lay_out();
  void lay_out_rows();
  template <class Take>
  void for_each_lower(const Couple& nodes, Take&& take) const;

  KktMatrix matrix_;
  // What it is laid out for: nodes of blocks of A, of more and of J (row, node).
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Couple> more_, J_;
  DofMask mask_;
  std::vector<Index> unknown_, number_;  // coordinate of each unknown; unknown of each coordinate
  std::vector<Index> A_block_;           // those of A on and below the diagonal
  std::vector<BlockPlaces> A_places_, more_places_;
  std::vector<std::array<Index, 3>> J_places_;
};

}  // namespace pliant
