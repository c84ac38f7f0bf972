// BROWN Fig. 1: a neo-Hookean creature with strain-rate damping slides down an uneven slope. The
// more friction, the earlier it stops.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kCompared = 2.4, kToRest = 4;  // s

struct Descent {
  double mu = 0;
  MethodRun run;
  std::vector<double> t, along;  // s; m, of the creature's centre down the slope
  double way = 0;                // m, after kCompared
  double speed = 0;              // m/s, at the end
};

Descent go_down(const CaseContext& context, double mu, CaseResult& result) {
  Descent out;
  out.mu = mu;
  const CaseScene scene =
      load_case_scene(context, "terrain",
                      {fmt::format("contact.friction={}", mu),
                       fmt::format("time.duration={}", mu > 0.4 ? kToRest : kCompared),
                       fmt::format("bodies.0.mesh.size={}", context.full ? 0.035 : 0.07)});
  const System& system = *scene.built.model.system;
  const Body& creature = scene.built.model.bodies[0];
  TrajectoryRequest request = request_of(scene.description);
  const double start = motion_of(system, creature, scene.built.start).centre.x();
  State last = scene.built.start;
  request.observe = [&](const State& state) {
    const BodyMotion motion = motion_of(system, creature, state);
    out.t.push_back(state.t);
    out.along.push_back(motion.centre.x() - start);
    out.speed = motion.velocity.norm();
    if (state.t <= kCompared + 1e-9) out.way = out.along.back();
    last = state;
    return true;
  };
  out.run = run_method(context, scene.built, request, fmt::format("friction {}, ", mu));
  add_picture(context, fmt::format("friction-{}", mu), scene.built, last, result);
  return out;
}

}  // namespace

CaseResult terrain(const CaseContext& context) {
  CaseResult result;
  std::vector<Descent> runs;
  for (const double mu : {0.0, 0.15, 0.45}) {
    if (context.stopped()) return result;
    runs.push_back(go_down(context, mu, result));
  }
  const auto words = [](const Descent& d) {
    return d.run.complete ? fmt::format("{:.2f} m in {} s", d.way, kCompared)
                          : "failed: " + d.run.trajectory.reason;
  };
  for (std::size_t k = 0; k < runs.size(); ++k)
    result.figures.push_back(
        {fmt::format("friction {}: the way down", runs[k].mu),
         k == 0 ? "slides all the way" : "less far", words(runs[k]),
         verdict_of(runs[k].run.complete &&
                    (k == 0 || (runs[k - 1].run.complete && runs[k].way < runs[k - 1].way)))});
  result.figures.push_back({"friction 0.45: it comes to rest", "stops",
                            fmt::format("{:.2f} m/s after {:.1f} s", runs[2].speed,
                                        runs[2].t.empty() ? 0 : runs[2].t.back()),
                            verdict_of(runs[2].run.complete && runs[2].speed < 0.1)});
  result.figures.push_back({"real time per step", "7.3 s per frame of 1/24 s (2 278 nodes)",
                            fmt::format("{:.0f} ms, {:.1f} Newton iterations",
                                        1e3 * runs[1].run.cpu_per_second() * runs[1].run.dt,
                                        runs[1].run.newton_per_step()),
                            Verdict::shown});
  Plot plot;
  plot.title = "A creature on an uneven slope";
  plot.x.label = "time (s)";
  plot.y.label = "way down (m)";
  for (const Descent& d : runs) {
    Series& series = plot.series.emplace_back();
    series.name = fmt::format("friction {}", d.mu);
    series.x = d.t, series.y = d.along;
  }
  result.plots.emplace_back("way", plot);
  result.remarks = {
      "Creature and ground are our own; the paper gives neither. The ground is a formula, sampled "
      "by triangles, and friction sticks."};
  return result;
}

}  // namespace pliant
