// Parts of about equally many nodes that hang together, for a coarse copy of a matrix: the graph of
// its pattern is halved again and again, at the middle of a breadth-first walk from a node far
// outside, whose front is about as narrow as the body. Serial and from the pattern alone, so that
// parts do not depend on threads, nor on where the bodies are.
#pragma once

#include <pliant/sparse/pattern.hpp>

namespace pliant {

struct GraphParts {
  std::vector<Index> start;  // per part: its first entry in `node`; one more at the end
  std::vector<Index> node;   // those of a part ascend
  std::vector<Index> part;   // per node: its part, or −1
  Index count() const { return static_cast<Index>(start.size()) - 1; }
};

// Parts have at most `most` nodes. What hangs together and has fewer than `least` is in none.
GraphParts part_graph(const BlockPattern& pattern, Index most, Index least);

}  // namespace pliant
