// ASCHER Figure 1: a swaying tree of about 90 000 position unknowns, by SIERE and by TR-BDF2, and
// what a step of it costs. The short form takes the same tree with larger elements. SIERE finds
// its modes anew every tenth step only, since finding them costs more than many steps.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kPaperUnknowns = 90'000;  // position unknowns

struct TreeRun {
  std::string name, integrator;
  Trajectory trajectory = {};
  std::vector<double> t = {}, top = {};  // s; m, along the push, from where it started
};

void carry_out(TreeRun& run, const SceneDescription& description, const BuiltScene& scene,
               const CaseContext& context) {
  context.announce("big-tree: " + run.name);
  TrajectoryRequest request = request_of(description);
  request.solver.interrupted = [&context] { return context.stopped(); };
  request.integrator.type = run.integrator;
  request.sample_every = 10;
  const MappedPoint& top = scene.probes.front().point;
  const double start = top.at(view(scene.start.q))[0];
  run.t = {0};
  run.top = {0};
  request.observe = [&](const State& state) {
    run.t.push_back(state.t);
    run.top.push_back(top.at(view(state.q))[0] - start);
    return !context.stopped();
  };
  run.trajectory = run_trajectory(scene, request, context.log);
}

Plot make_plot(const std::vector<TreeRun>& runs, Eigen::Index unknowns) {
  Plot plot;
  plot.title = "A swaying tree";
  plot.subtitle =
      fmt::format("top of the tree, {} position unknowns, h = 0.01 s (ASCHER Figure 1)", unknowns);
  plot.x = {"time (s)", Scale::linear, {}, {}};
  plot.y = {"displacement along the push (m)", Scale::linear, {}, {}};
  for (const TreeRun& run : runs) {
    Series series;
    series.name = run.name;
    series.x = run.t;
    series.y = run.top;
    plot.series.push_back(std::move(series));
  }
  return plot;
}

TextTable make_table(const std::vector<TreeRun>& runs) {
  TextTable table(
      {"method", "steps", "ms/step", "Newton/step", "factorisations/step", "energy lost (%)"});
  for (const TreeRun& run : runs) {
    const Trajectory& t = run.trajectory;
    const auto steps = static_cast<double>(std::max(1L, t.steps));
    const double scale = t.kinetic.front() + t.elastic.front();
    table.add({run.name, fmt::format("{}", t.steps), fmt::format("{:.0f}", t.ms_per_step()),
               fmt::format("{:.1f}", static_cast<double>(t.newton) / steps),
               fmt::format("{:.2f}", static_cast<double>(t.factorizations) / steps),
               fmt::format("{:.1f}", 100 * (t.total.front() - t.total.back()) / scale)});
  }
  return table;
}

}  // namespace

CaseResult big_tree(const CaseContext& context) {
  context.announce("big-tree: making the mesh");
  const StudyScene study =
      context.load("big-tree", context.full ? std::vector<std::string>{"bodies.0.mesh.size=0.029"}
                                            : std::vector<std::string>{});
  const BuiltScene scene = build_scene(study.scene, context.log);
  const Eigen::Index unknowns = scene.model.system->dofs();
  std::vector<TreeRun> runs = {{"SIERE, 10 modes", "siere"}, {"TR-BDF2, γ = 2 − √2", "trbdf2"}};
  for (TreeRun& run : runs) {
    carry_out(run, study.scene, scene, context);
    if (context.stopped()) return {};
  }
  CaseResult result;
  const double size = static_cast<double>(unknowns) / kPaperUnknowns;
  result.figures.push_back(
      {"position unknowns", "about 90 000", fmt::format("{}", unknowns),
       context.full ? verdict_of(size > 0.85 && size < 1.15) : Verdict::shown});
  for (const TreeRun& run : runs)
    result.figures.push_back({run.name, "runs",
                              run.trajectory.ok
                                  ? fmt::format("{} steps, {:.0f} ms each", run.trajectory.steps,
                                                run.trajectory.ms_per_step())
                                  : run.trajectory.reason,
                              verdict_of(run.trajectory.ok)});
  result.tables.emplace_back("cost", make_table(runs));
  add_picture(context, "tree", scene, runs.back().trajectory.end, result);
  result.plots.emplace_back("top", make_plot(runs, unknowns));
  if (!context.full)
    result.remarks.push_back("A smaller tree: --full takes the paper's number of unknowns.");
  result.remarks.push_back("The tree is our own: the paper's mesh is not to be had.");
  return result;
}

}  // namespace pliant
