// BROWN Fig. 11. A soft body is dropped: with p = 0 it comes to rest in the shape that it landed
// in, like clay. Another is shaken: p = 2 keeps it from being torn about, and leaves slow motion
// alone.
#include <pliant/reproduce/power_law_bodies.hpp>

#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

struct BodyDecay {
  int p = 0;
  MethodRun run;
  std::vector<double> t, kinetic, elastic;  // s, J

  // The largest of kinetic and elastic energy together between two times.
  double most(double from, double until) const {
    double out = 0;
    for (std::size_t k = 0; k < t.size(); ++k)
      if (t[k] >= from && t[k] < until) out = std::max(out, kinetic[k] + elastic[k]);
    return out;
  }
};

BodyDecay run_with(const CaseContext& context, const std::string& name, int p, double strength,
                   CaseResult& result) {
  BodyDecay out;
  out.p = p;
  const CaseScene scene =
      load_case_scene(context, name,
                      {fmt::format("bodies.0.damping.0.p={}", p),
                       fmt::format("bodies.0.damping.0.strength={}", strength),
                       fmt::format("bodies.0.mesh.size={}", context.full ? 0.03 : 0.06)});
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  State last = scene.built.start;
  request.observe = [&](const State& state) {
    const Energies E = system.energies(at(state));
    out.t.push_back(state.t);
    out.kinetic.push_back(E.kinetic);
    out.elastic.push_back(E.elastic);
    last = state;
    return true;
  };
  out.run = run_method(context, scene.built, request, fmt::format("{}, p = {}, ", name, p));
  if (name == "clay")
    add_picture(context, fmt::format("{}-{}", name, p), scene.built, last, result,
                PictureView::moment);
  return out;
}

std::string reason(const BodyDecay& motion) { return "failed: " + motion.run.trajectory.reason; }

}  // namespace

void add_clay(const CaseContext& context, CaseResult& result) {
  const BodyDecay clay = run_with(context, "clay", 0, 1e5, result);
  const BodyDecay jelly = run_with(context, "clay", 1, 1e5, result);
  if (context.stopped() || clay.t.empty() || jelly.t.empty()) return;
  const double impact = *std::max_element(clay.kinetic.begin(), clay.kinetic.end());
  const auto moving = [&](const BodyDecay& m) { return std::sqrt(m.kinetic.back() / impact); };
  result.figures.push_back({"dropped, p = 0: speed at the end, of that of the fall",
                            "comes completely to rest",
                            clay.run.complete ? fmt::format("{:.3f}", moving(clay)) : reason(clay),
                            verdict_of(clay.run.complete && moving(clay) < 0.03)});
  result.figures.push_back(
      {"dropped: elastic energy left at the end, p = 0 against p = 1", "in a deformed state",
       clay.run.complete && jelly.run.complete
           ? fmt::format("{:.2f} against {:.2f} J", clay.elastic.back(), jelly.elastic.back())
           : reason(clay) + reason(jelly),
       verdict_of(clay.run.complete && jelly.run.complete &&
                  clay.elastic.back() > 2 * jelly.elastic.back())});
}

void add_shaken(const CaseContext& context, CaseResult& result) {
  const BodyDecay linear = run_with(context, "shaken", 1, 1000, result);
  const BodyDecay square = run_with(context, "shaken", 2, 1000, result);
  if (context.stopped() || linear.t.empty() || square.t.empty()) return;
  const bool both = linear.run.complete && square.run.complete;
  const auto worst = [](const BodyDecay& m) {
    return *std::max_element(m.elastic.begin(), m.elastic.end());
  };
  // Of the energy half a second after the shaking ends, what is there a second later.
  const auto kept = [](const BodyDecay& m) { return m.most(3, 3.5) / m.most(2, 2.5); };
  result.figures.push_back(
      {"shaken: largest elastic energy, p = 2 against p = 1",
       "prevents excessive shearing and stretching",
       both ? fmt::format("{:.1f} against {:.1f} J", worst(square), worst(linear))
            : reason(linear) + reason(square),
       verdict_of(both && worst(square) < 0.7 * worst(linear))});
  result.figures.push_back({"shaken: of the slow motion afterwards a second leaves",
                            "little resistance",
                            both ? fmt::format("{:.0f} % with p = 2, {:.0f} % with p = 1",
                                               100 * kept(square), 100 * kept(linear))
                                 : reason(linear) + reason(square),
                            verdict_of(both && kept(square) > 2 * kept(linear))});
}

}  // namespace pliant
