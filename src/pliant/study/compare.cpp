#include <pliant/study/compare.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/types.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/scene/build.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Which combination a person means: its label, its folder, or its settings.
std::size_t find_combination(const std::vector<Combination>& list, const std::string& words) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string settings = fmt::format("{}", fmt::join(list[k].settings, ","));
    if (words == list[k].label || words == list[k].folder || words == settings) return k;
    for (const std::string& setting : list[k].settings)  // "esdirk43" of "integrator=esdirk43"
      if (list[k].settings.size() == 1 && words == setting.substr(setting.find('=') + 1)) return k;
  }
  return list.size();
}

HistoryTable read_history(const std::filesystem::path& folder) {
  return HistoryTable::read(folder / "history.csv");
}

RunRequest run_request(const CompareRequest& request, const Combination& combination,
                       const StudyScene& scene) {
  RunRequest run;
  run.folder = request.folder / combination.folder;
  run.existing = request.existing;
  run.scene_json = scene.json;
  run.scene_hash = scene.hash;
  run.threads = request.threads;
  run.progress = request.progress;
  run.interrupted = request.interrupted;
  return run;
}

// The place in `times` of a time within rounding of t, or its size.
std::size_t find_time(const std::vector<double>& times, double t) {
  const double slack = 1e-9 * std::max(1.0, std::abs(t));
  const auto it = std::lower_bound(times.begin(), times.end(), t - slack);
  return it != times.end() && *it <= t + slack ? static_cast<std::size_t>(it - times.begin())
                                               : times.size();
}

void measure_errors(CompareResult& result) {
  const HistoryTable* reference = result.outside.empty() ? nullptr : &result.outside[0];
  for (const CompareRun& run : result.runs)
    if (run.is_reference) reference = &run.history;
  if (!reference) return;
  for (CompareRun& run : result.runs) run.error = error_against(*reference, run.history);
}

// A run that failed at once has no frames.
void measure_vertices(const CompareRequest& request, CompareResult& result) {
  std::filesystem::path folder = result.outside.empty() ? "" : request.reference;
  for (const CompareRun& run : result.runs)
    if (run.is_reference) folder = request.folder / run.combination.folder;
  if (folder.empty()) return;
  try {
    const Results reference(folder);
    for (CompareRun& run : result.runs)
      if (!run.is_reference)
        run.vertices = vertex_error(reference, Results(request.folder / run.combination.folder));
  } catch (const InputError&) {
    return;
  }
}

}  // namespace

double CompareRun::energy_lost() const {
  const std::vector<double>& total = history.column("total");
  return total.empty() ? 0 : total.front() - total.back();
}

double CompareRun::energy_scale() const {
  const std::vector<double>&kinetic = history.column("kinetic"),
        &elastic = history.column("elastic");
  double scale = 0;
  for (std::size_t k = 0; k < kinetic.size(); ++k) scale = std::max(scale, kinetic[k] + elastic[k]);
  return scale;
}

double CompareRun::per_step(const std::string& column) const {
  const std::vector<double>& values = history.column(column);
  double sum = 0;
  for (std::size_t k = 1; k < values.size(); ++k) sum += values[k];
  return values.size() > 1 ? sum / static_cast<double>(values.size() - 1) : 0;
}

CompareError error_against(const HistoryTable& reference, const HistoryTable& history) {
  CompareError error;
  const std::vector<double>&times = reference.column("time"), &own = history.column("time");
  std::vector<std::string> probes;
  for (const std::string& name : history.probes())
    if (reference.has(name + ".x")) probes.push_back(name);
  double sum = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::size_t r = find_time(times, own[k]);
    if (r == times.size()) continue;
    ++error.times;
    double here = 0;
    for (const std::string& name : probes)
      for (const char* axis : {".x", ".y", ".z"}) {
        const double d = history.column(name + axis)[k] - reference.column(name + axis)[r];
        here += d * d;
      }
    sum += here;
    error.probes_final = probes.empty() ? 0 : std::sqrt(here / static_cast<double>(probes.size()));
    error.energy =
        std::max(error.energy, std::abs(history.column("total")[k] - reference.column("total")[r]));
  }
  if (error.times > 0 && !probes.empty())
    error.probes_rms = std::sqrt(sum / static_cast<double>(error.times * probes.size()));
  return error;
}

CompareResult compare(const SceneLoader& load, const CompareRequest& request, const Log& log) {
  const std::vector<Combination> list = combine(request.variations);
  CompareResult result;
  std::size_t reference = list.size();
  if (!request.reference.empty()) {
    reference = find_combination(list, request.reference);
    result.reference = reference < list.size() ? list[reference].label : request.reference;
    if (reference == list.size() && !is_folder(request.reference))
      throw InputError(fmt::format("--reference {}: neither a result folder nor one of the runs",
                                   request.reference));
    if (reference == list.size()) result.outside.push_back(read_history(request.reference));
  }
  for (const Combination& combination : list) load(combination.settings);  // all mistakes first
  for (std::size_t k = 0; k < list.size(); ++k) {
    const StudyScene scene = load(list[k].settings);
    CompareRun run;
    run.combination = list[k];
    run.is_reference = k == reference;
    const RunRequest run_as = run_request(request, list[k], scene);
    run.outcome = run_simulation(scene.scene, build_scene(scene.scene, log), run_as, log);
    run.history = read_history(run_as.folder);
    if (request.announce)
      request.announce(
          fmt::format("{}/{}  {}: {}", k + 1, list.size(), list[k].label,
                      run.outcome.status == "done"
                          ? fmt::format("{} steps in {:.1f} s", run.outcome.steps, run.outcome.wall)
                          : run.outcome.reason));
    result.signal = run.outcome.signal;
    result.runs.push_back(std::move(run));
    if (result.signal != 0) break;
  }
  measure_errors(result);
  if (result.signal == 0) measure_vertices(request, result);
  return result;
}

}  // namespace pliant
