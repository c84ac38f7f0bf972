// CHEN Figures 1, 8 and 9: a creature whose feet are shaken, of linear material and of ARAP, and
// one whose foot is let go midway.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/coarse_runs.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

struct Pair {
  FineMotion fine;
  CoarseMotion plain, fit;
  bool complete() const { return fine.complete && plain.complete && fit.complete; }
};

Pair run_pair(const CaseContext& context, const SceneDescription& scene) {
  Pair pair;
  pair.fine = run_fine(context, scene);
  if (context.stopped()) return pair;
  pair.plain = run_coarse(context, with_method(scene, CoarseMethod::plain), "plain", pair.fine);
  if (context.stopped()) return pair;
  pair.fit = run_coarse(context, with_method(scene, CoarseMethod::eigenfit), "eigenfit", pair.fine);
  return pair;
}

// The errors from `since` on, s, and the motions of the place that moves most.
void add_error_figure(const std::string& name, const Pair& pair, double since, CaseResult& result) {
  const double plain = pair.plain.largest_error(since), fit = pair.fit.largest_error(since);
  const double swing = pair.fine.swing(since);
  const std::string when = since > 0 ? fmt::format(" from {:g} s on", since) : " over the run";
  result.figures.push_back(
      {name + ": largest error" + when + ", EigenFit against plain coarse", "much lower",
       fmt::format("{:.3g} m against {:.3g} m, {:.0f} % less, of a swing of {:.2g} m", fit, plain,
                   100 * (1 - fit / plain), swing),
       verdict_of(pair.complete() && fit <= 0.7 * plain && fit < swing)});
  result.plots.emplace_back(name + "-error", error_plot(name, {pair.plain, pair.fit}));
  result.plots.emplace_back(name, signal_plot(name, pair.fine, {pair.plain, pair.fit}));
}

// In phase: a correlation above 0.9; out of phase: below 0.5.
void add_creature_figures(const std::string& name, const Pair& pair, CaseResult& result) {
  add_error_figure(name, pair, 0, result);
  const double in_phase = correlation(pair.fine, pair.fit);
  const double out = correlation(pair.fine, pair.plain);
  result.figures.push_back({name + ": correlation of its motion with the fine one", "in phase",
                            fmt::format("{:.3f}", in_phase),
                            verdict_of(pair.complete() && in_phase > 0.9)});
  result.figures.push_back({name + ": the same of the plain coarse mesh", "out of phase",
                            fmt::format("{:.3f}", out), verdict_of(pair.complete() && out < 0.5)});
}

SceneDescription creature(const CaseContext& context) {
  // About the paper's numbers of nodes: 1475 and 13 513.
  const std::vector<std::string> full = {"bodies.0.mesh.size=0.062", "bodies.0.coarsen.refine=2.2"};
  return context.load("shaken-creature", context.full ? full : std::vector<std::string>{}).scene;
}

std::string sizes(const Pair& pair) {
  return fmt::format(
      "Our creature of capsules in place of the paper's mesh: {} nodes against {}; ten modes.",
      pair.plain.nodes, pair.fine.nodes);
}

}  // namespace

CaseResult linear_creature(const CaseContext& context) {
  CaseResult result;
  SceneDescription scene = creature(context);
  scene.materials.at("flesh").model = "linear";
  const Pair pair = run_pair(context, scene);
  if (context.stopped()) return result;
  add_creature_figures("linear creature", pair, result);
  result.remarks = {sizes(pair)};
  return result;
}

CaseResult shaken_arap(const CaseContext& context) {
  CaseResult result;
  const SceneDescription scene = creature(context);
  const Pair pair = run_pair(context, scene);
  if (context.stopped()) return result;
  add_creature_figures("shaken", pair, result);
  const CoarseMotion dac =
      run_coarse(context, with_method(scene, CoarseMethod::dac), "dac", pair.fine);
  result.figures.push_back(
      {"shaken: largest error of EigenFit against DAC", "better than DAC",
       fmt::format("{:.3g} m against {:.3g} m", pair.fit.largest_error(), dac.largest_error()),
       verdict_of(dac.complete && pair.fit.largest_error() < dac.largest_error())});
  result.remarks = {sizes(pair),
                    "ARAP, E = 1e6, semi-implicit Euler, h = 10 ms, feet shaken for 30 "
                    "steps of 200."};
  return result;
}

// Judged from the moment on when the foot is let go: what was before is shaken-arap. The paper says
// nothing of phases here.
CaseResult released_leg(const CaseContext& context) {
  CaseResult result;
  SceneDescription scene = creature(context);
  const double let_go = 0.5 * scene.time.duration;
  scene.bodies[0].pins[0].until = let_go;
  const Pair pair = run_pair(context, scene);
  if (context.stopped()) return result;
  add_error_figure("released leg", pair, let_go, result);
  result.figures.push_back(
      {"released leg: correlation with the fine one from then on; plain coarse", "not given",
       fmt::format("{:.3f}; {:.3f}", correlation(pair.fine, pair.fit, let_go),
                   correlation(pair.fine, pair.plain, let_go)),
       Verdict::shown});
  const std::vector<double>& ratios = pair.fit.first_ratios;
  std::string words;
  for (const double r : ratios) words += fmt::format("{}{:.4f}", words.empty() ? "" : ", then ", r);
  result.figures.push_back(
      {"ratio of the first mode, on two feet and on one", "calculated anew", words,
       verdict_of(pair.complete() && ratios.size() == 2 && ratios[0] != ratios[1])});
  result.remarks = {
      sizes(pair), fmt::format("One foot is let go after {:g} s of {:g} s; the modes and ratios of "
                               "the body on one foot come from both meshes held by that foot.",
                               let_go, scene.time.duration)};
  return result;
}

CaseResult heterogeneous(const CaseContext& context) {
  CaseResult result;
  for (const std::string law : {"neo-hookean", "arap"}) {
    SceneDescription scene = creature(context);
    MaterialDescription& flesh = scene.materials.at("flesh");
    flesh.model = law;
    flesh.constants.poisson = 0.4;
    // Stiff but for the neck, the shoulders and the hips, over three orders of magnitude.
    flesh.young_field = Expression(
        "1e6 + 1e9*(y > 0.05)*(y < 0.45)*(abs(x) < 0.1) + 3e7*(y > 0.68) + 3e7*(abs(x) > 0.4)",
        "xyz");
    const Pair pair = run_pair(context, scene);
    if (context.stopped()) return result;
    add_creature_figures(law, pair, result);
    if (result.remarks.empty()) result.remarks.push_back(sizes(pair));
  }
  result.remarks.push_back(
      "Young's modulus from 1e6 Pa in limbs and joints to 1e9 Pa in the trunk.");
  return result;
}

}  // namespace pliant
