#include <pliant/reproduce/trajectory.hpp>

#include <pliant/core/timer.hpp>
#include <pliant/integrate/advance.hpp>
#include <pliant/integrate/contact_stepper.hpp>
#include <pliant/integrate/energy_guard.hpp>
#include <pliant/run/pace.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace pliant {
namespace {

void sample(const System& system, const State& state, Trajectory& out) {
  const Energies E = system.energies(at(state));
  out.t.push_back(state.t);
  out.kinetic.push_back(E.kinetic);
  out.elastic.push_back(E.elastic);
  out.external.push_back(E.external);
  out.total.push_back(E.total());
}

// As in a run (run/pace.cpp).
std::unique_ptr<Stepper> stepper_of(const BuiltScene& scene, const TrajectoryRequest& request) {
  if (scene.model.system->contact() && request.energy_guard)
    return make_guarded_stepper(request.integrator, request.solver);
  return make_stepper_with_contact(request.integrator, request.solver, scene.rules);
}

void count(const StepReport& report, Trajectory& out) {
  out.newton += report.newton;
  out.factorizations += report.factorizations;
  out.linear += report.linear;
  out.retries += report.retries;
  out.redone += report.redone;
  out.unconverged += report.unconverged;
  out.contacts = std::max(out.contacts, report.contacts);
}

}  // namespace

Trajectory run_trajectory(const BuiltScene& scene, const TrajectoryRequest& request,
                          const Log& log) {
  const System& system = *scene.model.system;
  const auto stepper = stepper_of(scene, request);
  Trajectory out;
  out.end = scene.start;
  sample(system, out.end, out);
  const RetryLimits limits{.interrupted = request.solver.interrupted};
  const long steps = std::lround(std::ceil(request.duration / request.dt - 1e-9));
  for (long k = 1; k <= steps; ++k) {
    const Timer timer;
    const std::clock_t before = std::clock();
    const StepReport report = advance(*stepper, system, out.end, request.dt, limits, log);
    out.wall += timer.seconds();
    out.cpu += static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    count(report, out);
    if (!report.ok) {
      out.ok = false;
      out.reason = report.reason;
      return out;
    }
    out.steps = k;
    out.end.t = static_cast<double>(k) * request.dt;
    if (k % request.sample_every == 0 || k == steps) sample(system, out.end, out);
    if (request.observe && !request.observe(out.end)) break;
  }
  return out;
}

TrajectoryRequest request_of(const SceneDescription& scene) {
  TrajectoryRequest request;
  request.integrator = integrator_options(scene);
  request.solver = solver_options(scene);
  request.dt = scene.time.dt;
  request.duration = scene.time.duration;
  request.energy_guard = scene.contact.energy_guard;
  return request;
}

}  // namespace pliant
