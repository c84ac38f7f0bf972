// What is said of many bodies in the same words is said once, of how many.
#pragma once

#include <pliant/core/log.hpp>

#include <vector>

namespace pliant {

// Entries that differ by their place in the scene ("scene.json#/bodies/3: …") and by the names in
// them alone become one, where the first of them was.
std::vector<LogEntry> gathered(const std::vector<LogEntry>& entries);

// A log that hands all on, gathered, when it goes out of scope.
class GatheredLog {
 public:
  explicit GatheredLog(const Log& to);
  ~GatheredLog();
  GatheredLog(const GatheredLog&) = delete;
  GatheredLog& operator=(const GatheredLog&) = delete;

  const Log& log() const { return log_; }

 private:
  const Log& to_;
  std::vector<LogEntry> entries_;
  Log log_;
};

}  // namespace pliant
