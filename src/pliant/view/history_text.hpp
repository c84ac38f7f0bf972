// history.csv for a page: its columns, and its rows thinned so that a long run stays small. A last
// line that is still being written is left out.
#pragma once

#include <pliant/scene/json.hpp>

#include <string>
#include <vector>

namespace pliant {

constexpr std::size_t kMostRows = 5000;

std::vector<std::string> history_columns(const std::string& text);

// {"columns": […], "rows": [[…], …]}, null where a field is empty; the first and the last row are
// always there.
Json thinned_history(const std::string& text);

}  // namespace pliant
