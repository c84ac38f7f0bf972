// Rows are put together in a buffer that is used again and written with one call, so that a step
// allocates nothing and a kill leaves whole lines.
#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/history.hpp>

#include <fmt/format.h>

#include <cassert>
#include <iterator>
#include <set>

namespace pliant {
namespace {

constexpr std::array<const char*, 19> fixed_columns = {
    "step", "time", "dt", "kinetic", "elastic", "external", "contact",  "total",   "px",     "py",
    "pz",   "lx",   "ly", "lz",      "newton",  "linear",   "contacts", "min_gap", "wall_ms"};

std::vector<std::string> all_names(const History::Columns& columns) {
  std::vector<std::string> names(fixed_columns.begin(), fixed_columns.end());
  for (const std::string& probe : columns.probes)
    for (const char* axis : {".x", ".y", ".z"}) names.push_back(probe + axis);
  names.insert(names.end(), columns.numbers.begin(), columns.numbers.end());
  names.insert(names.end(), columns.extras.begin(), columns.extras.end());
  return names;
}

// RFC 4180: a field with a comma, a quote or a line break stands in quotes, quotes inside doubled.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string field = "\"";
  for (const char c : name) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

template <class Number>
void add_field(std::string& line, Number value) {
  fmt::format_to(std::back_inserter(line), "{},", value);
}
void add_field(std::string& line, const std::optional<double>& value) {
  if (value) return add_field(line, *value);
  line += ',';
}

}  // namespace

std::string history_header(const History::Columns& columns) {
  std::string header;
  for (const std::string& name : all_names(columns)) header += quoted(name) + ',';
  header.pop_back();
  return header;
}

std::string repeated_column(const History::Columns& columns) {
  std::set<std::string> seen;
  for (const std::string& name : all_names(columns))
    if (!seen.insert(name).second) return name;
  return {};
}

History::History(const std::filesystem::path& path, const Columns& columns)
    : probe_numbers_(3 * columns.probes.size() + columns.numbers.size()),
      extra_count_(columns.extras.size()) {
  if (const std::string name = repeated_column(columns); !name.empty())
    throw InputError(fmt::format("{}: two columns would be named \"{}\"", path.string(), name));
  const std::string header = history_header(columns) + '\n';
  file_ = AppendFile(path);
  if (file_.size() == 0) {
    file_.append(header);
  } else if (!file_starts_with(path, header)) {
    throw InputError(fmt::format("{}: has other columns than this scene, it cannot be continued",
                                 path.string()));
  }
}

void History::append(const HistoryRow& row) {
  assert(row.probes.size() == probe_numbers_ && row.extras.size() == extra_count_);
  line_.clear();
  add_field(line_, row.step);
  for (const double value :
       {row.time, row.dt, row.kinetic, row.elastic, row.external, row.contact, row.total})
    add_field(line_, value);
  for (const double value : row.p) add_field(line_, value);
  for (const double value : row.l) add_field(line_, value);
  for (const std::int64_t count : {row.newton, row.linear, row.contacts}) add_field(line_, count);
  add_field(line_, row.min_gap);
  add_field(line_, row.wall_ms);
  for (const double value : row.probes) add_field(line_, value);
  for (const std::optional<double>& value : row.extras) add_field(line_, value);
  line_.back() = '\n';
  file_.append(line_);
}

}  // namespace pliant
