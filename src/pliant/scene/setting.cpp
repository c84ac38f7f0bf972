#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

namespace pliant {
namespace {

constexpr std::size_t max_path_length = 32;

class Setting {
 public:
  explicit Setting(std::string_view assignment) : assignment_(assignment) {
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

  void apply(Json& document) const {
    Json* at = &document;
    for (std::size_t k = 0; k < path_.size(); ++k) at = &child(*at, k);
    *at = value_;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("--set {}: {}", assignment_.substr(0, 120), what));
  }

  Json parse_value(std::string_view text) const {
    const std::size_t first = text.find_first_not_of(" \t");
    const bool must_be_json = first != std::string_view::npos &&
                              std::string_view("[{\"").find(text[first]) != std::string_view::npos;
    Json value;
    try {
      value = parse_json(text, "value");
    } catch (const InputError& error) {
      if (must_be_json) fail(error.what());
      value = std::string(text);
    }
    return value;
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

  std::string_view assignment_;
  std::vector<std::string> path_;
  Json value_;
};

}  // namespace

void apply_setting(Json& document, std::string_view assignment) {
  const Setting setting(assignment);
  Json edited = document;  // unchanged if the path turns out to be wrong
  setting.apply(edited);
  document = std::move(edited);
}

}  // namespace pliant
