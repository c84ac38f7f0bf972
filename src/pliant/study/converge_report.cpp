#include <pliant/io/folder.hpp>
#include <pliant/study/converge.hpp>
#include <pliant/study/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Marked where the reference itself is not known better.
std::string shown_error(double error, double reference_error) {
  if (!std::isfinite(error)) return "failed";
  return fmt::format("{}{:.3e}", error < 3 * reference_error ? "~" : "", error);
}

std::string shown_order(double order) {
  return std::isfinite(order) ? fmt::format("{:.2f}", order) : "";
}

std::vector<Series> series_of(const ConvergeResult& result, double (*x)(const ConvergeRun&)) {
  std::vector<Series> list;
  for (const ConvergeRun& run : result.runs) {
    if (list.empty() || list.back().name != run.integrator) {
      list.emplace_back();
      list.back().name = run.integrator;
      list.back().markers = true;
    }
    list.back().x.push_back(x(run));
    list.back().y.push_back(run.error.q);
  }
  return list;
}

// Lines of slope 1 to 4 that fan out from the largest error at the largest step; their names stand
// left of all data.
void add_slopes(Plot& plot) {
  double h_max = 0, e_max = 0, h_min = 1e300, e_min = 1e300;
  for (const Series& series : plot.series)
    for (std::size_t k = 0; k < series.x.size(); ++k)
      if (std::isfinite(series.y[k]) && series.y[k] > 0) {
        h_max = std::max(h_max, series.x[k]);
        h_min = std::min(h_min, series.x[k]);
        e_max = std::max(e_max, std::min(series.y[k], 1.0));
        e_min = std::min(e_min, series.y[k]);
      }
  if (!(h_min < h_max) || !(e_min < e_max)) return;
  const double spread = h_max / h_min, left = h_min * std::pow(spread, -0.15);
  for (int order = 1; order <= 4; ++order) {
    const double at = h_min * std::pow(spread, -0.03), end = e_max * std::pow(at / h_max, order);
    Series guide;
    guide.guide = true;
    guide.x = {h_max, at};
    guide.y = {e_max, end};
    if (end > e_min) plot.notes.push_back({left, end, fmt::format("order {}", order)});
    plot.series.push_back(std::move(guide));
  }
  plot.x.min = left;
}

// What the reference knows no better: errors below this line are not those of the methods.
void add_floor(Plot& plot, double error) {
  if (!(error > 0)) return;
  Series floor;
  floor.guide = true;
  floor.dash = Dash::dotted;
  for (const Series& series : plot.series)
    if (!series.guide) floor.x.insert(floor.x.end(), series.x.begin(), series.x.end());
  std::sort(floor.x.begin(), floor.x.end());
  floor.y.assign(floor.x.size(), error);
  plot.series.push_back(std::move(floor));
}

}  // namespace

std::string converge_table(const ConvergeResult& result) {
  TextTable table({"integrator", "dt (s)", "error in q", "order", "error in v", "order",
                   "newton / step", "time (s)"});
  for (const ConvergeRun& run : result.runs)
    table.add({run.integrator, fmt::format("{:g}", run.dt),
               shown_error(run.error.q, result.reference_error.q), shown_order(run.order.q),
               shown_error(run.error.v, result.reference_error.v), shown_order(run.order.v),
               fmt::format("{:.2f}", static_cast<double>(run.newton) * run.dt / result.duration),
               fmt::format("{:.2f}", run.wall)});
  std::string text = table.text();
  text += fmt::format(
      "errors at {:g} s in the mass norm, relative to how far and how fast the reference moved;\n"
      "reference: {} at {:g} s, which differs from itself at twice the step by {:.1e} in q and "
      "{:.1e} in v (~: too near to that to count)\n",
      result.duration, result.reference, result.reference_dt, result.reference_error.q,
      result.reference_error.v);
  for (const ConvergeRun& run : result.runs)
    if (!run.failed.empty())
      text += fmt::format("{} at {:g} s failed {}\n", run.integrator, run.dt, run.failed);
  return text;
}

std::vector<std::string> write_converge(const std::filesystem::path& folder,
                                        const ConvergeResult& result) {
  make_folder(folder);
  TextTable table({"integrator", "dt", "error_q", "order_q", "error_v", "order_v", "newton",
                   "linear", "wall_s", "failed"});
  for (const ConvergeRun& run : result.runs)
    table.add({run.integrator, shortest(run.dt), shortest(run.error.q), shortest(run.order.q),
               shortest(run.error.v), shortest(run.order.v), std::to_string(run.newton),
               std::to_string(run.linear), shortest(run.wall), run.failed});
  write_table(folder, "converge", table);
  Plot plot;
  plot.title = "Error against the step";
  plot.subtitle = fmt::format("at {:g} s, reference {} at {:g} s", result.duration,
                              result.reference, result.reference_dt);
  plot.x = {"h (s)", Scale::log, {}, {}};
  plot.y = {"relative error in q (mass norm)", Scale::log, {}, {}};
  plot.series = series_of(result, [](const ConvergeRun& run) { return run.dt; });
  add_slopes(plot);
  add_floor(plot, result.reference_error.q);
  write_figure(folder, "convergence", plot);
  Plot work = plot;
  work.title = "Error against the work";
  work.x.label = "wall time (s)";
  work.x.min.reset();
  work.notes.clear();
  work.series = series_of(result, [](const ConvergeRun& run) { return run.wall; });
  write_figure(folder, "work-precision", work);
  return {"convergence", "work-precision"};
}

}  // namespace pliant
