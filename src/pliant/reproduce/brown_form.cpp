#include <pliant/reproduce/brown_form.hpp>

#include <fmt/format.h>

namespace pliant {

const std::string kBrownForm = "TR-BDF2 by ADMM at 40 ms: ";

std::vector<std::string> brown_settings(int iterations) {
  const std::string step = fmt::format("{}", kBrownStep);
  return {"integrator=trbdf2",   fmt::format("solver.iterations={}", iterations),
          "solver.type=admm",    "time.dt=" + step,
          "contact.method=admm", "time.output_dt=" + step,
          "contact.self=false"};
}

Figure frame_figure(const MethodRun& run, std::string_view of_paper) {
  const Trajectory& t = run.trajectory;
  const double frames = static_cast<double>(t.steps) * run.dt / kBrownStep;
  return {kBrownForm + "time of a frame", std::string(of_paper),
          frames > 0 ? fmt::format("{:.0f} ms on one thread; {} steps redone in halves, {} stages "
                                   "ended before the tolerance",
                                   1e3 * t.cpu / frames, t.retries, t.unconverged)
                     : "none was made",
          Verdict::shown};
}

std::string failure(const MethodRun& run) { return "failed: " + run.trajectory.reason; }

}  // namespace pliant
