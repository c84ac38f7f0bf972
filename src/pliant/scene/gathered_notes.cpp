#include <pliant/scene/gathered_notes.hpp>

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace pliant {
namespace {

// "scene.json#/bodies/3/mesh" of "scene.json#/bodies/3/mesh: …"; empty where there is none.
std::string_view place_of(std::string_view text) {
  const std::size_t hash = text.find("#/"), end = text.find(": ");
  return hash < end && end != std::string_view::npos ? text.substr(0, end) : std::string_view();
}

// Without its place and without what stands between quotation marks.
std::string without_names(std::string_view text) {
  std::string plain;
  bool quoted = false;
  for (const char c : text.substr(place_of(text).size())) {
    if (c == '"') quoted = !quoted;
    if (!quoted) plain += c;
  }
  return plain;
}

}  // namespace

std::vector<LogEntry> gathered(const std::vector<LogEntry>& entries) {
  struct Group {
    std::size_t at = 0;  // in the result
    int more = 0;
    std::string_view last;  // place
  };
  std::vector<LogEntry> result;
  std::map<std::tuple<LogLevel, double, std::string>, Group> groups;
  for (const LogEntry& entry : entries) {
    const auto [found, is_new] = groups.try_emplace(
        {entry.level, entry.time, without_names(entry.text)}, Group{result.size(), 0, {}});
    if (is_new) {
      result.push_back(entry);
      continue;
    }
    ++found->second.more;
    found->second.last = place_of(entry.text);
  }
  for (const auto& [key, group] : groups)
    if (group.more > 0) {
      std::string& text = result[group.at].text;
      text += fmt::format(" (and so {} times more{}{})", group.more,
                          group.last.empty() ? "" : ", last at ", group.last);
    }
  return result;
}

GatheredLog::GatheredLog(const Log& to)
    : to_(to), log_([this](const LogEntry& entry) { entries_.push_back(entry); }) {}

GatheredLog::~GatheredLog() {
  for (const LogEntry& entry : gathered(entries_)) to_.say(entry);
}

}  // namespace pliant
