// BROWN Fig. 3: how motion dies away under power-law damping. The force goes with the p-th power of
// the rate, so that of the amplitude a: da/dt ∝ −a^p. With p = 1 it falls exponentially, with p = 2
// more and more slowly, 1/a rising linearly, and with p = 0 linearly, to a stop in finite time.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>
#include <pliant/reproduce/power_law_bodies.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

struct Decay {
  int p = 0;
  double strength = 0;  // W/m³
  MethodRun run;
  std::vector<double> t, rms;    // s; m/s: √(2 E_kin/m)
  std::vector<double> at, peak;  // of rms, once the overtones are gone
};

constexpr double kOvertones = 0.6;  // s: gone by then

Decay decay(const CaseContext& context, int p, double strength, CaseResult& result) {
  Decay out;
  out.p = p, out.strength = strength;
  const CaseScene scene = load_case_scene(context, "vibrating-bar",
                                          {fmt::format("bodies.0.damping.0.p={}", p),
                                           fmt::format("bodies.0.damping.0.strength={}", strength),
                                           fmt::format("time.duration={}", context.full ? 20 : 6)});
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  State bent = scene.built.start;
  double most = 0;
  request.observe = [&](const State& state) {
    const Energies E = system.energies(at(state));
    out.t.push_back(state.t);
    out.rms.push_back(std::sqrt(2 * E.kinetic / scene.mass()));
    if (E.elastic > most) most = E.elastic, bent = state;
    return true;
  };
  out.run = run_method(context, scene.built, request, fmt::format("p = {}, ", p));
  for (std::size_t k = 1; k + 1 < out.t.size(); ++k)
    if (out.t[k] > kOvertones && out.rms[k] > out.rms[k - 1] && out.rms[k] >= out.rms[k + 1])
      out.at.push_back(out.t[k]), out.peak.push_back(out.rms[k]);
  if (result.pictures.empty()) add_picture(context, "bent", scene.built, bent, result);
  return out;
}

// How far f(peak) is from a straight line over its first half: the largest over the mean step,
// less 1.
template <class F>
double unevenness(const Decay& d, F&& f) {
  const std::size_t n = d.peak.size() / 2;
  if (n < 4) return 1e300;
  double sum = 0, most = 0;
  for (std::size_t k = 1; k < n; ++k) {
    const double step = (f(d.peak[k]) - f(d.peak[k - 1])) / (d.at[k] - d.at[k - 1]);
    sum += step;
    most = std::max(most, std::abs(step));
  }
  return most / std::abs(sum / static_cast<double>(n - 1)) - 1;
}

}  // namespace

CaseResult power_law(const CaseContext& context) {
  CaseResult result;
  std::vector<Decay> runs;
  for (const auto& [p, strength] :
       {std::pair(0, 900.0), std::pair(1, 100.0), std::pair(2, 100.0)}) {
    if (context.stopped()) return result;
    runs.push_back(decay(context, p, strength, result));
  }
  const auto add = [&](const Decay& d, const std::string& what, const std::string& paper,
                       double off) {
    result.figures.push_back({fmt::format("p = {}: {}", d.p, what), paper,
                              fmt::format("even within {:.1f} %", 100 * off),
                              verdict_of(d.run.complete && off < 0.05)});
  };
  add(runs[0], "the amplitude falls linearly", "super-exponential decay",
      unevenness(runs[0], [](double a) { return a; }));
  add(runs[1], "its logarithm falls linearly", "exponential decay",
      unevenness(runs[1], [](double a) { return std::log(a); }));
  add(runs[2], "one over it rises linearly", "sub-exponential decay",
      unevenness(runs[2], [](double a) { return 1 / a; }));
  const double first = runs[0].rms.empty() ? 1 : runs[0].rms.front();
  double stopped = 0;  // s
  for (std::size_t k = 0; k < runs[0].t.size(); ++k)
    if (runs[0].rms[k] > 1e-3 * first) stopped = runs[0].t[k];
  const double end = runs[0].t.empty() ? 0 : runs[0].t.back();
  result.figures.push_back(
      {"p = 0 comes to rest", "stops in finite time",
       fmt::format("below 1/1000 of its speed after {:.2f} of {:.0f} s", stopped, end),
       verdict_of(runs[0].run.complete && stopped < 0.9 * end)});
  result.figures.push_back(
      {"p = 1 is then still moving", "decays only gradually",
       fmt::format("{:.2g} of its speed at the end", runs[1].rms.back() / first),
       verdict_of(runs[1].run.complete && runs[1].rms.back() > 1e-3 * first)});
  add_clay(context, result);
  add_shaken(context, result);
  Plot plot;
  plot.title = "Power-law damping of a vibrating bar";
  plot.x.label = "time (s)";
  plot.y.label = "RMS speed (m/s)";
  for (const Decay& d : runs) {
    Series& series = plot.series.emplace_back();
    series.name = fmt::format("p = {}", d.p);
    series.x = d.at, series.y = d.peak;
  }
  result.plots.emplace_back("decay", plot);
  result.remarks = {
      "Peaks of the speed of a clamped bar after a blow, from 0.6 s on, when its overtones are "
      "gone; the "
      "paper has a pendulum. p = 0 is the smooth R with epsilon = 0.001/s."};
  return result;
}

}  // namespace pliant
