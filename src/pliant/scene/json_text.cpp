// JSON values in words and as text.
#include <pliant/scene/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

void append_pretty(const Json& value, std::size_t indent, std::string& out) {
  const auto plain = [](const Json& item) { return !item.is_structured() || item.empty(); };
  if (plain(value) || (value.is_array() && std::all_of(value.begin(), value.end(), plain))) {
    if (!value.is_array() || value.empty()) {
      out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
      return;
    }
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      out += i ? ", " : "";
      append_pretty(value[i], indent, out);
    }
    out += ']';
    return;
  }
  const std::string margin(indent + 2, ' ');
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    out += (first ? "\n" : ",\n") + margin;
    if (value.is_object())
      out += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    append_pretty(item, indent + 2, out);
    first = false;
  }
  out += '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

std::string shortened(std::string_view text, std::size_t length) {
  if (text.size() <= length) return std::string(text);
  while (length > 0 && (text[length] & 0xC0) == 0x80) --length;  // not inside a character
  return std::string(text.substr(0, length)) + "…";
}

std::string kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::null:
      return "null";
    default:
      return "a number";
  }
}

std::string shown(const Json& value) {
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (value.is_array())
    return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
  if (value.is_string()) return '"' + shortened(value.get_ref<const std::string&>()) + '"';
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

std::string pretty(const Json& value) {
  std::string out;
  append_pretty(value, 0, out);
  return out + '\n';
}

std::string pointer_to(std::string_view parent, std::string_view key) {
  std::string pointer(parent);
  pointer += '/';
  for (const char c : shortened(key, 100)) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}

}  // namespace pliant
