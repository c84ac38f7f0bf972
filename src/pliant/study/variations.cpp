#include <pliant/study/variations.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace pliant {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Of "time.dt=0.01" the legend says "dt = 0.01"; of a name alone, the name.
std::string short_label(const std::string& path, const std::string& value, bool alone) {
  if (alone || path == "integrator") return value;
  return fmt::format("{} = {}", path.substr(path.rfind('.') + 1), value);
}

}  // namespace

std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) ||
                       std::string_view("=,.+-").find(c) != std::string_view::npos;
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  if (name.size() > 120) name.resize(120);
  return name;
}

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"' && (k == 0 || text[k - 1] != '\\')) quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      values.emplace_back();
    else
      values.back() += c;
  }
  for (std::string& value : values) value = trimmed(value);
  return values;
}

Variation parse_variation(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(
        fmt::format("--vary {}: write key.path=value,value,… as in integrator=be,sdirk2", text));
  Variation variation{trimmed(text.substr(0, equals)), split_values(text.substr(equals + 1))};
  std::set<std::string> seen;
  for (const std::string& value : variation.values) {
    if (value.empty()) throw InputError(fmt::format("--vary {}: a value is missing", text));
    if (!seen.insert(value).second)
      throw InputError(fmt::format("--vary {}: the value {} is there twice", text, value));
  }
  return variation;
}

std::vector<Combination> combine(std::span<const Variation> variations) {
  std::set<std::string> paths;
  for (const Variation& variation : variations)
    if (!paths.insert(variation.path).second)
      throw InputError(fmt::format("--vary {}: this key is varied twice", variation.path));
  std::vector<Combination> list(1);
  for (const Variation& variation : variations) {
    std::vector<Combination> longer;
    for (const Combination& before : list)
      for (const std::string& value : variation.values) {
        Combination next = before;
        const bool first = before.settings.empty();
        next.settings.push_back(variation.path + "=" + value);
        next.label +=
            (first ? "" : ", ") + short_label(variation.path, value, variations.size() == 1);
        next.folder = plain_name(fmt::format("{}", fmt::join(next.settings, ",")));
        longer.push_back(std::move(next));
      }
    list = std::move(longer);
  }
  // Names that are alike after cleaning (or cutting) get a number.
  std::set<std::string> names;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (!names.insert(list[k].folder).second) list[k].folder += fmt::format("-{}", k + 1);
  return list;
}

}  // namespace pliant
