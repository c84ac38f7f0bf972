// The loop a newcomer reads first: step until the end, and record. Everything a run carries is
// here: the system, its state, the stepper and the counters, and how all of it goes into a
// checkpoint.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/integrate/advance.hpp>
#include <pliant/io/result_folder.hpp>
#include <pliant/run/watcher.hpp>

#include <functional>
#include <limits>
#include <optional>

namespace pliant {

struct Progress {
  std::int64_t step = 0;
  std::optional<std::int64_t> steps;  // unknown where steps are chosen on the way
  double time = 0, duration = 0;      // s, simulated
  int newton = 0;                     // iterations of the last step
  double wall = 0, remaining = 0;     // s
  double speed = 0;                   // simulated over wall time, of this run
};

struct RunRequest {
  std::filesystem::path folder;  // empty: nothing is written
  ExistingResults existing = ExistingResults::refuse;
  std::string scene_json;  // resolved
  std::string scene_hash;
  bool resumable = true;  // whether there is a --resume to propose
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  // run_simulation knows it
  int threads = 1;                                                    // for the summary
  std::vector<std::string> notes;  // what was said before there was a folder, for log.jsonl
  std::function<void(const Progress&)> progress;
  std::function<int()> interrupted;  // a signal number, or 0
  Watcher* watcher = nullptr;        // looks on and steers
};

struct RunOutcome {
  std::string status = "done";  // done, interrupted, failed, ended (by the watcher)
  std::string reason;
  int signal = 0;
  std::int64_t steps = 0, frames = 0, newton = 0;
  double simulated = 0, wall = 0;  // s
};

// Steps from the start (or from the checkpoint) to the end. Throws WriteError where results cannot
// be written; a step that cannot be made ends the run with status "failed" and all frames so far
// whole.
RunOutcome run_simulation(const SceneDescription& scene, BuiltScene built,
                          const RunRequest& request, const Log& log);

// The equilibrium under the loads at the time of built.start, in the same kind of folder with one
// frame.
RunOutcome run_static(const SceneDescription& scene, BuiltScene built, const RunRequest& request,
                      const Log& log);

}  // namespace pliant
