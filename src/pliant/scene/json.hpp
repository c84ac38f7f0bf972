// Text to JSON, for input nobody vouches for. Comments are allowed as in JSONC; everything that
// JSON leaves open and that could hurt later is refused here, with line and column: duplicate keys,
// numbers that a double cannot hold, nesting beyond a cap, huge files.
//
// The document keeps the order of its keys, so that a resolved scene reads like the one written.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pliant {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_json_depth = 64;
constexpr std::size_t max_json_bytes = std::size_t{64} << 20;

// `name` stands before every message: "scene.json, line 3, column 14: …".
Json parse_json(std::string_view text, std::string_view name);

// Reads and parses a file. Messages of parsing name the file as it was written.
Json load_json(const std::filesystem::path& path);

// The JSON kind in words, with its article: "a number", "a list", "null".
std::string kind_of(const Json& value);

// The value as a message shows it: short values as JSON, long ones by kind and size.
std::string shown(const Json& value);

// Two spaces of indentation, lists of plain values on one line, a newline at the end: the form in
// which a resolved scene and the schema are written.
std::string pretty(const Json& value);

// The text, cut to about `length` bytes with "…" at the end where it is longer.
std::string shortened(std::string_view text, std::size_t length = 40);

// One more segment of a JSON pointer, "~" and "/" escaped (RFC 6901).
std::string pointer_to(std::string_view parent, std::string_view key);

}  // namespace pliant
