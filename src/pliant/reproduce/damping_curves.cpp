// ASCHER Figure 3: how much a method damps the oscillation q̈ + ω² q = 0, as the d of the damped
// equation (11) that it really solves. Every curve is measured from the steps themselves
// (analysis/damping_curve), so what is compared are the methods as scenes use them.
#include <pliant/analysis/damping_curve.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pliant {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 7> kMethods = {{
    {"be", "BE"},
    {"bdf2", "BDF2"},
    {"trbdf2", "SDIRK, γ = 2 − √2 (trbdf2)"},
    {"trbdf2b", "TR-BDF2, γ = ½ (trbdf2b)"},
    {"generalized-alpha", "generalized-α, ρ∞ = 0.8"},
    {"siere", "exponential (ere, siere)"},
    {"midpoint", "implicit midpoint"},
}};

using Curves = std::map<std::string, DampingCurve>;

double at(const std::string& method, double h_omega) {
  return damping_at(method, h_omega).damping();
}

Plot make_plot(const Curves& curves) {
  Plot plot;
  plot.title = "Artificial damping of an oscillation";
  plot.subtitle = "q̈ + ω²q = 0, from the steps themselves (ASCHER Figure 3)";
  plot.x = {"hω", Scale::log, {}, {}};
  plot.y = {"d/ω", Scale::linear, -0.02, 0.85};
  for (const auto& [method, name] : kMethods) {
    Series series;
    series.name = name;
    // Where two lie on each other, both are to be seen.
    if (method == std::string_view("trbdf2b") || method == std::string_view("midpoint"))
      series.dash = Dash::dashed;
    for (const DampingPoint& point : curves.at(method).points) {
      series.x.push_back(point.h_omega);
      series.y.push_back(point.damping());
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

TextTable make_table() {
  const std::array<double, 8> places = {0.1, 0.3, 1, 2, 5, 10, 30, 100};
  std::vector<std::string> header = {"d/ω at hω ="};
  for (const double x : places) header.push_back(fmt::format("{}", x));
  TextTable table(header);
  for (const auto& [method, name] : kMethods) {
    std::vector<std::string> row = {name};
    // A conservative method is left with rounding, of either sign.
    for (const double x : places) {
      const double d = at(method, x);
      row.push_back(std::abs(d) * x < 1e-12 ? "0" : fmt::format("{:.2g}", d));
    }
    table.add(row);
  }
  return table;
}

struct Range {
  double least = 1e300, most = -1e300;
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

// Of `over`'s damping to `under`'s, over all places from `low` on.
Range ratio(const Curves& curves, const char* over, const char* under, double low) {
  Range range;
  const auto &a = curves.at(over).points, &b = curves.at(under).points;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].h_omega >= low) range.add(a[k].damping() / b[k].damping());
  return range;
}

// Where BDF2 begins to damp less than the DIRK.
double crossing(const Curves& curves, const char* dirk) {
  const auto &a = curves.at("bdf2").points, &b = curves.at(dirk).points;
  for (std::size_t k = a.size(); k-- > 1;)
    if (a[k - 1].damping() >= b[k - 1].damping()) return a[k].h_omega;
  return 0;
}

double largest_damping(const Curves& curves, const char* method) {
  double most = 0;
  for (const DampingPoint& point : curves.at(method).points)
    most = std::max(most, std::abs(point.damping() * point.h_omega));
  return most;
}

std::string in_words(const Range& range) {
  return fmt::format("{:.3f} to {:.3f}", range.least, range.most);
}

std::vector<Figure> judge(const Curves& curves) {
  const Range dirks = ratio(curves, "trbdf2b", "trbdf2", 0);
  const double low = at("bdf2", 1) / at("trbdf2", 1);
  const double cross = std::max(crossing(curves, "trbdf2"), crossing(curves, "trbdf2b"));
  const double high = at("bdf2", 100) / at("trbdf2b", 100);
  const Range be = ratio(curves, "be", "bdf2", 5);
  const double exponential =
      std::max(largest_damping(curves, "ere"), largest_damping(curves, "siere"));
  const double conservative = largest_damping(curves, "midpoint");
  const Range alpha = ratio(curves, "generalized-alpha", "bdf2", 0);
  return {
      {"TR-BDF2 over SDIRK, all hω", "close, TR-BDF2 slightly less", in_words(dirks),
       verdict_of(dirks.least > 0.8 && dirks.most < 1)},
      {"BDF2 over SDIRK at hω = 1", "significantly more", fmt::format("{:.1f} times", low),
       verdict_of(low > 2)},
      {"BDF2 under both DIRKs", "for hω ≫ 1",
       fmt::format("from hω = {:.1f} on, {:.2f} times at 100", cross, high),
       verdict_of(cross > 1 && high < 0.9)},
      {"BE over BDF2 for hω from 5 to 300", "about twice", in_words(be),
       verdict_of(be.least > 1.5 && be.most < 2.5)},
      {"exponential: largest |d| h", "0", fmt::format("{:.1e}", exponential),
       verdict_of(exponential < 1e-9)},
      {"implicit midpoint: largest |d| h", "0", fmt::format("{:.1e}", conservative),
       verdict_of(conservative < 1e-11)},
      {"generalized-α (ρ∞ = 0.8) over BDF2", "a mixture of trapezoidal and BDF2", in_words(alpha),
       verdict_of(alpha.least >= 0 && alpha.most < 1)},
  };
}

}  // namespace

CaseResult damping_curves(const CaseContext& context) {
  const std::vector<double> places = log_spaced(0.05, 300, context.full ? 400 : 160);
  Curves curves;
  for (const auto& [method, name] : kMethods) {
    if (context.stopped()) return {};
    curves[method] = make_damping_curve(method, places);
  }
  curves["ere"] = make_damping_curve("ere", places);
  CaseResult result;
  result.figures = judge(curves);
  result.plots.emplace_back("damping", make_plot(curves));
  result.tables.emplace_back("damping-table", make_table());
  result.remarks = {
      "The paper does not say where the curves of BDF2 and the DIRKs cross. From its own "
      "R(z) ≈ 5/z and BDF2's |ρ| ≈ 1/√(2hω) it would be at hω = 50; the curves cross a little "
      "earlier, so \"less damping when hω ≫ 1\" means really stiff modes; "
      "at hω from 1 to 35 BDF2 still damps more."};
  return result;
}

}  // namespace pliant
