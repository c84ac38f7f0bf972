// "Did you mean …?" for wrong names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pliant {

// The candidate that others call `word`, or else the nearest to it by edit distance (transpositions
// count once, case is ignored), or an empty string where none is near enough to be worth proposing.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

// ", did you mean \"x\"?" or, where nothing is near, ", known: a, b, c"; empty without candidates.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace pliant
