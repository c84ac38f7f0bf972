// BROWN Fig. 6: an elastic beam spins and stretches, free and undamped. Backward Euler loses energy
// and angular momentum fast, BDF2 less, TR-BDF2 least, though its step is twice as long for the
// same number of solves.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kSpinStep = 0.005;  // s; the paper gives none

struct Spin {
  MethodRun run;
  std::vector<double> t, energy, momentum;  // s; of what there was at the start
  double kept_energy() const { return energy.empty() ? 0 : energy.back(); }
  double kept_momentum() const { return momentum.empty() ? 0 : momentum.back(); }
};

Spin spin_beam(const CaseContext& context, const CaseScene& scene, const std::string& method,
               double dt) {
  Spin out;
  const System& system = *scene.built.model.system;
  const State& start = scene.built.start;
  const double E = system.energies(at(start)).total();
  const double L = system.momentum(view(start.q), view(start.v)).angular.norm();
  TrajectoryRequest request = request_of(scene.description);
  request.integrator = method;
  request.dt = dt;
  out.t = {0}, out.energy = {1}, out.momentum = {1};
  request.observe = [&](const State& state) {
    out.t.push_back(state.t);
    out.energy.push_back(system.energies(at(state)).total() / E);
    out.momentum.push_back(system.momentum(view(state.q), view(state.v)).angular.norm() / L);
    return true;
  };
  out.run = run_method(context, scene.built, request);
  return out;
}

// What is not 1 at the end is wrong by as much, lost or gained. Far more: less than half as wrong,
// or more than twice as much kept.
Figure more(const std::string& what, const Spin& high, const Spin& low,
            double (Spin::*measure)() const, bool far = false) {
  const double a = (high.*measure)(), b = (low.*measure)();
  const bool better = std::abs(1 - a) < std::abs(1 - b);
  const bool much = 2 * std::abs(1 - a) < std::abs(1 - b) || a > 2 * b;
  return {what, far ? "far more" : "more", fmt::format("{:.4f} against {:.4f}", a, b),
          verdict_of(high.run.complete && low.run.complete && better && (much || !far))};
}

}  // namespace

CaseResult spinning_beam(const CaseContext& context) {
  CaseResult result;
  const CaseScene scene = load_case_scene(
      context, "spinning-beam", {fmt::format("time.duration={}", context.full ? 60 : 20)});
  const Spin be = spin_beam(context, scene, "be", kSpinStep),
             bdf2 = spin_beam(context, scene, "bdf2", kSpinStep),
             trbdf2 = spin_beam(context, scene, "trbdf2", 2 * kSpinStep);
  if (context.stopped()) return result;
  result.figures = {
      more("energy kept, TR-BDF2 at 2h against BDF2", trbdf2, bdf2, &Spin::kept_energy),
      more("energy kept, BDF2 against BE", bdf2, be, &Spin::kept_energy, true),
      more("angular momentum kept, TR-BDF2 at 2h against BDF2", trbdf2, bdf2, &Spin::kept_momentum),
      more("angular momentum kept, BDF2 against BE", bdf2, be, &Spin::kept_momentum, true)};
  for (const bool energy : {true, false}) {
    Plot plot;
    plot.title = energy ? "A spinning beam: total energy" : "A spinning beam: angular momentum";
    plot.x.label = "time (s)";
    plot.y.label = "of the start";
    for (const auto& [name, s] : {std::pair("BE, h", &be), std::pair("BDF2, h", &bdf2),
                                  std::pair("TR-BDF2, 2h", &trbdf2)}) {
      Series& series = plot.series.emplace_back();
      series.name = name;
      series.x = s->t;
      series.y = energy ? s->energy : s->momentum;
    }
    result.plots.emplace_back(energy ? "energy" : "momentum", plot);
  }
  add_picture(context, "beam", scene.built, trbdf2.run.trajectory.end, result);
  result.remarks = {
      fmt::format("h = {}; {} s; TR-BDF2 solves two stages a step, so that all three cost "
                  "alike. With the first vibrations both methods of second order gain some angular "
                  "momentum, of which BDF2 then loses more: after 5 s it happens to be where it "
                  "began.",
                  in_milliseconds(kSpinStep), scene.description.time.duration)};
  return result;
}

}  // namespace pliant
