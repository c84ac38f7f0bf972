#include <pliant/study/compare.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/types.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/scene/build.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

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

RunRequest run_request(const CompareRequest& request, const Combination& combination,
                       const StudyScene& scene) {
  RunRequest run;
  run.folder = request.folder / combination.folder;
  run.existing = request.existing;
  run.scene_json = scene.json;
  run.scene_hash = scene.hash;
  run.resumable = false;
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

struct SameTime {  // rows of two histories
  std::size_t reference = 0, run = 0;
};
std::vector<SameTime> common_rows(const HistoryTable& reference, const HistoryTable& run) {
  const std::vector<double>&times = reference.column("time"), &own = run.column("time");
  std::vector<SameTime> rows;
  for (std::size_t k = 0; k < own.size(); ++k)
    if (const std::size_t r = find_time(times, own[k]); r < times.size()) rows.push_back({r, k});
  return rows;
}

// Over the probes of that unit which both have.
std::optional<double> probe_rms(const HistoryTable& reference, const HistoryTable& run,
                                std::string_view unit, std::span<const SameTime> rows) {
  double sum = 0;
  std::size_t probes = 0;
  for (const std::string& name : run.probes()) {
    const std::vector<std::string> columns = run.columns_of(name);
    if (unit_of(run.kind(name)) != unit || unit_of(reference.kind(name)) != unit ||
        !reference.has(columns[0]))
      continue;
    ++probes;
    for (const std::string& column : columns)
      for (const auto& [r, k] : rows) {
        const double d = run.column(column)[k] - reference.column(column)[r];
        sum += d * d;
      }
  }
  if (probes == 0) return std::nullopt;
  return std::sqrt(sum / static_cast<double>(rows.size() * probes));
}

void measure_errors(CompareResult& result) {
  const HistoryTable* reference = result.outside.empty() ? nullptr : &result.outside[0];
  for (const CompareRun& run : result.runs)
    if (run.is_reference) reference = &run.history;
  if (!reference) return;
  for (CompareRun& run : result.runs) run.error = error_against(*reference, run.history);
}

// All mistakes come before the first run.
void require_can_run(const SceneLoader& load, const CompareRequest& request,
                     const Combination& combination) {
  const Pace possible(load(combination.settings).scene);
  const std::filesystem::path folder = request.folder / combination.folder;
  if (request.existing == ExistingResults::refuse && is_file(folder / "history.csv"))
    throw InputError(
        fmt::format("{}: holds results already; --force replaces them", folder.string()));
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
  const std::vector<SameTime> rows = common_rows(reference, history);
  error.times = rows.size();
  if (rows.empty()) return error;
  const auto rms = [&](std::string_view unit, std::span<const SameTime> over) {
    return probe_rms(reference, history, unit, over);
  };
  error.probes_rms = rms("m", rows);
  error.probes_final = rms("m", std::span(rows).last(1));
  error.forces_rms = rms("N", rows);
  error.torques_rms = rms("N·m", rows);
  for (const auto& [r, k] : rows)
    error.energy =
        std::max(error.energy, std::abs(history.column("total")[k] - reference.column("total")[r]));
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
    if (reference == list.size()) result.outside.push_back(HistoryTable::of_run(request.reference));
  }
  for (const Combination& combination : list) require_can_run(load, request, combination);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const StudyScene scene = load(list[k].settings);
    CompareRun run;
    run.combination = list[k];
    run.is_reference = k == reference;
    const RunRequest run_as = run_request(request, list[k], scene);
    run.outcome = run_simulation(scene.scene, build_scene(scene.scene, log), run_as, log);
    run.history = HistoryTable::of_run(run_as.folder);
    if (run.outcome.signal != 0)  // there is no --resume to propose
      run.outcome.reason = fmt::format("stopped by signal {}", run.outcome.signal);
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
