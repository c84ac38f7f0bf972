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

double per_step(const Trajectory& trajectory) {  // ms
  return trajectory.steps > 0 ? 1e3 * trajectory.cpu / static_cast<double>(trajectory.steps) : 0;
}

constexpr int kCostRounds = 3;

struct Measured {
  double coarse = 0, fit = 0, fine = 0;  // ms of processor time per step, the medians
  double of_coarse = 0, of_fine = 0;     // medians of the ratios of runs that follow each other
  double error = 0;                      // of EigenFit, over that of the plain coarse mesh
  Index nodes = 0, fine_nodes = 0;
  bool complete = true;
};

// Coarse runs take turns, so that what else the machine does falls on both.
Measured measure(const CaseContext& context, const SceneDescription& scene) {
  Measured out;
  const FineMotion reference = run_fine(context, scene);
  out.fine = per_step(reference.trajectory);
  out.fine_nodes = reference.nodes;
  out.complete = reference.complete;
  std::vector<double> coarse, fit, ratios;
  for (int k = 0; k < kCostRounds && !context.stopped(); ++k) {
    const CoarseMotion plain =
        run_coarse(context, with_method(scene, CoarseMethod::plain), "plain", reference);
    const CoarseMotion fitted =
        run_coarse(context, with_method(scene, CoarseMethod::eigenfit), "eigenfit", reference);
    coarse.push_back(per_step(plain.trajectory));
    fit.push_back(per_step(fitted.trajectory));
    ratios.push_back(fit.back() / coarse.back());
    out.error = fitted.largest_error() / plain.largest_error();
    out.nodes = plain.nodes;
    out.complete = out.complete && plain.complete && fitted.complete;
  }
  out.coarse = median(coarse), out.fit = median(fit), out.of_coarse = median(ratios);
  out.of_fine = out.fit / out.fine;
  return out;
}

// What costs nothing corrects nothing, so that the cost counts with the correction alone.
void add_figures(const Cost& cost, const Measured& m, CaseResult& result) {
  const bool corrects = m.complete && m.error < 0.7;
  result.figures.push_back(
      {fmt::format("{}: a step of EigenFit over one of the coarse mesh, {} nodes", cost.name,
                   m.nodes),
       fmt::format("{}; here at most {:g}", cost.paper, cost.most),
       fmt::format("{:.2f}, at {:.2f} of its error", m.of_coarse, m.error),
       verdict_of(corrects && m.of_coarse <= cost.most)});
  result.figures.push_back(
      {fmt::format("{}: over one of the fine mesh, {} nodes", cost.name, m.fine_nodes),
       "0.14 to 0.65", fmt::format("{:.2f}", m.of_fine),
       verdict_of(corrects && m.of_fine <= 0.65)});
}

}  // namespace

CaseResult eigenfit_cost(const CaseContext& context) {
  CaseResult result;
  TextTable table({"body", "coarse (ms)", "EigenFit (ms)", "fine (ms)", "of coarse", "of fine"});
  const Cost costs[] = {{"linear", "1.15 to 1.34", "linear", 1, 1.3},
                        {"arap, every step", "2.03 to 2.9", "arap", 1, 2.0},
                        {"arap, auto", "2.03 to 2.9 every step", "arap", "auto", 1.4}};
  for (const Cost& cost : costs) {
    const std::vector<std::string> settings = {
        "solver.linear=cholesky", "time.duration=0.5",
        context.full ? "bodies.0.mesh.size=0.062" : "bodies.0.mesh.size=0.085"};
    SceneDescription scene = context.load("shaken-creature", settings).scene;
    scene.materials.at("flesh").model = cost.law;
    scene.bodies[0].coarsen->refresh = cost.refresh;
    const Measured m = measure(context, scene);
    if (context.stopped()) return result;
    table.add({cost.name, fmt::format("{:.2f}", m.coarse), fmt::format("{:.2f}", m.fit),
               fmt::format("{:.2f}", m.fine), fmt::format("{:.2f}", m.of_coarse),
               fmt::format("{:.2f}", m.of_fine)});
    add_figures(cost, m, result);
  }
  result.tables.emplace_back("costs", table);
  result.remarks = {
      "Processor time of a step, semi-implicit Euler with Cholesky factors, ten modes. "
      "The fine modes are computed once, before; Table 2 counts whole simulations. Medians of "
      "three "
      "rounds in which the two on the coarse mesh take turns."};
  return result;
}

}  // namespace pliant
