// history.csv read back, by the names of its columns. What a probe records, a place or a force,
// only the scene says.
#pragma once

#include <pliant/scene/description.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pliant {

class HistoryTable {
 public:
  // Throws InputError where there is no such file or it is no history.
  static HistoryTable read(const std::filesystem::path& path);
  static HistoryTable parse(const std::string& text, const std::string& name);
  // That of a result folder, and what its probes record by its scene.json.
  static HistoryTable of_run(const std::filesystem::path& folder);

  std::size_t rows() const { return rows_; }
  bool has(const std::string& column) const { return columns_.count(column) > 0; }
  // One number for each row; NaN where the field is empty. InputError where there is no such
  // column.
  const std::vector<double>& column(const std::string& name) const;
  // The NAME of every NAME.x in the order of the file, then those that are a single number.
  std::vector<std::string> probes() const;
  ProbeKind kind(const std::string& probe) const;  // a point where no scene says otherwise
  // NAME.x, NAME.y and NAME.z, or NAME alone of a tension.
  std::vector<std::string> columns_of(const std::string& probe) const;

 private:
  std::string name_;
  std::size_t rows_ = 0;
  std::vector<std::string> header_;
  std::map<std::string, std::vector<double>> columns_;
  std::map<std::string, ProbeKind> kinds_;
};

std::string_view quantity_of(ProbeKind kind);  // "position", "force", "torque", "tension"
std::string_view unit_of(ProbeKind kind);      // "m", "N", "N·m"

// The fields of one line of CSV (RFC 4180, without line breaks inside fields).
std::vector<std::string> csv_fields(const std::string& line);

}  // namespace pliant
