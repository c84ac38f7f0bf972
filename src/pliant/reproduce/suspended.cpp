// LOESCHNER §5.5, "Suspended armadillo": balls are thrown at a hanging creature; their energy
// passes over to it and its motion lasts. A doll hangs in place of the armadillo.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr double kLastHit = 0.7;  // s: all balls have arrived

struct SuspendedSwing {
  MethodRun run;
  std::vector<double> t, doll, balls;  // s; J, kinetic
  double most = 0;                     // J, the doll's largest
  State hit;                           // when it has that
  double early = 0, late = 0;          // J, the doll's mean over the first and the last third of
                                       // the time after the last hit
};

// At rest, stretched by its weight; the balls stay where they are.
void hang(const CaseContext& context, CaseScene& scene) {
  const State thrown = scene.built.start;
  scene.built.start.v.setZero();
  settle(context, scene, 0.02, 1);
  const Vector hung = scene.built.start.q;
  scene.built.start = thrown;
  const Eigen::Index size = 3 * scene.built.model.bodies[0].end_node();
  scene.built.start.q.head(size) = hung.head(size);
}

double mean(const std::vector<double>& x, std::size_t from, std::size_t to) {
  if (to <= from) return 0;
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(from);
  return std::accumulate(begin, x.begin() + static_cast<std::ptrdiff_t>(to), 0.0) /
         static_cast<double>(to - from);
}

SuspendedSwing swing_suspended(const CaseContext& context, const CaseScene& scene,
                               const std::string& method) {
  SuspendedSwing out;
  const System& system = *scene.built.model.system;
  const std::vector<Body>& bodies = scene.built.model.bodies;
  TrajectoryRequest request = request_of(scene.description);
  request.integrator = method;
  std::size_t hit = 0;
  request.observe = [&](const State& state) {
    out.t.push_back(state.t);
    out.doll.push_back(motion_of(system, bodies[0], state).kinetic);
    double sideways = 0;  // what the balls fly along z with: falling is not counted
    for (std::size_t b = 1; b < bodies.size(); ++b)
      sideways +=
          0.5 * bodies[b].mass * std::pow(motion_of(system, bodies[b], state).velocity.z(), 2);
    out.balls.push_back(sideways);
    if (out.doll.back() > out.most) out.most = out.doll.back(), out.hit = state;
    if (state.t <= kLastHit) hit = out.t.size();
    return true;
  };
  out.run = run_method(context, scene.built, request);
  const std::size_t third = (out.t.size() - hit) / 3;
  out.early = mean(out.doll, hit, hit + third);
  out.late = mean(out.doll, out.t.size() - third, out.t.size());
  return out;
}

double gained(const Trajectory& trajectory) {  // J
  return *std::max_element(trajectory.total.begin(), trajectory.total.end()) -
         trajectory.total.front();
}

Plot plot_of(const SuspendedSwing& sdirk2, const SuspendedSwing& be) {
  Plot plot;
  plot.title = "Balls are thrown at a hanging doll";
  plot.x.label = "time (s)";
  plot.y.label = "kinetic energy (J)";
  for (const auto& [name, swing, doll] :
       {std::tuple("doll, sdirk2", &sdirk2, true), std::tuple("doll, be", &be, true),
        std::tuple("balls along their way, sdirk2", &sdirk2, false)}) {
    Series& series = plot.series.emplace_back();
    series.name = name;
    series.x = swing->t;
    series.y = doll ? swing->doll : swing->balls;
  }
  return plot;
}

}  // namespace

CaseResult suspended(const CaseContext& context) {
  CaseResult result;
  CaseScene scene =
      load_case_scene(context, "suspended",
                      {fmt::format("time.duration={}", context.full ? 10 : 1.6),
                       fmt::format("bodies.0.mesh.size={}", context.full ? 0.011 : 0.022)});
  hang(context, scene);
  const SuspendedSwing sdirk2 = swing_suspended(context, scene, "sdirk2"),
                       be = swing_suspended(context, scene, "be");
  if (context.stopped()) return result;
  const bool ok = sdirk2.run.complete && be.run.complete;
  const double flown = sdirk2.balls.empty() ? 0 : sdirk2.balls.front();
  result.figures = {
      {"the balls' kinetic energy along their way, at the start", "not given",
       fmt::format("{:.1f} J", flown), Verdict::shown},
      {"the doll's largest kinetic energy over that", "kinetic energy passes over",
       ok ? fmt::format("{:.2f}", sdirk2.most / flown) : sdirk2.run.trajectory.reason,
       verdict_of(ok && sdirk2.most > 0.05 * flown && sdirk2.most < flown)},
      {"the doll's late kinetic energy over that soon after the last hit, SDIRK2", "motion lasts",
       fmt::format("{:.2f}", sdirk2.late / sdirk2.early),
       verdict_of(ok && sdirk2.late > 0.2 * sdirk2.early && sdirk2.late < 1.1 * sdirk2.early)},
      {"late kinetic energy, SDIRK2 over BE", "much less dissipation",
       fmt::format("{:.1f}", sdirk2.late / be.late), verdict_of(ok && sdirk2.late > 1.5 * be.late)},
      {"most total energy over that at the start, of what the balls bring, SDIRK2", "(none made)",
       fmt::format("{:.2f} %", 100 * gained(sdirk2.run.trajectory) / flown),
       verdict_of(ok && gained(sdirk2.run.trajectory) < 0.01 * flown)},
      {"active contacts at once, at most", "not given",
       fmt::format("{}", sdirk2.run.trajectory.contacts), Verdict::shown},
  };
  result.plots.emplace_back("energy", plot_of(sdirk2, be));
  add_picture(context, "hit", scene.built, sdirk2.hit, result, PictureView::moment);
  result.remarks = {
      "A doll of our own in place of the armadillo, three balls, thrown from different distances "
      "at "
      "8 m/s. It hangs at rest before. Soon and late: the first and the last third of the time "
      "after "
      "0.7 s, when all balls have hit."};
  return result;
}

}  // namespace pliant
