// The same TR-BDF2 steps by the local–global solver with more and more iterations and by Newton's
// method: the motions must agree, the better the more iterations (BROWN §7.1 calls the difference
// unnoticeable).
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

namespace pliant {

CaseResult admm_vs_newton(const CaseContext& context) {
  CaseResult result;
  const CaseScene scene = load_case_scene(
      context, "clamped-beam",
      {"integrator=trbdf2", "time.dt=0.02", fmt::format("time.duration={}", context.full ? 5 : 1)});
  const TrajectoryRequest plain = request_of(scene.description);
  const auto run = [&](const std::string& solver, int iterations) {
    TrajectoryRequest request = plain;
    request.solver.type = solver;
    request.solver.admm.iterations = iterations;
    return run_method(
        context, scene.built, request,
        iterations > 0 ? fmt::format("admm with {} iterations, ", iterations) : solver + ", ");
  };
  const MethodRun newton = run("newton", 0);
  const double moved = (newton.trajectory.end.q - scene.built.start.q).norm();
  TextTable table({"solver", "iterations", "difference at the end", "ms per step"});
  table.add({"newton", fmt::format("{:.1f} per step", newton.newton_per_step()), "–",
             fmt::format("{:.1f}", newton.trajectory.ms_per_step())});
  Plot plot;
  plot.title = "ADMM against Newton's method";
  plot.x.label = "iterations in a stage";
  plot.y.label = "relative difference of the end positions";
  plot.x.scale = plot.y.scale = Scale::log;
  Series& series = plot.series.emplace_back();
  series.name = "admm";
  bool falls = newton.complete;
  double last = 1e300;
  for (const int iterations : {3, 5, 10, 20, 40, 80}) {
    if (context.stopped()) return result;
    const MethodRun admm = run("admm", iterations);
    const double off = (admm.trajectory.end.q - newton.trajectory.end.q).norm() / moved;
    falls = falls && admm.complete && (off <= last || off < 1e-6);
    last = off;
    series.x.push_back(iterations);
    series.y.push_back(off);
    table.add({"admm", fmt::format("{} per stage", iterations), fmt::format("{:.2g}", off),
               fmt::format("{:.1f}", admm.trajectory.ms_per_step())});
    if (iterations == 20)
      result.figures.push_back({"difference with 20 iterations in a stage", "unnoticeable",
                                fmt::format("{:.2g}", off),
                                verdict_of(admm.complete && off < 0.01)});
  }
  result.figures.push_back({"difference falls with the iterations", "converges",
                            fmt::format("from {:.2g} to {:.2g}", series.y.front(), series.y.back()),
                            verdict_of(falls && series.y.back() < 1e-5)});
  result.tables.emplace_back("solvers", table);
  result.plots.emplace_back("difference", plot);
  result.remarks = {
      "LOESCHNER's clamped beam, trbdf2 at 20 ms, undamped. Newton's method is solved to 1e-8; "
      "times are of a shared machine."};
  return result;
}

}  // namespace pliant
