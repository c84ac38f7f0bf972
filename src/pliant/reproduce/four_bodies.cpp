// TOURNIER Figure 6, right: a rigid body, a plastic one of tetrahedra, a neo-Hookean one of
// hexahedra and one on frames collide.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

CaseResult four_bodies(const CaseContext& context) {
  CaseResult result;
  const CaseScene scene = load_case_scene(context, "four-bodies", {});
  TrajectoryRequest request = request_of(scene.description);
  if (!context.full) request.duration = 0.6;
  const MethodRun run = run_method(context, scene.built, request, "four bodies");
  if (context.stopped()) return result;
  const Trajectory& t = run.trajectory;
  const double plastic = t.end.plastic ? t.end.plastic->lpNorm<Eigen::Infinity>() : 0;
  const double scale = std::abs(t.total.front());
  const double most = *std::max_element(t.total.begin(), t.total.end());
  result.figures = {
      {"four kinds of bodies collide", "stable", t.ok ? "stable" : "fails: " + t.reason,
       verdict_of(t.ok)},
      {"energy gained", "",
       fmt::format("{:.1g} of what there was", std::max(0.0, most / scale - 1)),
       verdict_of(most < t.total.front() + 0.01 * scale)},
      {"contacts at once, at most", "", fmt::format("{}", t.contacts), Verdict::shown},
      {"plastic strain", "stays", fmt::format("{:.2f}", plastic), verdict_of(plastic > 0.01)},
      {"steps per second", "", fmt::format("{:.1f}", static_cast<double>(t.steps) / t.wall),
       Verdict::shown}};
  add_picture(context, "collided", scene.built, t.end, result);
  result.remarks = {
      "scenes/four-bodies.json, with simple shapes in place of the paper's creatures; contact "
      "by unilateral constraints, as there."};
  return result;
}

}  // namespace pliant
