// summary.json: how a run went, in one small file, for people and for scripts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct SummaryEnergies {  // J
  double kinetic = 0, elastic = 0, external = 0, contact = 0, total = 0;
};

struct Summary {
  std::string status = "done";  // done, interrupted, failed
  std::string reason;           // one sentence where it is not done
  std::int64_t steps = 0, frames = 0;
  double simulated_seconds = 0;
  double wall_seconds = 0;  // of all parts of a resumed run
  std::int64_t newton_iterations = 0, linear_iterations = 0, retries = 0;
  SummaryEnergies first, last;
  struct {
    double total = 0, worst_step = 0, time = 0;  // J, J, s
  } created;                                     // energy from nothing
  std::optional<double> smallest_gap;            // m
  std::string state_hash;                        // of q and v at the end, see state_hash()
  int threads = 1;
  std::map<std::string, std::string> versions;  // of Pliant, the compiler, the libraries
  std::vector<std::string> notes;               // what was done to the start, in words
  std::vector<std::string> changes;             // of the scene while it ran, in words
  std::map<std::string, std::int64_t> counts;   // anything more that is counted
};

std::string make_summary_json(const Summary& summary);  // numbers that are not finite become null

void write_summary(const std::filesystem::path& path, const Summary& summary);  // atomically

}  // namespace pliant
