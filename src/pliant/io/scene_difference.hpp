// Which key of a scene changed between two runs, for the refusal to resume. Paths are written as
// `--set` takes them: "bodies.0.mesh.box.cells.1 was 4 and is 8".
#pragma once

#include <string>
#include <string_view>

namespace pliant {

// The first key, in the order of `now`, at which two resolved scenes differ, `time.duration` apart,
// with both values; empty where there is none.
std::string first_difference(std::string_view before, std::string_view now);

}  // namespace pliant
