// BROWN Fig. 1: a neo-Hookean creature with strain-rate damping slides down an uneven slope. The
// more friction, the earlier it stops.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/brown_form.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kCompared = 2.4, kToRest = 4;  // s
constexpr int kTerrainIterations = 72;          // of ADMM in a stage, Table 2

constexpr double kAllTheWay = 2;  // m: beyond the slope's foot at 1.6 m

struct Descent {
  double mu = 0;
  std::string form;  // "" or the paper's
  MethodRun run;
  std::vector<double> t, along;  // s; m, of the creature's centre down the slope
  double way = 0;                // m, after kCompared
  double speed = 0;              // m/s, at the end
};

Descent go_down(const CaseContext& context, double mu, bool admm, CaseResult& result) {
  Descent out;
  out.mu = mu;
  if (admm) out.form = kBrownForm;
  std::vector<std::string> settings = {
      fmt::format("contact.friction={}", mu),
      fmt::format("time.duration={}", mu > 0.4 ? kToRest : kCompared),
      fmt::format("bodies.0.mesh.size={}", context.full ? 0.035 : 0.07)};
  if (admm)
    for (const std::string& setting : brown_settings(kTerrainIterations))
      settings.push_back(setting);
  const CaseScene scene = load_case_scene(context, "terrain", settings);
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
  add_picture(context, fmt::format("friction-{}{}", mu, admm ? "-admm" : ""), scene.built, last,
              result);
  return out;
}

// Of the three coefficients in one form.
void add_figures(std::span<const Descent> runs, CaseResult& result) {
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const bool ran = runs[k].run.complete && (k == 0 || runs[k - 1].run.complete);
    result.figures.push_back(
        {fmt::format("{}friction {}: the way down", runs[k].form, runs[k].mu),
         k == 0 ? "slides all the way" : "less far",
         runs[k].run.complete ? fmt::format("{:.2f} m in {} s", runs[k].way, kCompared)
                              : failure(runs[k].run),
         verdict_of(ran && (k == 0 ? runs[k].way > kAllTheWay : runs[k].way < runs[k - 1].way))});
  }
  const Descent& last = runs.back();
  result.figures.push_back(
      {last.form + "friction 0.45: it comes to rest", "stops",
       fmt::format("{:.2f} m/s after {:.1f} s", last.speed, last.t.empty() ? 0 : last.t.back()),
       verdict_of(last.run.complete && last.speed < 0.1)});
}

}  // namespace

CaseResult terrain(const CaseContext& context) {
  CaseResult result;
  std::vector<Descent> runs;
  for (const bool admm : {false, true})
    for (const double mu : {0.0, 0.15, 0.45}) {
      if (context.stopped()) return result;
      runs.push_back(go_down(context, mu, admm, result));
    }
  add_figures(std::span(runs).first(3), result);
  add_figures(std::span(runs).last(3), result);
  result.figures.push_back({"real time per step", "3 050 ms a frame of 40 ms (2 278 nodes)",
                            fmt::format("{:.0f} ms, {:.1f} Newton iterations",
                                        1e3 * runs[1].run.cpu_per_second() * runs[1].run.dt,
                                        runs[1].run.newton_per_step()),
                            Verdict::shown});
  result.figures.push_back(frame_figure(runs[4].run, "3 050 ms (2 278 nodes)"));
  Plot plot;
  plot.title = "A creature on an uneven slope";
  plot.x.label = "time (s)";
  plot.y.label = "way down (m)";
  for (const Descent& d : runs) {
    Series& series = plot.series.emplace_back();
    series.name = fmt::format("friction {}{}", d.mu, d.form.empty() ? "" : ", ADMM");
    series.x = d.t, series.y = d.along;
  }
  result.plots.emplace_back("way", plot);
  result.remarks = {
      "Creature and ground are our own; the paper gives neither. The ground is a formula, sampled "
      "by triangles, and friction sticks."};
  return result;
}

}  // namespace pliant
