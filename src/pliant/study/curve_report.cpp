#include <pliant/study/curve_report.hpp>

#include <pliant/io/folder.hpp>
#include <pliant/study/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

const DampingPoint& nearest(const DampingCurve& curve, double h_omega) {
  return *std::min_element(
      curve.points.begin(), curve.points.end(), [&](const DampingPoint& a, const DampingPoint& b) {
        return std::abs(std::log(a.h_omega / h_omega)) < std::abs(std::log(b.h_omega / h_omega));
      });
}

template <class Value>
Plot make_plot(std::span<const DampingCurve> curves, Value&& value) {
  Plot plot;
  plot.subtitle = "test equation q̈ + ω²q = 0, from the steps themselves (Ascher et al. 2021, §3.2)";
  plot.x = {"hω", Scale::log, {}, {}};
  for (const DampingCurve& curve : curves) {
    Series series;
    series.name = curve.integrator;
    for (const DampingPoint& point : curve.points) {
      series.x.push_back(point.h_omega);
      series.y.push_back(value(point));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot damping_plot(std::span<const DampingCurve> curves) {
  Plot plot = make_plot(curves, [](const DampingPoint& p) { return p.damping(); });
  plot.title = "Artificial damping";
  plot.y = {"d/ω", Scale::linear, -0.03, {}};
  double largest =
      0.2;  // a method that grows is negative without bound, one that damps stays below
  for (const Series& series : plot.series)
    for (const double y : series.y)
      if (std::isfinite(y)) largest = std::max(largest, std::min(y, 1.0));
  plot.y.max = 1.05 * largest;
  return plot;
}

// Where the damping vanishes to rounding, a logarithm shows noise: cut off there.
Plot damping_log_plot(std::span<const DampingCurve> curves) {
  Plot plot = make_plot(curves, [](const DampingPoint& p) {
    return p.damping() * p.h_omega > 1e-13 ? p.damping() : std::nan("");
  });
  plot.title = "Artificial damping, logarithmic";
  plot.y = {"d/ω", Scale::log, 1e-10, 2};
  return plot;
}

// The frequency of a step is known up to its sign and 2π/h: π/h at most can be seen.
Plot dispersion_plot(std::span<const DampingCurve> curves) {
  Plot plot = make_plot(curves, [](const DampingPoint& p) { return p.dispersion(); });
  plot.title = "Dispersion: the frequency that comes out";
  plot.y = {"relative frequency error", Scale::linear, -1.04, {}};
  double largest = 0.1;
  for (const Series& series : plot.series)
    for (const double y : series.y)
      if (std::isfinite(y)) largest = std::max(largest, std::min(y, 1.0));
  plot.y.max = 1.05 * largest;
  Series bound;
  bound.guide = true;
  for (const double x : log_spaced(std::numbers::pi, 100, 40)) {
    bound.x.push_back(x);
    bound.y.push_back(std::numbers::pi / x - 1);
  }
  plot.series.push_back(std::move(bound));
  plot.notes.push_back({6.3, std::numbers::pi / 6 - 1, "π/h: no step shows more"});
  return plot;
}

}  // namespace

std::vector<std::string> usual_integrators() {
  // sdirk2 has the curve of trbdf2.
  std::vector<std::string> wanted = {"be",     "bdf2",     "trbdf2b",  "trbdf2",
                                     "sdirk3", "esdirk32", "esdirk43", "generalized-alpha"};
  const std::vector<IntegratorInfo> there = integrators();
  std::erase_if(wanted, [&](const std::string& name) {
    return std::none_of(there.begin(), there.end(),
                        [&](const IntegratorInfo& info) { return info.name == name; });
  });
  return wanted;
}

std::string curve_table(std::span<const DampingCurve> curves) {
  constexpr std::array<double, 5> places = {0.1, 0.5, 1, 5, 50};
  std::vector<std::string> header = {"d/ω at hω ="};
  for (const double x : places) header.push_back(fmt::format("{:g}", x));
  header.push_back("frequency error at 1");
  TextTable table(header);
  for (const DampingCurve& curve : curves) {
    std::vector<std::string> row = {curve.integrator};
    for (const double x : places) {
      const double d = nearest(curve, x).damping();
      row.push_back(std::abs(d) < 1e-11 ? "0" : fmt::format("{:.2e}", d));
    }
    row.push_back(fmt::format("{:.2f} %", 100 * nearest(curve, 1).dispersion()));
    table.add(std::move(row));
  }
  return table.text();
}

std::vector<std::string> write_curves(const std::filesystem::path& folder,
                                      std::span<const DampingCurve> curves) {
  make_folder(folder);
  TextTable table({"integrator", "h_omega", "rho_abs", "rho_arg", "damping", "dispersion"});
  for (const DampingCurve& curve : curves)
    for (const DampingPoint& p : curve.points)
      table.add({curve.integrator, shortest(p.h_omega), shortest(std::abs(p.rho)),
                 shortest(std::arg(p.rho)), shortest(p.damping()), shortest(p.dispersion())});
  write_table(folder, "curves", table);
  write_figure(folder, "damping", damping_plot(curves));
  write_figure(folder, "damping-log", damping_log_plot(curves));
  write_figure(folder, "dispersion", dispersion_plot(curves));
  return {"damping", "damping-log", "dispersion"};
}

}  // namespace pliant
