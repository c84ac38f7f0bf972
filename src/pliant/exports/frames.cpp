// Ranges of frames as Python's slices write them, which is what most people who post-process
// results already type.
#include <pliant/core/error.hpp>
#include <pliant/exports/export.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pliant {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw InputError(fmt::format("frames \"{}\": {}", text, why));
}

std::int64_t whole(std::string_view part, std::string_view text) {
  std::int64_t value = 0;
  const char* end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data(), end, value);
  if (error != std::errc() || stop != end)
    refuse(text, "expected a number or first:end:step, for instance 0:100:5");
  return value;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

std::vector<std::size_t> parse_frames(std::string_view text, std::size_t count) {
  const auto size = static_cast<std::int64_t>(count);
  const auto from_front = [size](std::int64_t n) { return n < 0 ? n + size : n; };
  std::vector<std::string_view> parts = parts_of(text.empty() ? ":" : text);
  if (parts.size() == 1) {
    const std::int64_t n = from_front(whole(text, text));
    if (n < 0 || n >= size)
      refuse(text, fmt::format("there is no such frame, they are numbered 0 to {}", size - 1));
    return {static_cast<std::size_t>(n)};
  }
  if (parts.size() > 3) refuse(text, "a range has three parts at most, first:end:step");
  parts.resize(3);
  const std::int64_t step = parts[2].empty() ? 1 : whole(parts[2], text);
  if (step < 1) refuse(text, fmt::format("the step must be 1 or more, got {}", step));
  const auto bound = [&](std::string_view part, std::int64_t otherwise) {
    return std::clamp(part.empty() ? otherwise : from_front(whole(part, text)), std::int64_t{0},
                      size);
  };
  const std::int64_t first = bound(parts[0], 0), end = bound(parts[1], size);
  std::vector<std::size_t> frames;
  for (std::int64_t n = first; n < end; n += std::min(step, size))
    frames.push_back(static_cast<std::size_t>(n));
  if (frames.empty())
    refuse(text, fmt::format("names none of the frames, which are numbered 0 to {}", size - 1));
  return frames;
}

}  // namespace pliant
