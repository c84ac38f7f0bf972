#include <pliant/report/history_figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr std::size_t most_probes = 6;  // more fill the page and say little

struct Wanted {
  const char *column, *name;
};

// Where no column has a number other than zero there is nothing to see.
Plot over_time(const HistoryTable& history, const std::string& title, const std::string& label,
               const std::vector<Wanted>& columns) {
  Plot plot;
  plot.title = title;
  plot.x.label = "time (s)";
  plot.y.label = label;
  plot.height = 480;
  for (const Wanted& one : columns) {
    if (!history.has(one.column)) continue;
    Series series;
    series.name = one.name;
    series.x = history.column("time");
    series.y = history.column(one.column);
    const bool lives = std::any_of(series.y.begin(), series.y.end(),
                                   [](double y) { return std::isfinite(y) && y != 0; });
    if (lives) plot.series.push_back(std::move(series));
  }
  return plot;
}

// Row 0 is the initial state, which no step made.
void drop_first_row(Plot& plot) {
  for (Series& series : plot.series) {
    if (series.x.empty()) continue;
    series.x.erase(series.x.begin());
    series.y.erase(series.y.begin());
  }
}

Plot probe_plot(const HistoryTable& history, const std::string& probe) {
  Plot plot;
  plot.title = fmt::format("Probe “{}”", probe);
  plot.x.label = "time (s)";
  const ProbeKind kind = history.kind(probe);
  const bool place = kind == ProbeKind::point;
  plot.y.label = fmt::format("{} ({})", place ? "displacement" : quantity_of(kind), unit_of(kind));
  plot.height = 480;
  for (const std::string& column : history.columns_of(probe)) {
    Series series;
    if (column != probe) series.name = column.substr(probe.size() + 1);
    series.x = history.column("time");
    series.y = history.column(column);
    const double start = place && !series.y.empty() ? series.y.front() : 0;
    for (double& y : series.y) y -= start;
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::vector<Plot> history_plots(const HistoryTable& history) {
  std::vector<Plot> plots;
  plots.push_back(over_time(history, "Energy", "energy (J)",
                            {{"total", "total"},
                             {"kinetic", "kinetic"},
                             {"elastic", "elastic"},
                             {"external", "external"},
                             {"contact", "contact"},
                             {"dissipated", "dissipated"},
                             {"work", "work done"}}));
  plots.push_back(over_time(history, "Where the energy went", "energy (J)",
                            {{"work", "work done"},
                             {"damped", "damped"},
                             {"rubbed", "rubbed"},
                             {"created", "from nothing"}}));
  std::vector<std::string> probes = history.probes();
  probes.resize(std::min(probes.size(), most_probes));
  for (const std::string& probe : probes) plots.push_back(probe_plot(history, probe));
  plots.push_back(over_time(history, "Linear momentum", "momentum (kg·m/s)",
                            {{"px", "x"}, {"py", "y"}, {"pz", "z"}}));
  plots.push_back(over_time(history, "Angular momentum", "about the origin (kg·m²/s)",
                            {{"lx", "x"}, {"ly", "y"}, {"lz", "z"}}));
  plots.push_back(over_time(history, "Iterations", "iterations per step",
                            {{"newton", "Newton"}, {"linear", "linear"}}));
  drop_first_row(plots.back());
  plots.push_back(over_time(history, "Time per step", "wall time (ms)", {{"wall_ms", ""}}));
  drop_first_row(plots.back());
  plots.push_back(over_time(history, "Smallest det F", "det F", {{"min_det", ""}}));
  std::erase_if(plots, [](const Plot& plot) { return plot.series.empty(); });
  return plots;
}

}  // namespace pliant
