#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <regex>
#include <vector>

namespace pliant {
namespace {

constexpr std::size_t max_path_length = 32, max_number_length = 40, max_shown = 126;

class Setting {
 public:
  explicit Setting(const Assignment& edit) : said_(edit.said) {
    const std::string_view assignment = edit.text;
    try {
      static_cast<void>(Json(std::string(assignment)).dump());
    } catch (const Json::exception&) {
      fail("is not valid UTF-8");
    }
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0)
      fail("expected key.path=value, for example time.dt=0.01");
    for (std::string_view rest = assignment.substr(0, equals);;) {
      const std::size_t dot = rest.find('.');
      path_.emplace_back(rest.substr(0, dot));
      if (path_.back().empty()) fail("the path has an empty part");
      if (path_.size() > max_path_length) fail("the path is too long");
      if (dot == std::string_view::npos) break;
      rest.remove_prefix(dot + 1);
    }
    value_ = parse_value(assignment.substr(equals + 1));
  }

  void apply(Json& document, const Completion& complete) const {
    Json* at = &document;
    for (std::size_t k = 0; k < path_.size(); ++k) {
      if (at->is_null() && is_index(path_[k])) *at = default_list(k, complete);
      at = &child(*at, k);
    }
    *at = value_;
  }

  std::string pointer() const { return pointer_of(path_.size()); }
  std::string shown() const { return shortened(said_, max_shown); }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("{}: {}", shown(), what));
  }

  Json parse_value(std::string_view text) const {
    const std::size_t first = text.find_first_not_of(" \t");
    const bool must_be_json = first != std::string_view::npos &&
                              std::string_view("[{\"").find(text[first]) != std::string_view::npos;
    try {
      return parse_json(with_whole_digits(text), "value");
    } catch (const InputError& error) {
      if (must_be_json) fail(error.what());
      return std::string(text);
    }
  }

  // ".1", "-.5", "+2" and "1." as JSON wants them; other text as it is.
  static std::string with_whole_digits(std::string_view text) {
    static const std::regex loose(R"(([+-]?)(\d*)(\.\d*)?([eE][+-]?\d+)?)");
    std::match_results<std::string_view::const_iterator> parts;
    if (text.size() > max_number_length ||
        !std::regex_match(text.begin(), text.end(), parts, loose) ||
        parts.length(2) + parts.length(3) - (parts.length(3) > 0) == 0)
      return std::string(text);
    return (parts[1] == "-" ? "-" : "") + (parts.length(2) > 0 ? parts.str(2) : "0") +
           (parts.length(3) > 1 ? parts.str(3) : "") + parts.str(4);
  }

  static bool is_index(const std::string& part) {
    return part.find_first_not_of("0123456789") == std::string::npos;
  }

  // The list that stands for the missing value before part k, where it has a default; else null.
  Json default_list(std::size_t k, const Completion& complete) const {
    if (!complete) return nullptr;
    try {
      const Json whole = complete();
      const Json::json_pointer at(pointer_of(k));
      if (whole.contains(at) && whole.at(at).is_array()) return whole.at(at);
    } catch (const InputError&) {  // the scene is not whole without this setting
    } catch (const Json::exception&) {
    }
    return nullptr;
  }

  std::string pointer_of(std::size_t parts) const {
    std::string pointer;
    for (std::size_t k = 0; k < parts; ++k) pointer = pointer_to(pointer, path_[k]);
    return pointer;
  }

  // The path up to and without part k, as the user wrote it.
  std::string before(std::size_t k) const {
    return k == 0 ? "the scene"
                  : fmt::format("\"{}\"", fmt::join(path_.begin(),
                                                    path_.begin() + static_cast<long>(k), "."));
  }

  Json& child(Json& parent, std::size_t k) const {
    const std::string& part = path_[k];
    if (parent.is_null() && k > 0) parent = Json::object();
    if (parent.is_object()) return parent[part];
    if (!parent.is_array())
      fail(fmt::format("{} is {}, so it has no \"{}\"", before(k), kind_of(parent), part));
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (error == std::errc() && end == part.data() + part.size() && index < parent.size())
      return parent[index];
    fail(fmt::format("{} is a list of {}: its items are {}, not \"{}\"{}", before(k), parent.size(),
                     parent.empty() ? "none" : fmt::format("numbered 0 to {}", parent.size() - 1),
                     part, by_name(parent, part)));
  }

  // Users write the name of a body where its number belongs.
  static std::string by_name(const Json& list, const std::string& word) {
    std::vector<std::string> names;
    for (const Json& item : list) {
      const bool has_name = item.is_object() && item.contains("name") && item["name"].is_string();
      names.push_back(has_name ? item["name"].get<std::string>() : std::string());
    }
    const std::string near = nearest_name(word, names);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!near.empty() && names[i] == near)
        return fmt::format(", did you mean \"{}\" (\"{}\")?", i, near);
    return {};
  }

  std::string_view said_;
  std::vector<std::string> path_;
  Json value_;
};

// The place itself or one below it.
bool is_within(std::string_view place, std::string_view outer) {
  return place.substr(0, outer.size()) == outer &&
         (place.size() == outer.size() || place[outer.size()] == '/');
}

// One line: "DOCUMENT#POINTER: text" or, where the whole document is meant, something else.
std::string name_setting_in(std::string_view line, std::string_view document,
                            std::span<const Assignment> assignments) {
  const std::string prefix = std::string(document) + "#";
  const std::size_t colon = line.find(": ", prefix.size());
  if (line.substr(0, prefix.size()) != prefix || colon == std::string_view::npos)
    return std::string(line);
  const std::string_view place = line.substr(prefix.size(), colon - prefix.size());
  for (std::size_t k = assignments.size(); k > 0; --k) {  // the last one stands
    const Setting setting(assignments[k - 1]);
    const std::string pointer = setting.pointer();
    if (is_within(place, pointer))
      return fmt::format("{}{}{}{}", setting.shown(), place.size() == pointer.size() ? "" : " at ",
                         place.substr(pointer.size()), line.substr(colon));
    if (is_within(pointer, place))
      return fmt::format("{}, with {}{}", line.substr(0, colon), setting.shown(),
                         line.substr(colon));
  }
  return std::string(line);
}

}  // namespace

void apply_setting(Json& document, const Assignment& assignment, const Completion& complete) {
  const Setting setting(assignment);
  Json edited = document;  // unchanged if the path turns out to be wrong
  setting.apply(edited, complete);
  document = std::move(edited);
}

std::string name_settings(std::string_view message, std::string_view document,
                          std::span<const Assignment> assignments) {
  std::string named;
  for (std::size_t begin = 0; begin < message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    named += name_setting_in(message.substr(begin, end - begin), document, assignments);
    if (end < message.size()) named += '\n';
    begin = end + 1;
  }
  return named;
}

}  // namespace pliant
