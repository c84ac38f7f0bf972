// A question that long computations ask now and then: shall they stop? Whoever starts one passes it
// along with its options (a program asks whether a signal came; the library knows of none). What
// was stopped fails like anything that cannot be computed, and leaves its input as it was.
#pragma once

#include <functional>

namespace pliant {

using Interruption = std::function<bool()>;  // empty: never

inline bool is_interrupted(const Interruption& interruption) {
  return interruption && interruption();
}

}  // namespace pliant
