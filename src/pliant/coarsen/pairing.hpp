// Which modes of one set are those of another, by their overlaps in the norm of mass: entry (i, j)
// of the overlap says how much of mode i is mode j, with any sign. By index would be wrong as soon
// as two modes cross (CHEN §3.5, Fig. 5).
#pragma once

#include <pliant/solve/low_rank.hpp>

#include <string>
#include <vector>

namespace pliant {

struct Pairing {
  std::vector<Index> partner;    // of each row a column, no column twice
  Index crossed() const;         // rows whose partner has another number
  std::string in_words() const;  // "2 <-> 3": what changed places, counted from 1; or ""
};
// The largest overlap first, then the largest of what is left: an overlap above √½ is the largest
// of its row and of its column, so where modes can be told apart this is the best of all pairings.
Pairing pair_modes(const Matrix& overlap);

// CHEN §3.5: modes are known again where at least half of the columns of the overlap contain an
// entry above 0.6.
constexpr double kKnownOverlap = 0.6;
struct Acceptance {
  Index known = 0, of = 0;  // columns
  bool passed() const { return 2 * known >= of; }
};
Acceptance accept_modes(const Matrix& overlap);

}  // namespace pliant
