#include <pliant/reproduce/method_run.hpp>

#include <pliant/render/scene_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

double MethodRun::cpu_per_second() const {
  const double simulated = static_cast<double>(trajectory.steps) * dt;
  return simulated > 0 ? trajectory.cpu / simulated : 0;
}

double MethodRun::newton_per_step() const {
  const auto steps = static_cast<double>(trajectory.steps);
  return steps > 0 ? static_cast<double>(trajectory.newton) / steps : 0;
}

double CaseScene::mass() const {
  double sum = 0;
  for (const Body& body : built.model.bodies) sum += body.mass;
  return sum;
}

CaseScene load_case_scene(const CaseContext& context, const std::string& name,
                          const std::vector<std::string>& settings) {
  CaseScene out{context.load(name, settings).scene, {}};
  out.built = build_scene(out.description, {});  // what is to be said of it, the case says
  return out;
}

MethodRun run_method(const CaseContext& context, const BuiltScene& scene, TrajectoryRequest request,
                     const std::string& title) {
  MethodRun run{request.integrator.type, request.dt, {}};
  bool stopped = false;
  request.solver.interrupted = [&context] { return context.stopped(); };
  request.observe = [&, inner = request.observe](const State& state) {
    stopped = context.stopped();
    return !stopped && (!inner || inner(state));
  };
  run.trajectory = run_trajectory(scene, request, {});  // retries are counted
  run.complete = run.trajectory.ok && !stopped;
  if (context.announce)
    context.announce(fmt::format(
        "{}{} at {}: {:.3g} s simulated in {:.1f} s{}", title, run.integrator,
        in_milliseconds(run.dt), static_cast<double>(run.trajectory.steps) * run.dt,
        run.trajectory.wall, run.trajectory.ok ? "" : ", failed: " + run.trajectory.reason));
  return run;
}

void add_picture(const CaseContext& context, const std::string& name, const BuiltScene& scene,
                 const State& state, CaseResult& result, PictureView view) {
  if (!context.pictures || !pictures_built() || context.stopped() || !state.q.allFinite()) return;
  const Vector states[] = {scene.start.q, state.q};
  const auto seen = view == PictureView::motion ? std::span(states) : std::span(states).last(1);
  result.pictures.emplace_back(name, draw_state(scene, seen, context.picture_size));
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string in_milliseconds(double seconds) { return fmt::format("{:.4g} ms", 1e3 * seconds); }

}  // namespace pliant
