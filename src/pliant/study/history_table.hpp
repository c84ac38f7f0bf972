// history.csv read back, by the names of its columns.
#pragma once

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

  std::size_t rows() const { return rows_; }
  bool has(const std::string& column) const { return columns_.count(column) > 0; }
  // One number for each row; NaN where the field is empty. InputError where there is no such
  // column.
  const std::vector<double>& column(const std::string& name) const;
  std::vector<std::string> probes() const;  // the NAME of every NAME.x, in the order of the file

 private:
  std::string name_;
  std::size_t rows_ = 0;
  std::vector<std::string> header_;
  std::map<std::string, std::vector<double>> columns_;
};

// The fields of one line of CSV (RFC 4180, without line breaks inside fields).
std::vector<std::string> csv_fields(const std::string& line);

}  // namespace pliant
