// TOURNIER Figure 7: a string of ten links that do not stretch is drawn, bends a wooden bow (10
// GPa) and, let go, shoots a rigid arrow, which it touches only. By Newton's method, and as in the
// paper with backward Euler and one linear solve a step.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kRelease = 0.8;  // s
// Of a link: solved to convergence, and by one linear solve, which leaves what links turn by.
constexpr double kSolved = 1e-6, kLinear = 0.01;

struct Shot {
  double drawn = 0;    // m, of the string
  double speed = 0;    // m/s, of the arrow at the end
  double apart = 0;    // m, between string and arrow then
  double stretch = 0;  // of a link, at most
  MethodRun run;
  State taut;  // drawn
};

Shot shoot(const CaseContext& context, const CaseScene& scene, const std::string& title) {
  Shot out;
  const Body& string = scene.built.model.bodies[1];
  const Body& arrow = scene.built.model.bodies[2];
  const MappedPoint tail = arrow.find(arrow.rigid->centre).point;
  const Index middle = string.first_node + 5;
  const System& system = *scene.built.model.system;
  const double start = node(view(system.rest()), middle).x();
  const double half = start - arrow.rigid->centre.x();
  TrajectoryRequest request = request_of(scene.description);
  request.observe = [&](const State& state) {
    for (const auto& element : {0, 3, 5, 9}) {
      const Index a = string.first_node + element;
      const double rest = (node(view(system.rest()), a) - node(view(system.rest()), a + 1)).norm();
      const double now = (node(view(state.q), a) - node(view(state.q), a + 1)).norm();
      out.stretch = std::max(out.stretch, std::abs(now / rest - 1));
    }
    if (state.t < kRelease + 1e-9) {
      out.drawn = node(view(state.q), middle).x() - start;
      out.taut = state;
    }
    out.speed = -tail.at(view(state.v)).x();
    out.apart = node(view(state.q), middle).x() - tail.at(view(state.q)).x() - half;
    return true;
  };
  out.run = run_method(context, scene.built, request, title);
  return out;
}

void add_figures(const Shot& shot, const std::string& form, double may_stretch,
                 CaseResult& result) {
  const Trajectory& run = shot.run.trajectory;
  const auto words = [&](std::string said) { return run.ok ? said : "failed: " + run.reason; };
  result.figures.push_back({form + "the string is drawn", "bends the frame",
                            words(fmt::format("by {:.2f} m", shot.drawn)),
                            verdict_of(run.ok && shot.drawn > 0.1)});
  result.figures.push_back(
      {form + "let go", "projects the arrow",
       words(fmt::format("{:.1f} m/s, {:.2f} m ahead of the string", shot.speed, shot.apart)),
       verdict_of(run.ok && shot.speed > 5 && shot.apart > 0.1)});
  result.figures.push_back({form + "links of the string", "inextensible",
                            words(fmt::format("stretched by {:.1e}", shot.stretch)),
                            verdict_of(run.ok && shot.stretch < may_stretch)});
  result.figures.push_back({form + "steps per second", "85",
                            fmt::format("{:.0f}", static_cast<double>(run.steps) / run.wall),
                            Verdict::shown});
}

}  // namespace

CaseResult bow(const CaseContext& context) {
  CaseResult result;
  const CaseScene scene = load_case_scene(context, "bow", {});
  const Shot shot = shoot(context, scene, "bow, ");
  const CaseScene linear = load_case_scene(context, "bow", {"integrator=be", "solver.type=linear"});
  const Shot paper = shoot(context, linear, "bow, one linear solve, ");
  if (context.stopped()) return result;
  add_figures(shot, "", kSolved, result);
  add_figures(paper, "one linear solve a step: ", kLinear, result);
  add_picture(context, "drawn", scene.built, shot.taut, result);
  result.remarks = {
      "scenes/bow.json: a straight stave of 1.5 m and quadratic tetrahedra, drawn with 250 N over "
      "0.7 s and let go at 0.8 s; second order (bdf2) with Newton's method to convergence at steps "
      "of 5 ms, and as in the paper backward Euler with one linear solve. String and arrow meet by "
      "unilateral constraints. By one solve inextensible means less than a hundredth."};
  return result;
}

}  // namespace pliant
