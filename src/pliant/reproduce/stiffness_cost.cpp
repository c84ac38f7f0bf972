// ASCHER Figure 4: what a step costs against Young's modulus. The Krylov method of ere needs a
// number of products that grows like h √(λ_max), so with √E; siere moves five modes by their
// exponential and the rest by a linear solve, whose cost does not know E. A doll that swings by one
// hand stands in for the paper's armadillo. StiffnessCost is processor time, which other programs
// disturb least, of the median step: the first one also builds what later ones reuse.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace pliant {
namespace {

constexpr int kShortSteps = 20;  // of SIERE; the first run that gets as far leaves the picture

struct Method {
  std::string name;
  std::vector<std::string> settings;
  int steps = 0;
};

struct StiffnessCost {
  double young = 0;     // Pa
  double ms = 0;        // processor time of the median step
  double products = 0;  // with the matrix, or solves, per step
  bool ok = true;
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

StiffnessCost measure(const Method& method, double young, const CaseContext& context,
                      CaseResult& result) {
  context.announce(fmt::format("stiffness-cost: {}, E = {:.0e} Pa", method.name, young));
  std::vector<std::string> settings = method.settings;
  settings.push_back(fmt::format("materials.rubber.young={}", young));
  const StudyScene study = context.load("swinging-doll", settings);
  const BuiltScene scene = build_scene(study.scene, context.log);
  TrajectoryRequest request = request_of(study.scene);
  request.solver.interrupted = [&context] { return context.stopped(); };
  request.duration = method.steps * request.dt;
  std::vector<double> seconds;
  double before = processor_seconds();
  request.observe = [&](const State&) {
    const double now = processor_seconds();
    seconds.push_back(now - before);
    before = now;
    return !context.stopped();
  };
  const Trajectory run = run_trajectory(scene, request, context.log);
  if (run.steps >= kShortSteps && result.pictures.empty())
    add_picture(context, "doll", scene, run.end, result);
  if (seconds.empty()) return {young, 0, 0, false};
  return {young, 1e3 * median(seconds),
          static_cast<double>(run.linear) / static_cast<double>(run.steps), run.ok};
}

// Up to where the next decade's step, √10 times as long, would take too long.
std::vector<StiffnessCost> measure_all(const Method& method, const CaseContext& context,
                                       CaseResult& result) {
  const double longest = context.full ? 60e3 : 3e3;  // ms
  std::vector<StiffnessCost> costs;
  for (const double young : {1e4, 1e5, 1e6, 1e7, 1e8, 1e9}) {
    if (context.stopped() || (!costs.empty() && costs.back().ms * 3.2 > longest)) break;
    costs.push_back(measure(method, young, context, result));
    if (!costs.back().ok) break;
  }
  return costs;
}

Plot make_plot(const std::vector<Method>& methods,
               const std::vector<std::vector<StiffnessCost>>& costs) {
  Plot plot;
  plot.title = "StiffnessCost of a step against stiffness";
  plot.subtitle = "swinging doll, 3601 tets, h = 0.005 s (ASCHER Figure 4)";
  plot.x = {"Young's modulus (Pa)", Scale::log, {}, {}};
  plot.y = {"processor time per step (ms)", Scale::log, {}, {}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    Series series;
    series.name = methods[m].name;
    series.markers = true;
    for (const StiffnessCost& cost : costs[m]) {
      series.x.push_back(cost.young);
      series.y.push_back(cost.ms);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

TextTable make_table(const std::vector<Method>& methods,
                     const std::vector<std::vector<StiffnessCost>>& costs) {
  TextTable table({"method", "E (Pa)", "ms/step", "over the softest", "products or solves/step"});
  for (std::size_t m = 0; m < methods.size(); ++m)
    for (const StiffnessCost& cost : costs[m])
      table.add({methods[m].name, fmt::format("{:.0e}", cost.young), fmt::format("{:.1f}", cost.ms),
                 fmt::format("{:.2f}", cost.ms / costs[m][0].ms),
                 fmt::format("{:.1f}", cost.products)});
  return table;
}

// The Krylov space grows with h √λ_max, so the products of ERE with √E: from 1e4 to 1e7 Pa by 31.6.
Figure judge_products(const std::vector<StiffnessCost>& ere) {
  const double more = ere.back().products / ere.front().products,
               expected = std::sqrt(ere.back().young / ere.front().young);
  return {fmt::format("ERE: products with the matrix per step at {:.0e} over those at 1e4",
                      ere.back().young),
          fmt::format("very large; √E gives {:.1f}", expected), fmt::format("{:.1f} times", more),
          verdict_of(ere.size() >= 3 && more > 0.4 * expected && more < 1.5 * expected)};
}

double most_over_least(const std::vector<StiffnessCost>& costs, double StiffnessCost::*what) {
  double least = costs[0].*what, most = least;
  for (const StiffnessCost& cost : costs)
    least = std::min(least, cost.*what), most = std::max(most, cost.*what);
  return most / least;
}

std::vector<Figure> judge(const std::vector<std::vector<StiffnessCost>>& costs) {
  const std::vector<StiffnessCost>& ere = costs[0];
  const double growth = ere.back().ms / ere.front().ms;
  std::vector<Figure> figures = {
      {fmt::format("ERE: cost at E = {:.0e} over that at 1e4", ere.back().young), "climbs steeply",
       fmt::format("{:.1f} times", growth), verdict_of(growth > 5)},
      judge_products(ere)};
  const char* names[] = {"SIERE, cholesky", "SIERE, auto"};
  for (std::size_t m = 1; m < costs.size(); ++m) {
    const bool all = costs[m].size() == 6 && costs[m].back().ok;
    const double spread = most_over_least(costs[m], &StiffnessCost::ms);
    figures.push_back({fmt::format("{}: dearest over cheapest, E = 1e4 to {:.0e}", names[m - 1],
                                   costs[m].back().young),
                       "does not grow significantly (within 1.5)", fmt::format("{:.2f}", spread),
                       verdict_of(all && spread <= 1.5)});
  }
  return figures;
}

}  // namespace

CaseResult stiffness_cost(const CaseContext& context) {
  const int steps = context.full ? 100 : kShortSteps;
  const std::string siere = R"(integrator={"type": "siere", "modes": 5})";
  const std::vector<Method> methods = {
      {"ERE", {"integrator=ere"}, context.full ? 10 : 3},
      {"SIERE, 5 modes, cholesky", {siere, "solver.linear=cholesky"}, steps},
      {"SIERE, 5 modes, auto", {siere, "solver.linear=auto"}, steps}};
  CaseResult result;
  std::vector<std::vector<StiffnessCost>> costs;
  for (const Method& method : methods) {
    costs.push_back(measure_all(method, context, result));
    if (context.stopped()) return {};
  }
  result.figures = judge(costs);
  result.tables.emplace_back("cost", make_table(methods, costs));
  result.plots.emplace_back("cost-per-step", make_plot(methods, costs));
  result.remarks = {
      fmt::format(
          "The body is our own: the paper's armadillo is not to be had. ERE is stopped where "
          "a step of the next decade would take more than {} s, and takes fewer steps.",
          context.full ? 60 : 3),
      "SIERE finds its modes anew in every step, as a swinging body needs it."};
  return result;
}

}  // namespace pliant
