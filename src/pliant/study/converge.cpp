#include <pliant/study/converge.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/integrate/contact_stepper.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/scene/build.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

std::int64_t steps_in(double duration, double dt) {
  const double count = std::round(duration / dt);
  if (!(dt > 0) || count < 1 || std::abs(count * dt - duration) > 1e-9 * duration)
    throw InputError(
        fmt::format("a step of {} s does not divide the duration of {} s: the runs "
                    "would end at different times",
                    dt, duration));
  return static_cast<std::int64_t>(count);
}

class Study {
 public:
  Study(const SceneLoader& load, const ConvergeRequest& request, const Log& log)
      : load_(load), request_(request), base_(load({}).scene), built_(build_scene(base_, log)) {}

  // Runs to the end with steps of exactly dt: a step that fails fails the run.
  bool run(const std::string& integrator, double dt, State& state, ConvergeRun& out) const {
    const std::unique_ptr<Stepper> stepper = make(integrator);
    const std::int64_t steps = steps_in(base_.time.duration, dt);
    out.integrator = stepper->name();
    out.dt = dt;
    state = built_.start;
    const Timer timer;
    for (std::int64_t k = 0; k < steps; ++k) {
      const StepReport report = stepper->step(*built_.model.system, state, dt);
      out.newton += report.newton;
      out.linear += report.linear;
      if (!report.ok) out.failed = fmt::format("at {:.4g} s: {}", state.t, report.reason);
      if (interrupted()) out.failed = "interrupted";
      if (!out.failed.empty()) return false;
      state.t = static_cast<double>(k + 1) * dt;  // no rounding adds up
    }
    out.wall = timer.seconds();
    return true;
  }

  StateError error(const State& reference, const State& state) const {
    return state_error(built_.model.system->mass(), built_.start, reference, state);
  }
  double duration() const { return base_.time.duration; }

 private:
  bool interrupted() const { return request_.interrupted && request_.interrupted() != 0; }

  std::unique_ptr<Stepper> make(const std::string& integrator) const {
    const SceneDescription scene = load_({"integrator=" + integrator}).scene;
    SolverOptions solver = solver_options(scene, [this] { return interrupted(); });
    solver.tolerance = std::min(solver.tolerance, request_.tolerance);
    IntegratorOptions options = integrator_options(scene);
    options.krylov_tolerance = std::min(options.krylov_tolerance, request_.tolerance);
    return make_stepper_with_contact(options, solver, built_.rules);
  }

  const SceneLoader& load_;
  const ConvergeRequest& request_;
  SceneDescription base_;
  BuiltScene built_;
};

void announce(const ConvergeRequest& request, const std::string& line) {
  if (request.announce) request.announce(line);
}

// Throws where a method does not go together with the scene's contact and constraints.
void require_can_run_all(const SceneLoader& load, const ConvergeRequest& request) {
  std::vector<std::string> all = request.integrators;
  all.push_back(request.reference);
  for (const std::string& name : all) const Pace possible(load({"integrator=" + name}).scene);
}

State find_reference(const Study& study, const ConvergeRequest& request, ConvergeResult& result) {
  State state, twice;
  for (const double factor : {2.0, 1.0}) {
    ConvergeRun run;
    State& out = factor == 1 ? state : twice;
    if (!study.run(request.reference, factor * result.reference_dt, out, run))
      throw CannotContinue(fmt::format("the reference ({} at {} s) could not be computed: {}",
                                       request.reference, factor * result.reference_dt,
                                       run.failed));
    result.reference = run.integrator;
    announce(request,
             fmt::format("reference: {} at {:.4g} s, {:.1f} s", run.integrator, run.dt, run.wall));
  }
  result.reference_error = study.error(state, twice);
  return state;
}

void find_orders(std::span<ConvergeRun> runs) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> h, q, v;
  for (const ConvergeRun& run : runs) {
    h.push_back(run.dt);
    q.push_back(run.error.q);
    v.push_back(run.error.v);
  }
  const std::vector<double> in_q = measured_orders(h, q), in_v = measured_orders(h, v);
  for (std::size_t k = 0; k < runs.size(); ++k)
    runs[k].order = k == 0 ? StateError{nan, nan} : StateError{in_q[k - 1], in_v[k - 1]};
}

}  // namespace

ConvergeResult converge(const SceneLoader& load, const ConvergeRequest& request, const Log& log) {
  if (request.integrators.empty() || request.dt.empty())
    throw InputError("at least one integrator and one step are needed");
  require_can_run_all(load, request);
  const Study study(load, request, log);
  std::vector<double> dt = request.dt;
  std::sort(dt.rbegin(), dt.rend());
  ConvergeResult result;
  result.duration = study.duration();
  result.reference_dt = request.reference_dt > 0 ? request.reference_dt : dt.back() / 8;
  for (const double h : dt) steps_in(result.duration, h);
  const State reference = find_reference(study, request, result);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& name : request.integrators) {
    const std::size_t first = result.runs.size();
    for (const double h : dt) {
      ConvergeRun run;
      State state;
      const bool ok = study.run(name, h, state, run);
      run.error = ok ? study.error(reference, state) : StateError{nan, nan};
      announce(request,
               ok ? fmt::format("{} at {:.4g} s: error {:.2e}, {:.1f} s", run.integrator, h,
                                run.error.q, run.wall)
                  : fmt::format("{} at {:.4g} s failed {}", run.integrator, h, run.failed));
      if (request.interrupted && (result.signal = request.interrupted()) != 0) return result;
      result.runs.push_back(std::move(run));
    }
    find_orders(std::span(result.runs).subspan(first));
  }
  return result;
}

}  // namespace pliant
