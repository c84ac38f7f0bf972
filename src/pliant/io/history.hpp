// history.csv: a row per step, row 0 the initial state. Numbers are written in their shortest form
// that reads back as the same double, with a point whatever the locale; a quantity that does not
// exist in this run leaves its field empty.
#pragma once

#include <pliant/io/atomic_file.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant {

struct HistoryRow {
  std::int64_t step = 0;
  double time = 0, dt = 0;                                                // s
  double kinetic = 0, elastic = 0, external = 0, contact = 0, total = 0;  // J
  std::array<double, 3> p = {0, 0, 0};                // linear momentum, kg·m/s
  std::array<double, 3> l = {0, 0, 0};                // angular, about the origin, kg·m²/s
  std::int64_t newton = 0, linear = 0, contacts = 0;  // iterations; active pairs
  std::optional<double> min_gap;                      // m
  double wall_ms = 0;
  std::span<const double> probes;  // x, y, z of each that has three, then the single numbers
  std::span<const std::optional<double>> extras;  // one per extra column
};

class History {
 public:
  // The columns after the fixed ones: NAME.x, NAME.y, NAME.z for each probe, NAME for each of those
  // that are a single number, then the extra ones.
  struct Columns {
    std::vector<std::string> probes, extras, numbers;
  };

  History() = default;
  // Starts a new file or goes on with one that was cut back to a checkpoint. InputError where two
  // columns would share a name or the file there has other columns.
  History(const std::filesystem::path& path, const Columns& columns);

  void append(const HistoryRow& row);

  AppendFile& file() { return file_; }
  const AppendFile& file() const { return file_; }

 private:
  AppendFile file_;
  std::size_t probe_numbers_ = 0, extra_count_ = 0;
  std::string line_;
};

// The first name that two columns would share; empty where there is none.
std::string repeated_column(const History::Columns& columns);

// The header row without its newline, names quoted where RFC 4180 asks for it.
std::string history_header(const History::Columns& columns);

}  // namespace pliant
