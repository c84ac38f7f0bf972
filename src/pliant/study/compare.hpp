// `pliant compare`: one scene run with every combination of some settings, side by side.
#pragma once

#include <pliant/io/result_folder.hpp>
#include <pliant/run/simulation.hpp>
#include <pliant/study/history_table.hpp>
#include <pliant/study/scene_loader.hpp>
#include <pliant/study/variations.hpp>
#include <pliant/study/vertex_error.hpp>

#include <filesystem>
#include <optional>

namespace pliant {

struct CompareRequest {
  std::filesystem::path folder;  // each run has a result folder of its own in it
  std::vector<Variation> variations;
  std::string reference;  // empty, a result folder, or one of the combinations
  ExistingResults existing = ExistingResults::refuse;
  int threads = 1;
  Announce announce;
  std::function<void(const Progress&)> progress;
  std::function<int()> interrupted;  // a signal number, or 0
};

// Against the reference, over the times that both histories have.
struct CompareError {
  std::size_t times = 0;  // how many those are
  // Root mean squares over the probes of places, of forces and tensions, and of torques; none where
  // there are no such probes.
  std::optional<double> probes_rms, probes_final;  // m; at the last of the times
  std::optional<double> forces_rms;                // N
  std::optional<double> torques_rms;               // N·m
  double energy = 0;                               // J, the largest difference of the total
};

struct CompareRun {
  Combination combination;
  RunOutcome outcome;
  HistoryTable history;
  bool is_reference = false;
  CompareError error;    // where there is a reference
  VertexError vertices;  // likewise, from the frames

  double energy_lost() const;   // J, of the total from the first row to the last
  double energy_scale() const;  // J, the largest kinetic + elastic energy seen
  double per_step(const std::string& column) const;  // mean over the steps
};

struct CompareResult {
  std::vector<CompareRun> runs;
  std::string reference;              // empty: none; else its name
  std::vector<HistoryTable> outside;  // the reference's, where it is no run of ours
  int signal = 0;
};

// Throws InputError before the first run where a combination or the reference makes no sense. A run
// that fails is part of the result.
CompareResult compare(const SceneLoader& load, const CompareRequest& request, const Log& log);

CompareError error_against(const HistoryTable& reference, const HistoryTable& history);

std::string compare_table(const CompareResult& result);
// compare.csv, energy, kinetic, elastic, and probe-NAME for each probe; returns the names of the
// figures.
std::vector<std::string> write_compare(const std::filesystem::path& folder,
                                       const CompareResult& result);

}  // namespace pliant
