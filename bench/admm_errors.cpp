// Error against time of both solvers.
#include "admm_parts.hpp"

#include <pliant/core/timer.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>

#include <map>

namespace pliant::bench {
namespace {

using nlohmann::ordered_json;

// A heavy beam held at one end, trbdf2 over half a second: how far from the motion that converged
// stages give, and how long a step took.
struct ErrorRun {
  double error = 0, ms_per_step = 0;
  double iterations = 0;  // in a stage
};

class ErrorStudy {
 public:
  ErrorStudy() {
    SolidInput solid = solid_of("stable-neo-hookean");
    Pin held;
    for (Index n = 0; n < solid.mesh.point_count(); ++n)
      if (solid.mesh.points[static_cast<std::size_t>(n)].x() < -0.99) held.nodes.push_back(n);
    std::vector<SolidInput> solids;
    solids.push_back(std::move(solid));
    model_ = make_model(std::move(solids));
    System& system = *model_.system;
    system.add_term(
        std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
    system.add_pin(std::move(held));
    SolverOptions exact;
    exact.tolerance = 1e-12;
    reference_ = go(exact).second;
  }
  const System& system() const { return *model_.system; }
  ErrorRun run(const SolverOptions& options) const {
    auto [out, end] = go(options);
    out.error = (end - reference_).norm() / (reference_ - system().rest()).norm();
    return out;
  }

 private:
  static constexpr double kStep = 0.02;
  static constexpr int kSteps = 25;
  std::pair<ErrorRun, Vector> go(const SolverOptions& options) const {
    const auto stepper = make_stepper("trbdf2", options);
    State state = system().make_state();
    ErrorRun out;
    const Timer timer;
    for (int k = 0; k < kSteps; ++k) {
      const StepReport report = stepper->step(system(), state, kStep);
      if (!report.ok) return {{1, 0, 0}, state.q};
      out.iterations +=
          (options.type == "admm" ? static_cast<double>(report.linear) : report.newton) /
          (2.0 * kSteps);
    }
    out.ms_per_step = 1e3 * timer.seconds() / kSteps;
    return {out, state.q};
  }

  Model model_;
  Vector reference_;
};

}  // namespace

// The cheapest run of each solver within an error.
ordered_json measure_errors() {
  const ErrorStudy study;
  std::map<std::string, std::vector<ErrorRun>> runs;
  for (const double tolerance : {0.3, 0.1, 1e-2, 1e-3, 1e-5, 1e-8}) {
    SolverOptions options;
    options.tolerance = tolerance;
    runs["newton"].push_back(study.run(options));
  }
  for (const int depth : {0, 5})
    for (const int iterations : {2, 3, 5, 8, 12, 20, 40, 80}) {
      SolverOptions options;
      options.type = "admm";
      options.admm.iterations = iterations;
      options.admm.anderson = depth;
      runs[depth > 0 ? "admm, accelerated" : "admm"].push_back(study.run(options));
    }
  ordered_json out = ordered_json::array();
  for (const double error : {1e-2, 1e-3, 1e-4, 1e-6}) {
    ordered_json row = {{"error", error}, {"nodes", study.system().nodes()}};
    for (const auto& [name, all] : runs) {
      const ErrorRun* best = nullptr;
      for (const ErrorRun& run : all)
        if (run.error <= error && (!best || run.ms_per_step < best->ms_per_step)) best = &run;
      if (best)
        row[name] = {{"ms_per_step", best->ms_per_step},
                     {"iterations_per_stage", best->iterations},
                     {"error", best->error}};
    }
    out.push_back(row);
  }
  return out;
}

}  // namespace pliant::bench
