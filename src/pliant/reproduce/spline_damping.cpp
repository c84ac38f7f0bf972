// BROWN Fig. 12: a spline over the principal stretches that damps strongly far from rest and hardly
// near it. A struck bar loses its large motion at once and keeps the small one, which no linear
// damping can do: that takes the same part of both.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double kBlow = 0.6, kLate = 4;  // s: the blow is over; what is left then is small

struct Vibration {
  std::string name;
  MethodRun run;
  std::vector<double> t, amplitude;  // s; m/s: √(2 E/m), all energy as speed
  double start = 0, soon = 0, late = 0, end = 0;
};

Vibration vibrate(const CaseContext& context, std::string name, const std::string& damping,
                  CaseResult& result) {
  Vibration out;
  out.name = std::move(name);
  const CaseScene scene =
      load_case_scene(context, "vibrating-bar", {"bodies.0.damping=" + damping});
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  const auto amplitude = [&](const State& state) {
    return std::sqrt(2 * std::max(0.0, system.energies(at(state)).total()) / scene.mass());
  };
  out.start = amplitude(scene.built.start);
  request.observe = [&](const State& state) {
    out.t.push_back(state.t);
    out.amplitude.push_back(amplitude(state));
    out.end = out.amplitude.back();
    if (state.t <= kBlow) out.soon = out.end;
    if (state.t <= kLate) out.late = out.end;
    return true;
  };
  out.run = run_method(context, scene.built, request, out.name + ", ");
  if (result.pictures.empty())
    add_picture(context, "bar", scene.built, out.run.trajectory.end, result);
  return out;
}

}  // namespace

CaseResult spline_damping(const CaseContext& context) {
  CaseResult result;
  const std::string base = "{\"model\":\"strain-rate\",\"psi\":2e4,\"phi\":2e4}";
  const Vibration spline = vibrate(context, "spline",
                                   "[{\"model\":\"spline\",\"over\":\"strain\",\"knots\":[[0.99,60]"
                                   ",[0.997,0],[1,0],[1.003,0],[1.01,60]],"
                                   "\"base\":" +
                                       base + "}]",
                                   result);
  const Vibration weak = vibrate(context, "linear", "[" + base + "]", result);
  const Vibration strong = vibrate(context, "linear, four times as strong",
                                   "[{\"model\":\"strain-rate\",\"psi\":8e4,\"phi\":8e4}]", result);
  if (context.stopped()) return result;
  const bool ok = spline.run.complete && weak.run.complete && strong.run.complete;
  const auto parts = [](const Vibration& v) {
    return fmt::format("{:.2f} left after {} s; of that at {} s {:.2f} two seconds later",
                       v.soon / v.start, kBlow, kLate, v.end / v.late);
  };
  result.figures = {
      {"the spline damps what is large", "strongly damps the deformed state", parts(spline),
       verdict_of(ok && spline.soon < 0.6 * spline.start)},
      {"and leaves what is small", "only minimally near the rest configuration",
       fmt::format("{:.3f} of the late motion is left after two seconds", spline.end / spline.late),
       verdict_of(ok && spline.end > 0.9 * spline.late)},
      {"linear damping that leaves as much of the blow", "damps the small motion as well",
       parts(strong), verdict_of(ok && strong.end < 0.7 * strong.late)},
      {"linear damping with the base alone", "not given", parts(weak), Verdict::shown}};
  Plot plot;
  plot.title = "A struck bar with spline damping";
  plot.x.label = "time (s)";
  plot.y.label = "amplitude as speed (m/s)";
  for (const Vibration* v : {&spline, &weak, &strong}) {
    Series& series = plot.series.emplace_back();
    series.name = v->name;
    series.x = v->t, series.y = v->amplitude;
  }
  result.plots.emplace_back("decay", plot);
  result.remarks = {
      "A bar in place of the paper's dragon: strains beyond 0.3 % are damped, up to sixty times as "
      "strongly as "
      "by the base at 1 %."};
  return result;
}

}  // namespace pliant
