// log.jsonl: what happened in a run, one JSON object a line with level, simulated time (null before
// and after the simulation) and text.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/io/atomic_file.hpp>

#include <string>

namespace pliant {

std::string make_log_line(
    const LogEntry& entry);  // with its newline; bytes that are not UTF-8 replaced

class RunLog {
 public:
  RunLog() = default;
  explicit RunLog(const std::filesystem::path& path) : file_(path) {}

  // Throws WriteError the first time it fails and is silent from then on: what is said about that
  // failure must not fail again.
  void write(const LogEntry& entry);

  AppendFile& file() { return file_; }
  const AppendFile& file() const { return file_; }

 private:
  AppendFile file_;
  bool failed_ = false;
};

}  // namespace pliant
