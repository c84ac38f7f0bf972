// The remark in ASCHER's Example 1: for nonlinear forces the semi-implicit method (one Newton
// iteration per step) may diverge wildly where backward Euler, its equations solved, still yields
// acceptable results. A soft bar of St. Venant–Kirchhoff material that starts squeezed shows it;
// the law softens under compression, so the tangent at a step's start tells little about its end.
#include <pliant/integrate/stepper.hpp>
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

struct DivergingRun {
  std::string integrator;
  double h = 0;  // s
  Trajectory trajectory = {};

  std::vector<double> energy() const {  // kinetic and elastic, J
    std::vector<double> E;
    for (std::size_t k = 0; k < trajectory.t.size(); ++k)
      E.push_back(trajectory.kinetic[k] + trajectory.elastic[k]);
    return E;
  }
  double left() const { return energy().back() / energy().front(); }
  double growth() const {  // the largest energy over the start's
    const std::vector<double> E = energy();
    return *std::max_element(E.begin(), E.end()) / E.front();
  }
};

DivergingRun carry_out(const std::string& integrator, double h, const CaseContext& context,
                       CaseResult& result) {
  const double duration = context.full ? 4 : 2;
  const StudyScene study =
      context.load("squeezed-bar", {"integrator=" + integrator, fmt::format("time.dt={}", h),
                                    fmt::format("time.duration={}", duration)});
  DivergingRun run{integrator, h};
  const BuiltScene scene = build_scene(study.scene, context.log);
  TrajectoryRequest request = request_of(study.scene);
  request.observe = [&](const State&) { return !context.stopped(); };
  run.trajectory = run_trajectory(scene, request, context.log);
  if (integrator == "be" && result.pictures.empty())
    add_picture(context, "bar", scene, run.trajectory.end, result);
  return run;
}

Plot make_plot(const std::vector<DivergingRun>& runs, double h) {
  Plot plot;
  plot.title = "One Newton iteration is not enough";
  plot.subtitle = fmt::format(
      "squeezed StVK bar let go, h = {} s: kinetic + elastic energy (ASCHER Example 1)", h);
  plot.x = {"time (s)", Scale::linear, {}, {}};
  plot.y = {"energy over its start", Scale::log, {}, {}};
  for (const DivergingRun& run : runs) {
    if (run.h != h) continue;
    Series series;
    series.name = run.integrator == "be" ? "BE, solved" : "SI, one iteration";
    series.markers = true;
    series.x = run.trajectory.t;
    for (const double E : run.energy()) series.y.push_back(E / run.energy().front());
    plot.series.push_back(std::move(series));
  }
  return plot;
}

TextTable make_table(const std::vector<DivergingRun>& runs) {
  TextTable table({"method", "h (s)", "largest energy over the start's", "at the end",
                   "Newton iterations per step", "steps redone in halves"});
  for (const DivergingRun& run : runs) {
    const Trajectory& t = run.trajectory;
    const std::vector<double> E = run.energy();
    table.add({run.integrator, fmt::format("{}", run.h), fmt::format("{:.3g}", run.growth()),
               t.ok ? fmt::format("{:.3g}", E.back() / E.front()) : t.reason,
               fmt::format("{:.1f}", static_cast<double>(t.newton) / static_cast<double>(t.steps)),
               fmt::format("{}", t.retries)});
  }
  return table;
}

}  // namespace

CaseResult si_diverges(const CaseContext& context) {
  constexpr double h = 0.04;
  CaseResult result;
  std::vector<DivergingRun> runs;
  for (const double step : {h, h / 2, h / 4, 2 * h})
    for (const char* integrator : {"be", "si"}) {
      runs.push_back(carry_out(integrator, step, context, result));
      if (context.stopped()) return {};
    }
  const double be = runs[0].growth(), si = runs[1].growth();
  double worst_be = 0, most_left = 0, least_left = 1;
  bool be_ok = true;
  for (const DivergingRun& run : runs) {
    if (run.integrator != "be") continue;
    be_ok = be_ok && run.trajectory.ok;
    worst_be = std::max(worst_be, run.growth());
    most_left = std::max(most_left, run.left());
    least_left = std::min(least_left, run.left());
  }
  result.figures = {
      {"SI: largest energy over the start's, h = 0.04 s", "diverges wildly",
       fmt::format("{:.2g}", si), verdict_of(si > 100)},
      {"BE at the same step", "acceptable", fmt::format("{:.3f}", be),
       verdict_of(runs[0].trajectory.ok && be < 1.01)},
      {"BE at all steps tried", "acceptable", fmt::format("{:.3f}", worst_be),
       verdict_of(be_ok && worst_be < 1.01)},
      {"BE: what is left at the end, most over least of all steps tried", "acceptable",
       fmt::format("{:.2f}", most_left / least_left),
       verdict_of(be_ok && most_left < 1.5 * least_left)},
  };
  result.tables.emplace_back("growth", make_table(runs));
  result.plots.emplace_back("energy", make_plot(runs, h));
  result.remarks = {
      "The paper names no body; this one was searched for. SI's divergence comes and goes with the "
      "step, as the table shows: where the matrix of a single iteration happens to be nearly "
      "singular, the step it gives is huge."};
  return result;
}

}  // namespace pliant
