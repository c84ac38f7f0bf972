// TOURNIER Fig. 1: a doll of twelve rigid bodies on joints with limits swings on a liana of ten
// links and is shaken, at steps of 10 ms with one linear solve each, (21).
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>
#include <pliant/reproduce/rod_net.hpp>

#include <pliant/core/timer.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/run/pace.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double kRagdollStep = 0.01, kShakes = 0.5;  // s: of steps, and between shakes
constexpr double kJerk = 3;  // m/s, what a shake adds to the speed of all bodies
// As with the other chains (rigid_links.hpp): a tenth of a link of the liana, and a thousandth of
// what all of it can fall by, the liana's length.
constexpr double kGape = 0.03;                // m
constexpr double kMayGain = 1e-3 * 9.81 * 3;  // J/kg

struct Shaken {
  bool stable = false;  // no joint gapes, and between shakes nothing gives it energy
  double gain = 0;      // J/kg, the most that the energy rose above that after the last shake
  double gap = 0;       // m, the largest at a joint
  double until = 0, per_second = 0;
  State middle;  // what a picture shows
};

// Every half a second everything is pushed in another direction. In between, energy cannot grow.
Shaken shake(const CaseContext& context, GeometricStiffness geometric, double duration) {
  const CaseScene scene = load_case_scene(context, "ragdoll", {});
  const System& system = *scene.built.model.system;
  const auto stepper = make_stepper("be", one_linear_solve(geometric));
  Shaken out;
  State state = scene.built.start;
  Vector phi;
  const double mass = scene.mass();
  double energy = system.energies(at(state)).total();
  const auto steps = static_cast<int>(std::lround(duration / kRagdollStep));
  const auto between = static_cast<int>(std::lround(kShakes / kRagdollStep));
  double seconds = 0;
  for (int k = 0; k < steps; ++k) {
    if (k > 0 && k % between == 0) {
      const double angle = 2.4 * k / between;  // the golden angle: no direction comes twice
      const Vec3 jerk = kJerk * Vec3(std::cos(angle), 0, std::sin(angle));
      for (Index n = 0; n < system.nodes(); ++n) node(view(state.v), n) += jerk;
      energy = system.energies(at(state)).total();
    }
    const Timer timer;
    if (!stepper->step(system, state, kRagdollStep).ok || !state.q.allFinite()) return out;
    seconds += timer.seconds();
    if (2 * k == steps) out.middle = state;
    const double now = system.energies(at(state)).total();
    out.gain = std::max(out.gain, (now - energy) / mass);
    system.constraints().value(state.t, view(state.q), phi);
    for (Index row = 0; row < phi.size(); ++row)
      if (!std::isfinite(system.constraints().low()[row]))
        out.gap = std::max(out.gap, std::abs(phi[row]));
    out.until = state.t;
    if (out.gap > kGape || out.gain > kMayGain) return out;
  }
  out.stable = true;
  out.per_second = steps / seconds;
  return out;
}

std::string words(const Shaken& shaken) {
  return shaken.stable ? fmt::format("stable, gaps of {:.2g} m", shaken.gap)
                       : fmt::format("unstable at {:.2g} s: gaps of {:.2g} m, {:.2g} J/kg gained",
                                     shaken.until, shaken.gap, shaken.gain);
}

}  // namespace

CaseResult ragdoll(const CaseContext& context) {
  CaseResult result;
  const double duration = context.full ? 20 : 4;
  const Shaken with = shake(context, GeometricStiffness::exact, duration);
  const Shaken without = shake(context, GeometricStiffness::off, duration);
  if (context.stopped()) return result;
  result.figures = {
      {"with geometric stiffness", "stable when strongly shaken", words(with),
       verdict_of(with.stable)},
      {"without", "unstable", words(without), verdict_of(!without.stable)},
      {"steps per second", "70", fmt::format("{:.0f}", with.per_second), Verdict::shown}};
  if (with.stable)
    add_picture(context, "ragdoll", load_case_scene(context, "ragdoll", {}).built, with.middle,
                result);
  result.remarks = {fmt::format(
      "scenes/ragdoll.json with one linear solve for a step of 10 ms, over {:g} s; every half a "
      "second all bodies are pushed by {:g} m/s, each time in another direction. Stable: no joint "
      "gapes by more than {:g} m, a tenth of a link of the liana, and the energy never rises above "
      "that after the last push by more than {:.2g} J/kg, a thousandth of a fall by the liana's "
      "length; with geometric stiffness it was {:.2g} J/kg. One thread; the paper's machine is of "
      "2015.",
      duration, kJerk, kGape, kMayGain, with.gain)};
  return result;
}

}  // namespace pliant
