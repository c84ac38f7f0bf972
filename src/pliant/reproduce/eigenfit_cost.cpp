// CHEN Table 2: what a step costs on the coarse mesh, with EigenFit, and on the fine mesh.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/coarse_runs.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

struct Cost {
  std::string name, paper;
  std::string law;
  std::variant<int, std::string> refresh;
  double most;  // times the coarse step
};

double per_step(const Trajectory& trajectory) {
  return trajectory.steps > 0 ? 1e3 * trajectory.cpu / static_cast<double>(trajectory.steps) : 0;
}

}  // namespace

CaseResult eigenfit_cost(const CaseContext& context) {
  CaseResult result;
  TextTable table({"body", "coarse (ms)", "EigenFit (ms)", "fine (ms)", "of coarse", "of fine"});
  const Cost costs[] = {{"linear", "1.15 to 1.34", "linear", 1, 1.3},
                        {"arap, every step", "2.03 to 2.9", "arap", 1, 2.0},
                        {"arap, auto", "", "arap", "auto", 1.4}};
  for (const Cost& cost : costs) {
    const std::vector<std::string> settings = {
        "solver.linear=cholesky", "time.duration=0.5",
        context.full ? "bodies.0.mesh.size=0.062" : "bodies.0.mesh.size=0.085"};
    SceneDescription scene = context.load("shaken-creature", settings).scene;
    scene.materials.at("flesh").model = cost.law;
    scene.bodies[0].coarsen->refresh = cost.refresh;
    const FineMotion fine = run_fine(context, scene);
    if (context.stopped()) return result;
    const CoarseMotion plain =
        run_coarse(context, with_method(scene, CoarseMethod::plain), "plain", fine);
    const CoarseMotion fit =
        run_coarse(context, with_method(scene, CoarseMethod::eigenfit), "eigenfit", fine);
    if (context.stopped()) return result;
    const double c = per_step(plain.trajectory), e = per_step(fit.trajectory),
                 f = per_step(fine.trajectory);
    table.add({cost.name, fmt::format("{:.2f}", c), fmt::format("{:.2f}", e),
               fmt::format("{:.2f}", f), fmt::format("{:.2f}", e / c),
               fmt::format("{:.2f}", e / f)});
    result.figures.push_back(
        {fmt::format("{}: a step of EigenFit over one of the coarse mesh, {} nodes", cost.name,
                     plain.nodes),
         cost.paper, fmt::format("{:.2f}", e / c), verdict_of(fit.complete && e <= cost.most * c)});
    result.figures.push_back(
        {fmt::format("{}: over one of the fine mesh, {} nodes", cost.name, fine.nodes),
         "0.14 to 0.65", fmt::format("{:.2f}", e / f), Verdict::shown});
  }
  result.tables.emplace_back("costs", table);
  result.remarks = {
      "Processor time of a step, semi-implicit Euler with Cholesky factors, ten modes. "
      "The fine modes are computed once, before; Table 2 counts whole simulations."};
  return result;
}

}  // namespace pliant
