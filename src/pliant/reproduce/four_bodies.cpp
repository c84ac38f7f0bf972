// TOURNIER Figure 6, right: a rigid body, a plastic one of tetrahedra, a neo-Hookean one of
// hexahedra and one on frames collide. Each must meet another one, none may pass through anything,
// nothing gives them energy, and what was bent beyond its yield stress stays bent.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <pliant/contact/intersections.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace pliant {
namespace {

constexpr double kMayGainEnergy = 0.01;  // of what there was
constexpr double kBent = 0.01;           // of plastic strain: what the clay's yield is half of

struct Collision {
  MethodRun run;
  std::set<std::size_t> met;     // bodies that touched another one
  std::size_t through = 0;       // triangles and edges that pass through each other, at most
  double bent = 0, plastic = 0;  // plastic strain: the most that there was, and at the end
};

std::size_t body_of(const Model& model, Index node) {
  std::size_t k = 0;
  while (k < model.bodies.size() && node >= model.bodies[k].end_node()) ++k;
  return k;  // as many as there are: an obstacle
}

void find_meetings(const BuiltScene& scene, const State& state, Collision& out) {
  const std::size_t bodies = scene.model.bodies.size();
  const ContactSet touching = touching_pairs(*scene.rules, view(state.q));
  for (const Contact& contact : touching.contacts) {
    const std::size_t a = body_of(scene.model, contact.nodes.front());
    const std::size_t b = body_of(scene.model, contact.nodes.back());
    if (a != b && a < bodies && b < bodies) out.met.insert({a, b});
  }
  out.through =
      std::max(out.through, find_intersections(scene.rules->surface, view(state.q)).size());
}

Collision collide(const CaseContext& context, const CaseScene& scene) {
  Collision out;
  TrajectoryRequest request = request_of(scene.description);
  if (!context.full) request.duration = 0.6;
  request.observe = [&](const State& state) {
    find_meetings(scene.built, state, out);
    out.plastic = state.plastic ? state.plastic->lpNorm<Eigen::Infinity>() : 0;
    out.bent = std::max(out.bent, out.plastic);
    return true;
  };
  out.run = run_method(context, scene.built, request, "four bodies");
  return out;
}

std::string words_of_met(const CaseScene& scene, const Collision& collision) {
  std::vector<std::string> names;
  for (const std::size_t k : collision.met) names.push_back(scene.built.model.bodies[k].name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

CaseResult four_bodies(const CaseContext& context) {
  CaseResult result;
  const CaseScene scene = load_case_scene(context, "four-bodies", {});
  const Collision collision = collide(context, scene);
  if (context.stopped()) return result;
  const Trajectory& t = collision.run.trajectory;
  const double scale = t.kinetic.front() + scene.mass() * 9.81;  // J: and of a fall by a metre
  const double most = *std::max_element(t.total.begin(), t.total.end());
  result.figures = {
      {"four kinds of bodies run together", "stable", t.ok ? "stable" : "fails: " + t.reason,
       verdict_of(collision.run.complete)},
      {"bodies that met another one", "all four collide", words_of_met(scene, collision),
       verdict_of(collision.met.size() == scene.built.model.bodies.size())},
      {"edges that pass through triangles", "unilateral constraints: none",
       fmt::format("{} at most", collision.through), verdict_of(collision.through == 0)},
      {"energy gained", "stable: none",
       fmt::format("{:.1g} of their motion and of a fall by a metre",
                   std::max(0.0, most - t.total.front()) / scale),
       verdict_of(most < t.total.front() + kMayGainEnergy * scale)},
      {"contacts at once, at most", "", fmt::format("{}", t.contacts), Verdict::shown},
      {"plastic strain", "stays",
       fmt::format("{:.3f} at the end, of {:.3f} at most", collision.plastic, collision.bent),
       verdict_of(collision.plastic > kBent && collision.plastic > 0.9 * collision.bent)},
      {"steps per second", "", fmt::format("{:.1f}", static_cast<double>(t.steps) / t.wall),
       Verdict::shown}};
  add_picture(context, "collided", scene.built, t.end, result);
  result.remarks = {
      "scenes/four-bodies.json, with simple shapes in place of the paper's creatures; contact "
      "by unilateral constraints, as there."};
  return result;
}

}  // namespace pliant
