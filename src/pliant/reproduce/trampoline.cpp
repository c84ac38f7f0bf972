// TOURNIER Figure 1: bodies jump on a mat of links with a compliance of 1e-10 m/N between springs
// of 5 kN/m. As stiff as springs, the links of the same mat are more than one linear solve can
// bear.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

struct Jump {
  MethodRun run;
  double deepest = 0, highest = 0;  // m, of the ball: under the mat's rest, and after that
  State low;
};

Jump jump(const CaseContext& context, const CaseScene& scene, double duration) {
  Jump out;
  const Body& ball = scene.built.model.bodies[2];
  const MappedPoint centre = ball.find(ball.rigid->centre).point;
  TrajectoryRequest request = request_of(scene.description);
  request.duration = duration;
  request.observe = [&](const State& state) {
    const double height = centre.at(view(state.q)).y();
    if (height < out.deepest) {
      out.deepest = height, out.highest = height;
      out.low = state;
    }
    out.highest = std::max(out.highest, height);
    return true;
  };
  out.run = run_method(context, scene.built, request, "trampoline");
  return out;
}

}  // namespace

CaseResult trampoline(const CaseContext& context) {
  CaseResult result;
  const double duration = context.full ? 6 : 1.5;
  const CaseScene scene = load_case_scene(context, "trampoline", {});
  const Jump ours = jump(context, scene, duration);
  if (context.stopped()) return result;
  const Trajectory& run = ours.run.trajectory;
  // Nothing gives it energy.
  const double start = run.total.front();
  const double most = *std::max_element(run.total.begin(), run.total.end());
  const double scale = std::abs(scene.mass() * 9.81);
  result.figures = {
      {"links with a compliance of 1e-10 m/N", "stable",
       run.ok ? fmt::format("stable, energy never above the start's by more than {:.1g} J",
                            std::max(most - start, 0.0))
              : "fails: " + run.reason,
       verdict_of(run.ok && most - start < 1e-3 * scale)},
      {"a ball sinks in and jumps again", "bodies jump",
       fmt::format("{:.2f} m deep, then up to {:.2f} m", -ours.deepest, ours.highest),
       verdict_of(ours.deepest < -0.02 && ours.highest > ours.deepest + 0.2)},
      {"steps per second", "more than 35",
       fmt::format("{:.0f}", static_cast<double>(run.steps) / run.wall), Verdict::shown}};
  add_picture(context, "deepest", scene.built, ours.low, result);
  result.remarks = {
      "scenes/trampoline.json: 10×10 particles, links along both threads, 36 springs; a capsule "
      "and a "
      "ball fall from about a metre. Backward Euler with Newton's method to convergence at steps "
      "of "
      "10 ms, contact by unilateral constraints, as there."};
  return result;
}

}  // namespace pliant
