// File names with a number, as frames and checkpoints carry them: frame_000012.vtu. Six digits, so
// that they sort as they should, and more when there are more than a million.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

inline std::string numbered_name(std::string_view prefix, std::uint64_t number,
                                 std::string_view suffix) {
  std::string digits = std::to_string(number);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return std::string(prefix) + digits + std::string(suffix);
}

// The number in a name that numbered_name may have made; nothing for any other name.
inline std::optional<std::uint64_t> number_in_name(std::string_view name, std::string_view prefix,
                                                   std::string_view suffix) {
  if (name.size() < prefix.size() + suffix.size()) return {};
  const std::string_view digits =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (numbered_name(prefix, number, suffix) != name) return {};
  return number;
}

}  // namespace pliant
