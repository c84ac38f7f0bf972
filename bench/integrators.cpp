// Work and precision of every integrator on the clamped beam of LOESCHNER, in one process: error
// after one second against esdirk43 at a tiny step, time, and what was solved, for steps from 20 ms
// down. And what a step costs beside one of backward Euler at the same length.
//   bench_integrators   prints a JSON document
#include <pliant/body/solid.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>

#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

constexpr double kEnd = 1;  // s

Model make_beam(std::array<Index, 3> cells) {
  SolidInput solid;
  solid.name = "beam";
  solid.mesh = make_box({.size = Vec3(8, 1, 1), .cells = cells});
  solid.materials = {{"stable-neo-hookean", {}}};
  solid.materials[0].constants.young = 1e5;
  solid.materials[0].constants.poisson = 0.4;
  Pin pin;
  for (Index n = 0; n < solid.mesh.point_count(); ++n)
    if (std::abs(std::abs(solid.mesh.points[n].x()) - 4) < 1e-9) pin.nodes.push_back(n);
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model model = make_model(std::move(solids));
  System& system = *model.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  system.add_pin(std::move(pin));
  return model;
}

struct RunResult {
  bool ok = true;
  State state;
  double seconds = 0;
  long steps = 0, newton = 0, factorizations = 0, linear = 0;
};

RunResult run(const System& system, const IntegratorOptions& integrator, double h,
              const std::string& linear) {
  SolverOptions options;
  options.linear = linear;
  const auto stepper = make_stepper(integrator, options);
  RunResult result;
  result.state = system.make_state();
  const Timer timer;
  result.steps = std::lround(kEnd / h);
  for (long k = 0; k < result.steps && result.ok; ++k) {
    const StepReport report = stepper->step(system, result.state, h);
    result.ok = report.ok;
    result.newton += report.newton;
    result.factorizations += report.factorizations;
    result.linear += report.linear;
  }
  result.seconds = timer.seconds();
  return result;
}

double norm(const System& system, const Vector& x) {
  Vector Mx(x.size());
  system.mass().multiply(view(x), view(Mx));
  return std::sqrt(x.dot(Mx));
}

ordered_json work_precision(const System& system, const std::string& linear) {
  const State exact = run(system, "esdirk43", 1.0 / 4096, "cholesky").state;
  const double moved = norm(system, exact.q - system.rest()), speed = norm(system, exact.v);
  ordered_json rows = ordered_json::array();
  for (const IntegratorInfo& info : integrators())
    for (const double h : {1.0 / 50, 1.0 / 100, 1.0 / 200, 1.0 / 400, 1.0 / 800}) {
      const RunResult r = run(system, info.name, h, linear);
      const double error_q = norm(system, r.state.q - exact.q) / moved;
      const double error_v = norm(system, r.state.v - exact.v) / speed;
      const double energy = system.energies({0, view(r.state.q), view(r.state.v), nullptr}).total();
      ordered_json row = {{"integrator", info.name},
                          {"family", info.family},
                          {"h", h},
                          {"ok", r.ok && std::isfinite(error_q) && error_q < 1e3}};
      if (row["ok"]) {
        row["error_q"] = error_q;
        row["error_v"] = error_v;
        row["energy_change"] = energy / 8000;  // J/kg
        row["ms"] = 1e3 * r.seconds;
        row["ms_per_step"] = 1e3 * r.seconds / static_cast<double>(r.steps);
        row["newton"] = r.newton;
        row["factorizations"] = r.factorizations;
        row["linear"] = r.linear;
      }
      rows.push_back(row);
    }
  return rows;
}

// Cost of a step at 5 ms over that of backward Euler, the median of three runs.
ordered_json cost_over_be(const System& system, const std::string& linear) {
  const auto cost = [&](const IntegratorOptions& integrator) {
    std::vector<double> times;
    for (int k = 0; k < 3; ++k) times.push_back(run(system, integrator, 1.0 / 200, linear).seconds);
    std::sort(times.begin(), times.end());
    return times[1];
  };
  const double be = cost("be");
  ordered_json out = {{"be_ms_per_step", 1e3 * be / 200}};
  for (const char* name : {"sdirk2", "trbdf2", "trbdf2b", "esdirk32", "esdirk43", "bdf2", "ros3pl"})
    out[name] = cost(name) / be;
  return out;
}

}  // namespace

int main() {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  ordered_json out = {{"benchmark", "integrators"}, {"end", kEnd}};
  const Model small = make_beam({16, 2, 2}), large = make_beam({32, 4, 4});
  for (const char* linear : {"cholesky", "auto"}) {
    out["cost_over_be"][linear] = cost_over_be(*large.system, linear);
    out["work_precision"][linear] = work_precision(*small.system, linear);
  }
  std::printf("%s\n", out.dump(1).c_str());
}
