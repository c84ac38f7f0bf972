// BROWN Fig. 10: cloth is dropped on a sphere. With friction it stays and wrinkles, without it
// slides off.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/brown_form.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kSphereRadius = 0.3;  // m, of the sphere, as in the scene

constexpr int kDrapeIterations = 33;  // of ADMM in a stage, Table 2

struct Draped {
  double mu = 0;
  std::string form;  // "" or the paper's
  MethodRun run;
  std::vector<double> t, height;  // s; m, of the cloth's centre
  double end_height = 0, end_speed = 0;
};

Draped drape_with(const CaseContext& context, double mu, bool admm, CaseResult& result) {
  Draped out;
  out.mu = mu;
  if (admm) out.form = kBrownForm;
  const int cells = context.full ? 38 : 20;
  std::vector<std::string> settings = {
      fmt::format("contact.friction={}", mu),
      fmt::format("bodies.0.mesh.sheet.cells=[{},{}]", cells, cells)};
  if (admm)
    for (const std::string& setting : brown_settings(kDrapeIterations)) settings.push_back(setting);
  const CaseScene scene = load_case_scene(context, "drape", settings);
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
  add_picture(context,
              fmt::format("{}-friction{}", mu > 0 ? "with" : "without", admm ? "-admm" : ""),
              scene.built, seen, result);
  return out;
}

void add_figures(const Draped& rough, const Draped& smooth, CaseResult& result) {
  const auto where = [](const Draped& d) {
    return d.run.complete ? fmt::format("{:.3f} m, moving at {:.3f} m/s", d.end_height, d.end_speed)
                          : failure(d.run);
  };
  result.figures.push_back(
      {rough.form + "friction 0.4: height of the centre after 2 s", "stays on the sphere",
       where(rough),
       verdict_of(rough.run.complete && rough.end_height > -0.5 * kSphereRadius &&
                  rough.end_speed < 0.1)});
  result.figures.push_back(
      {smooth.form + "without friction: height of the centre after 2 s", "slides off",
       where(smooth), verdict_of(smooth.run.complete && smooth.end_height < -2 * kSphereRadius)});
}

}  // namespace

CaseResult drape(const CaseContext& context) {
  CaseResult result;
  std::vector<Draped> all;
  for (const bool admm : {false, true})
    for (const double mu : {0.4, 0.0}) {
      all.push_back(drape_with(context, mu, admm, result));
      if (context.stopped()) return result;
    }
  const Draped& rough = all[0];
  add_figures(all[0], all[1], result);
  add_figures(all[2], all[3], result);
  result.figures.push_back({"Newton iterations per step", "33 of ADMM",
                            fmt::format("{:.1f}", rough.run.newton_per_step()), Verdict::shown});
  result.figures.push_back({"active contacts at once, at most", "not given",
                            fmt::format("{}", rough.run.trajectory.contacts), Verdict::shown});
  result.figures.push_back(frame_figure(all[2].run, "1 032 ms (1 522 nodes)"));
  Plot plot;
  plot.title = "Cloth on a sphere";
  plot.x.label = "time (s)";
  plot.y.label = "height of the cloth's centre (m)";
  for (const Draped& d : all) {
    Series& series = plot.series.emplace_back();
    series.name = d.mu > 0 ? "friction 0.4" : "no friction";
    if (!d.form.empty()) series.name += ", ADMM";
    series.x = d.t;
    series.y = d.height;
  }
  result.plots.emplace_back("height", plot);
  result.remarks = {
      "Let go 3 cm beside the middle of the sphere, which frictionless cloth would else balance "
      "on. By backward Euler, Newton's method and a barrier, with which cloth also meets itself, "
      "and "
      "as in the paper by TR-BDF2 with ADMM, which leaves that out."};
  return result;
}

}  // namespace pliant
