#include <pliant/study/history_table.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

namespace pliant {
namespace {

double number(const std::string& field, const std::string& where) {
  if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || stop != end)
    throw InputError(fmt::format("{}: \"{}\" is no number", where, field));
  return value;
}

}  // namespace

std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (quoted && c == '"' && k + 1 < line.size() && line[k + 1] == '"')
      fields.back() += line[++k];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

HistoryTable HistoryTable::parse(const std::string& text, const std::string& name) {
  HistoryTable table;
  table.name_ = name;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line.empty())
    throw InputError(fmt::format("{}: the file is empty", name));
  table.header_ = csv_fields(line);
  for (const std::string& word : table.header_) table.columns_[word];
  if (!table.has("time") || !table.has("total"))
    throw InputError(
        fmt::format("{}: this is no history: it has no time or no total energy", name));
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    const std::string where = fmt::format("{}, row {}", name, table.rows_ + 1);
    if (fields.size() != table.header_.size())
      throw InputError(
          fmt::format("{}: {} fields, expected {}", where, fields.size(), table.header_.size()));
    for (std::size_t k = 0; k < fields.size(); ++k)
      table.columns_[table.header_[k]].push_back(number(fields[k], where));
    ++table.rows_;
  }
  return table;
}

HistoryTable HistoryTable::read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: there is no such file to be read", path.string()));
  std::ostringstream text;
  text << file.rdbuf();
  return parse(text.str(), path.string());
}

// A scene that is missing or damaged says nothing.
HistoryTable HistoryTable::of_run(const std::filesystem::path& folder) {
  HistoryTable table = read(folder / "history.csv");
  const auto scene = nlohmann::json::parse(read_text(folder / "scene.json"), nullptr, false, true);
  if (!scene.is_object() || !scene.contains("probes") || !scene["probes"].is_array()) return table;
  for (const nlohmann::json& probe : scene["probes"]) {
    if (!probe.is_object() || !probe.contains("name") || !probe["name"].is_string()) continue;
    for (const auto& [key, kind] :
         {std::pair("force_on", ProbeKind::force_on), std::pair("force_of", ProbeKind::force_of),
          std::pair("torque_of", ProbeKind::torque_of),
          std::pair("tension_of", ProbeKind::tension_of)})
      if (probe.contains(key)) table.kinds_[probe["name"].get<std::string>()] = kind;
  }
  return table;
}

const std::vector<double>& HistoryTable::column(const std::string& name) const {
  const auto it = columns_.find(name);
  if (it == columns_.end())
    throw InputError(fmt::format("{}: there is no column \"{}\"", name_, name));
  return it->second;
}

std::vector<std::string> HistoryTable::probes() const {
  std::vector<std::string> names;
  for (const std::string& word : header_)
    if (word.size() > 2 && word.substr(word.size() - 2) == ".x") {
      const std::string name = word.substr(0, word.size() - 2);
      if (has(name + ".y") && has(name + ".z")) names.push_back(name);
    }
  for (const std::string& word : header_)
    if (kind(word) == ProbeKind::tension_of) names.push_back(word);
  return names;
}

ProbeKind HistoryTable::kind(const std::string& probe) const {
  const auto it = kinds_.find(probe);
  return it == kinds_.end() ? ProbeKind::point : it->second;
}

std::vector<std::string> HistoryTable::columns_of(const std::string& probe) const {
  if (kind(probe) == ProbeKind::tension_of) return {probe};
  return {probe + ".x", probe + ".y", probe + ".z"};
}

std::string_view quantity_of(ProbeKind kind) {
  if (kind == ProbeKind::point) return "position";
  if (kind == ProbeKind::torque_of) return "torque";
  return kind == ProbeKind::tension_of ? "tension" : "force";
}

std::string_view unit_of(ProbeKind kind) {
  if (kind == ProbeKind::point) return "m";
  return kind == ProbeKind::torque_of ? "N·m" : "N";
}

}  // namespace pliant
