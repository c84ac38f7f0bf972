// Which 3×3 blocks of a matrix over nodes may be non-zero. Symmetric in structure, rows sorted,
// diagonal always present; built once from the connectivity of all terms and then shared, constant,
// by every matrix of the system.
#pragma once

#include <pliant/core/types.hpp>

#include <array>
#include <vector>

namespace pliant {

struct BlockPattern {
  Index rows = 0;
  std::vector<Index> row_start;  // rows + 1
  std::vector<Index> column;     // sorted within each row
  std::vector<Index> diagonal;   // per row: the index of its diagonal block
  std::vector<Index> mirror;     // per block (i, j): the index of block (j, i)

  Index blocks() const { return static_cast<Index>(column.size()); }
  Index find(Index i, Index j) const;  // the index of block (i, j), or −1
};

// A pattern with further couplings, and where each block of the old one is in the new.
struct PatternExtension {
  BlockPattern pattern;
  std::vector<Index> place;  // per block of the old pattern
};
// Each coupling stands for itself and its mirror; those that are there already change nothing.
PatternExtension extend_pattern(const BlockPattern& pattern,
                                std::vector<std::array<Index, 2>> couplings);

// Gathers the stencils (sets of nodes that act on each other) of all terms.
class PatternBuilder {
 public:
  explicit PatternBuilder(Index nodes) : nodes_(nodes) {}
  // Every run of `stencil` consecutive entries couples all its nodes with each other.
  void add(std::span<const Index> connectivity, int stencil);
  BlockPattern build() const;

 private:
  struct Stencils {
    std::vector<Index> nodes;
    int size;
  };
  Index nodes_;
  std::vector<Stencils> stencils_;
};

}  // namespace pliant
