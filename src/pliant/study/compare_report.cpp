#include <pliant/io/folder.hpp>
#include <pliant/study/compare.hpp>
#include <pliant/study/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

double last(const CompareRun& run, const std::string& column) {
  const std::vector<double>& values = run.history.column(column);
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.back();
}

double lost_part(const CompareRun& run) {
  return run.energy_scale() > 0 ? run.energy_lost() / run.energy_scale() : 0;
}

Plot over_time(const CompareResult& result, const std::string& column) {
  Plot plot;
  plot.x = {"time (s)", Scale::linear, {}, {}};
  const auto add = [&](const HistoryTable& history, const std::string& name) {
    if (!history.has(column)) return;
    Series series;
    series.name = name;
    series.x = history.column("time");
    series.y = history.column(column);
    plot.series.push_back(std::move(series));
  };
  for (const CompareRun& run : result.runs)
    add(run.history, run.combination.label + (run.is_reference ? " (reference)" : ""));
  for (const HistoryTable& history : result.outside) {
    add(history, "reference");
    if (plot.series.empty()) continue;
    plot.series.back().colour = 6;  // black
    plot.series.back().dash = Dash::dashed;
  }
  return plot;
}

// Of the probe's columns the one that changes most.
std::string liveliest(const CompareResult& result, const std::string& probe) {
  std::string best;
  double most = -1;
  for (const std::string& column : result.runs[0].history.columns_of(probe)) {
    double range = 0;
    for (const CompareRun& run : result.runs) {
      if (!run.history.has(column)) continue;
      const std::vector<double>& values = run.history.column(column);
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      if (low != values.end()) range = std::max(range, *high - *low);
    }
    if (range > most) {
      most = range;
      best = column;
    }
  }
  return best;
}

// "y (m)", "force y (N)", "tension (N)".
std::string label_of(const std::string& column, const std::string& probe, ProbeKind kind) {
  const std::string axis = column == probe ? "" : column.substr(probe.size() + 1);
  if (kind == ProbeKind::point) return fmt::format("{} (m)", axis);
  return fmt::format("{}{}{} ({})", quantity_of(kind), axis.empty() ? "" : " ", axis,
                     unit_of(kind));
}

std::string shown(const std::optional<double>& value) {
  return value ? fmt::format("{:.3e}", *value) : "";
}

