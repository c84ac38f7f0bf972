#include <pliant/io/scene_difference.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest = 60;  // bytes of a value that are shown

std::string in_words(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not inside a character
  return text.substr(0, end) + "…";
}

std::string joined(const std::string& path, std::string_view part) {
  return path.empty() ? std::string(part) : fmt::format("{}.{}", path, part);
}

std::string difference(const Json& before, const Json& now, const std::string& path);

std::string of_objects(const Json& before, const Json& now, const std::string& path) {
  for (const auto& [key, value] : now.items()) {
    const std::string inner = joined(path, key);
    if (inner == "time.duration") continue;
    if (!before.contains(key))
      return fmt::format("{} is {} and was not there", inner, in_words(value));
    if (std::string found = difference(before.at(key), value, inner); !found.empty()) return found;
  }
  for (const auto& [key, value] : before.items())
    if (!now.contains(key))
      return fmt::format("{} was {} and is not there now", joined(path, key), in_words(value));
  return {};
}

std::string of_lists(const Json& before, const Json& now, const std::string& path) {
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    if (std::string found = difference(before[i], now[i], joined(path, std::to_string(i)));
        !found.empty())
      return found;
  if (before.size() == now.size()) return {};
  return fmt::format("{} was a list of {} and is one of {}", path, before.size(), now.size());
}

std::string difference(const Json& before, const Json& now, const std::string& path) {
  if (before.is_object() && now.is_object()) return of_objects(before, now, path);
  if (before.is_array() && now.is_array()) return of_lists(before, now, path);
  return before == now ? std::string()
                       : fmt::format("{} was {} and is {}", path, in_words(before), in_words(now));
}

}  // namespace

std::string first_difference(std::string_view before, std::string_view now) {
  const Json a = Json::parse(before, nullptr, false), b = Json::parse(now, nullptr, false);
  if (a.is_discarded() || b.is_discarded()) return "its scene.json cannot be read";
  return difference(a, b, "");
}

}  // namespace pliant
