// BROWN Fig. 5: a ball that spins is dropped on a plane; friction gives it a speed along the plane
// until it rolls. Friction acts through the point of contact, about which it has no torque, so that
// a rigid ball of 2/5 m r² that spun at ω₀ ends at v = 2/7 ω₀ r, however it bounces before.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/brown_form.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kRadius = 0.1, kSpin = 20;  // m, rad/s, as in the scene
constexpr int kBallIterations = 35;          // of ADMM in a stage, Table 2

struct Roll {
  MethodRun run;
  std::vector<double> t, speed, rim;    // s, m/s: of the centre, and ω r
  double late_speed = 0, late_rim = 0;  // mean of the last quarter
  double height = 0;                    // m, mean of the centre over the last quarter
  double ratio() const { return late_speed / late_rim; }
};

Roll roll(const CaseContext& context, const CaseScene& scene, const IntegratorOptions& method) {
  Roll out;
  const Body& ball = scene.built.model.bodies[0];
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  request.integrator = method;
  int late = 0;
  request.observe = [&](const State& state) {
    const BodyMotion motion = motion_of(system, ball, state);
    out.t.push_back(state.t);
    out.speed.push_back(motion.velocity.x());
    out.rim.push_back(-motion.spin.z() * kRadius);
    if (state.t > 0.75 * request.duration) {
      ++late;
      out.late_speed += motion.velocity.x();
      out.late_rim -= motion.spin.z();
      out.height += motion.centre.y();
    }
    return true;
  };
  out.run = run_method(context, scene.built, request, "spinning ball, ");
  if (late > 0) {
    out.late_speed /= late, out.late_rim /= late, out.height /= late;
    out.late_rim *= kRadius;
  }
  return out;
}

Plot plot_of(const Roll& roll) {
  Plot plot;
  plot.title = "A spinning ball is dropped, gains speed and rolls";
  plot.x.label = "time (s)";
  plot.y.label = "m/s";
  Series speed, rim, theory;
  speed.name = "speed v of the centre", rim.name = "ω r";
  speed.x = rim.x = roll.t;
  speed.y = roll.speed, rim.y = roll.rim;
  theory.guide = true;
  theory.x = {0, roll.t.empty() ? 1 : roll.t.back()};
  theory.y = {2 * kSpin * kRadius / 7, 2 * kSpin * kRadius / 7};
  plot.series = {speed, rim, theory};
  return plot;
}

// What is judged of either form.
void add_figures(const Roll& roll, const std::string& form, CaseResult& result) {
  const bool ok = roll.run.complete;
  result.figures.push_back({form + "speed gained", "picks up net horizontal velocity",
                            ok ? fmt::format("{:.3f} m/s", roll.late_speed) : failure(roll.run),
                            verdict_of(ok && roll.late_speed > 0.1)});
  result.figures.push_back({form + "v over ω r, mean of the last quarter", "rolls: 1",
                            ok ? fmt::format("{:.4f}", roll.ratio()) : failure(roll.run),
                            verdict_of(ok && std::abs(roll.ratio() - 1) < 0.01)});
}

std::string onset(const Roll& roll) {
  if (!roll.run.complete) return failure(roll.run);
  return fmt::format("{:.3f}; v over ω r is {:.4f}, the centre at {:.4f} r",
                     roll.late_speed / (2 * kSpin * kRadius / 7), roll.ratio(),
                     roll.height / kRadius);
}

}  // namespace

CaseResult spinning_ball(const CaseContext& context) {
  CaseResult result;
  std::vector<std::string> settings = {
      fmt::format("bodies.0.mesh.sphere.size={}", context.full ? 0.012 : 0.025),
      fmt::format("time.dt={}", context.full ? 0.002 : 0.005)};
  const CaseScene scene = load_case_scene(context, "spinning-ball", settings);
  for (const std::string& setting : brown_settings(kBallIterations)) settings.push_back(setting);
  const CaseScene paper = load_case_scene(context, "spinning-ball", settings);
  const Roll be = roll(context, scene, "be"), sdirk2 = roll(context, scene, "sdirk2");
  const Roll admm = roll(context, paper, "trbdf2");
  if (context.stopped()) return result;
  add_figures(be, "", result);
  add_figures(admm, kBrownForm, result);
  const std::string rolling = "1 at the onset of rolling, of a rigid ball";
  result.figures.push_back({"v over 2/7 ω₀ r, be", rolling, onset(be), Verdict::shown});
  result.figures.push_back({"the same with sdirk2", rolling, onset(sdirk2), Verdict::shown});
  result.figures.push_back({kBrownForm + "the same", rolling, onset(admm), Verdict::shown});
  result.figures.push_back({"Newton iterations per step", "35 of ADMM",
                            fmt::format("{:.1f}", be.run.newton_per_step()), Verdict::shown});
  result.figures.push_back(frame_figure(admm.run, "164 ms (642 nodes)"));
  result.plots.emplace_back("speeds", plot_of(be));
  add_picture(context, "spinning-ball", scene.built, be.run.trajectory.end, result);
  result.remarks = {
      "The ball is a mesh with flat faces: rolling over its edges it gains and loses speed, and "
      "every "
      "edge that hits the floor costs some, so that it ends slower than a round one. Means are "
      "over "
      "the last quarter of the time.",
      "Spin is that of a rigid body with the same angular momentum; r is the radius of the sphere "
      "that the mesh's corners lie on."};
  return result;
}

}  // namespace pliant