TextTable numbers(const CompareResult& result) {
  TextTable table({"run",
                   "status",
                   "steps",
                   "kinetic",
                   "elastic",
                   "external",
                   "total",
                   "energy_lost",
                   "energy_lost_part",
                   "newton_per_step",
                   "linear_per_step",
                   "wall_ms_per_step",
                   "wall_s",
                   "common_times",
                   "probes_rms",
                   "probes_final",
                   "energy_difference",
                   "vertices",
                   "vertices_rms",
                   "vertices_largest",
                   "forces_rms",
                   "torques_rms"});
  for (const CompareRun& run : result.runs) {
    std::vector<std::string> row = {run.combination.label, run.outcome.status,
                                    std::to_string(run.outcome.steps)};
    for (const char* column : {"kinetic", "elastic", "external", "total"})
      row.push_back(shortest(last(run, column)));
    for (const double value : {run.energy_lost(), lost_part(run), run.per_step("newton"),
                               run.per_step("linear"), run.per_step("wall_ms"), run.outcome.wall})
      row.push_back(shortest(value));
    const bool has = !result.reference.empty();
    row.push_back(has ? std::to_string(run.error.times) : "");
    for (const auto& value : {run.error.probes_rms, run.error.probes_final})
      row.push_back(value ? shortest(*value) : "");
    row.push_back(has ? shortest(run.error.energy) : "");
    const bool seen = has && run.vertices.frames > 0;
    row.push_back(seen ? std::to_string(run.vertices.vertices) : "");
    for (const double value : {run.vertices.rms, run.vertices.largest})
      row.push_back(seen ? shortest(value) : "");
    for (const auto& value : {run.error.forces_rms, run.error.torques_rms})
      row.push_back(value ? shortest(*value) : "");
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

std::string compare_table(const CompareResult& result) {
  std::vector<std::string> header = {"run",           "steps",    "kinetic (J)", "elastic (J)",
                                     "total (J)",     "lost (J)", "lost %",      "newton / step",
                                     "linear / step", "ms / step"};
  const bool has_reference = !result.reference.empty();
  if (has_reference)
    header.insert(header.end(),
                  {"probes rms (m)", "energy diff. (J)", "vertices rms (m)", "largest (m)"});
  const auto any = [&](std::optional<double> CompareError::*part) {
    return std::any_of(result.runs.begin(), result.runs.end(),
                       [part](const CompareRun& run) { return (run.error.*part).has_value(); });
  };
  const bool forces = any(&CompareError::forces_rms), torques = any(&CompareError::torques_rms);
  if (forces) header.emplace_back("forces rms (N)");
  if (torques) header.emplace_back("torques rms (N·m)");
  TextTable table(header);
  for (const CompareRun& run : result.runs) {
    std::vector<std::string> row = {run.combination.label, std::to_string(run.outcome.steps)};
    for (const char* column : {"kinetic", "elastic", "total"})
      row.push_back(fmt::format("{:.4g}", last(run, column)));
    row.push_back(fmt::format("{:.3g}", run.energy_lost()));
    row.push_back(fmt::format("{:.2f}", 100 * lost_part(run)));
    row.push_back(fmt::format("{:.2f}", run.per_step("newton")));
    row.push_back(fmt::format("{:.1f}", run.per_step("linear")));
    row.push_back(fmt::format("{:.2f}", run.per_step("wall_ms")));
    if (has_reference && run.error.times == 0) row.emplace_back("no common time");
    if (has_reference && run.error.times > 0) {
      row.push_back(run.is_reference ? "" : shown(run.error.probes_rms));
      row.push_back(run.is_reference ? "reference" : fmt::format("{:.3e}", run.error.energy));
      for (const double value : {run.vertices.rms, run.vertices.largest})
        row.push_back(run.vertices.frames > 0 ? fmt::format("{:.3e}", value) : "");
      if (forces) row.push_back(run.is_reference ? "" : shown(run.error.forces_rms));
      if (torques) row.push_back(run.is_reference ? "" : shown(run.error.torques_rms));
    }
    row.resize(header.size());
    table.add(std::move(row));
  }
  std::string text = table.text();
  text +=
      "lost: total energy at the start less that at the end; %: of the largest kinetic + elastic "
      "energy of the run\n";
  for (const CompareRun& run : result.runs)
    if (run.outcome.status != "done")
      text += fmt::format("{}: {}\n", run.combination.label, run.outcome.reason);
  return text;
}

std::vector<std::string> write_compare(const std::filesystem::path& folder,
                                       const CompareResult& result) {
  make_folder(folder);
  write_table(folder, "compare", numbers(result));
  std::vector<std::string> figures;
  const auto write = [&](const std::string& name, Plot plot, std::string title, std::string label) {
    plot.title = std::move(title);
    plot.y.label = std::move(label);
    write_figure(folder, name, plot);
    figures.push_back(name);
  };
  write("energy", over_time(result, "total"), "Total energy", "total energy (J)");
  write("kinetic", over_time(result, "kinetic"), "Kinetic energy", "kinetic energy (J)");
  write("elastic", over_time(result, "elastic"), "Elastic energy", "elastic energy (J)");
  Plot vertices;
  vertices.x = {"time (s)", Scale::linear, {}, {}};
  for (const CompareRun& run : result.runs) {
    if (run.vertices.frames == 0) continue;
    Series series;
    series.name = run.combination.label;
    series.x = run.vertices.t;
    series.y = run.vertices.largest_at;
    vertices.series.push_back(std::move(series));
  }
  if (!vertices.series.empty())
    write("vertices", vertices, "Vertex that is farthest from the reference's", "distance (m)");
  for (const std::string& probe :
       result.runs.empty() ? std::vector<std::string>() : result.runs[0].history.probes()) {
    const std::string column = liveliest(result, probe);
    write("probe-" + plain_name(probe), over_time(result, column), fmt::format("Probe “{}”", probe),
          label_of(column, probe, result.runs[0].history.kind(probe)));
  }
  return figures;
}

}  // namespace pliant
