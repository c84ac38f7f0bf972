// BROWN Fig. 5: a ball that spins is dropped on a plane; friction gives it a speed along the plane
// until it rolls. Friction acts through the point of contact, about which it has no torque, so that
// a rigid ball of 2/5 m r² that spun at ω₀ ends at v = 2/7 ω₀ r, however it bounces before.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kRadius = 0.1, kSpin = 20;  // m, rad/s, as in the scene

struct Roll {
  MethodRun run;
  std::vector<double> t, speed, rim;    // s, m/s: of the centre, and ω r
  double late_speed = 0, late_rim = 0;  // mean of the last quarter
  double height = 0;                    // m, mean of the centre over the last quarter
  double ratio() const { return late_speed / late_rim; }
};

Roll roll(const CaseContext& context, const CaseScene& scene, const std::string& method) {
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
  out.run = run_method(context, scene.built, request);
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

}  // namespace

CaseResult spinning_ball(const CaseContext& context) {
  CaseResult result;
  const CaseScene scene =
      load_case_scene(context, "spinning-ball",
                      {fmt::format("bodies.0.mesh.sphere.size={}", context.full ? 0.012 : 0.025),
                       fmt::format("time.dt={}", context.full ? 0.002 : 0.005)});
  const Roll be = roll(context, scene, "be"), sdirk2 = roll(context, scene, "sdirk2");
  const double rigid = 2 * kSpin * kRadius / 7;
  const std::string failed = "failed: " + be.run.trajectory.reason;
  const bool ok = be.run.complete;
  result.figures = {
      {"speed gained", "picks up net horizontal velocity",
       ok ? fmt::format("{:.3f} m/s", be.late_speed) : failed,
       verdict_of(ok && be.late_speed > 0.1)},
      {"v over ω r, mean of the last quarter", "rolls: 1",
       ok ? fmt::format("{:.4f}", be.ratio()) : failed,
       verdict_of(ok && std::abs(be.ratio() - 1) < 0.01)},
      {"v over 2/7 ω₀ r, of a rigid ball", "1 at the onset of rolling",
       ok ? fmt::format("{:.3f}", be.late_speed / rigid) : failed, Verdict::shown},
      {"the same with SDIRK2", "1 at the onset of rolling",
       sdirk2.run.complete
           ? fmt::format("{:.3f}; v over ω r is {:.4f}", sdirk2.late_speed / rigid, sdirk2.ratio())
           : "failed: " + sdirk2.run.trajectory.reason,
       Verdict::shown},
      {"height of the centre over r", "not given", fmt::format("{:.4f}", be.height / kRadius),
       Verdict::shown},
      {"Newton iterations per step", "35 of ADMM", fmt::format("{:.1f}", be.run.newton_per_step()),
       Verdict::shown},
  };
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
