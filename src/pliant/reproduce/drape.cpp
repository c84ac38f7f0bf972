// BROWN Fig. 10: cloth is dropped on a sphere. With friction it stays and wrinkles, without it
// slides off.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kSphereRadius = 0.3;  // m, of the sphere, as in the scene

struct Draped {
  double mu = 0;
  MethodRun run;
  std::vector<double> t, height;  // s; m, of the cloth's centre
  double end_height = 0, end_speed = 0;
};

Draped drape_with(const CaseContext& context, double mu, CaseResult& result) {
  Draped out;
  out.mu = mu;
  const int cells = context.full ? 38 : 20;
  const CaseScene scene =
      load_case_scene(context, "drape",
                      {fmt::format("contact.friction={}", mu),
                       fmt::format("bodies.0.mesh.sheet.cells=[{},{}]", cells, cells)});
  const System& system = *scene.built.model.system;
  const Body& cloth = scene.built.model.bodies[0];
  TrajectoryRequest request = request_of(scene.description);
  State seen = scene.built.start;
  request.observe = [&](const State& state) {
    const BodyMotion motion = motion_of(system, cloth, state);
    out.t.push_back(state.t);
    out.height.push_back(motion.centre.y());
    out.end_height = motion.centre.y();
    out.end_speed = motion.velocity.norm();
    if (motion.centre.y() > -kSphereRadius) seen = state;
    return true;
  };
  out.run = run_method(context, scene.built, request, fmt::format("friction {}, ", mu));
  add_picture(context, mu > 0 ? "with-friction" : "without-friction", scene.built, seen, result);
  return out;
}

}  // namespace

CaseResult drape(const CaseContext& context) {
  CaseResult result;
  const Draped rough = drape_with(context, 0.4, result), smooth = drape_with(context, 0, result);
  if (context.stopped()) return result;
  const auto reason = [](const Draped& d) { return "failed: " + d.run.trajectory.reason; };
  result.figures = {
      {"with friction 0.4: height of the centre after 2 s", "stays on the sphere",
       rough.run.complete
           ? fmt::format("{:.3f} m, moving at {:.3f} m/s", rough.end_height, rough.end_speed)
           : reason(rough),
       verdict_of(rough.run.complete && rough.end_height > -0.5 * kSphereRadius &&
                  rough.end_speed < 0.1)},
      {"without friction: height of the centre after 2 s", "slides off",
       smooth.run.complete ? fmt::format("{:.3f} m", smooth.end_height) : reason(smooth),
       verdict_of(smooth.run.complete && smooth.end_height < -2 * kSphereRadius)},
      {"Newton iterations per step", "33 of ADMM",
       fmt::format("{:.1f}", rough.run.newton_per_step()), Verdict::shown},
      {"active contacts at once, at most", "not given",
       fmt::format("{}", rough.run.trajectory.contacts), Verdict::shown}};
  Plot plot;
  plot.title = "Cloth on a sphere";
  plot.x.label = "time (s)";
  plot.y.label = "height of the cloth's centre (m)";
  for (const Draped* d : {&rough, &smooth}) {
    Series& series = plot.series.emplace_back();
    series.name = d->mu > 0 ? "friction 0.4" : "no friction";
    series.x = d->t;
    series.y = d->height;
  }
  result.plots.emplace_back("height", plot);
  result.remarks = {
      "Let go 3 cm beside the middle of the sphere, which frictionless cloth would else balance "
      "on. "
      "Cloth also meets itself, which the paper leaves out."};
  return result;
}

}  // namespace pliant
