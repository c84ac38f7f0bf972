// LOESCHNER §5.5, "Duck trampoline party": ducks fall through a maze of thin trampolines held at
// their corners, onto these and onto each other. It must run to its end, with hundreds of contacts;
// what falls must be held up and must not pass through, and no energy may come from nothing.
#include <pliant/contact/barrier_term.hpp>
#include <pliant/contact/intersections.hpp>
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

// The scene's first duck and trampoline, as often as asked for: trampolines hang below each other,
// tilted to and fro; ducks come in rows of three from above.
CaseScene make_party(const CaseContext& context, int ducks, int trampolines,
                     const std::vector<std::string>& settings) {
  CaseScene out{context.load("duck-party", settings).scene, {}};
  const BodyDescription duck = out.description.bodies[0], trampoline = out.description.bodies[1];
  const Mesh duck_mesh = build_mesh(duck.mesh, duck.where, {});
  const Mesh trampoline_mesh = build_mesh(trampoline.mesh, trampoline.where, {});
  out.description.bodies.clear();
  std::vector<Mesh> meshes;
  for (int k = 0; k < ducks; ++k) {
    BodyDescription& body = out.description.bodies.emplace_back(duck);
    body.name = fmt::format("duck-{}", k + 1);
    body.transform.translate =
        Vec3(0.42 * (k % 3 - 1) + 0.05 * (k / 3 % 2), 0.45 + 0.45 * (k / 3), 0.06 * (k % 5 - 2));
    apply(body.transform, meshes.emplace_back(duck_mesh));
  }
  for (int k = 0; k < trampolines; ++k) {
    BodyDescription& body = out.description.bodies.emplace_back(trampoline);
    body.name = fmt::format("trampoline-{}", k + 1);
    const double side = k % 2 == 0 ? 1 : -1;
    body.transform.rotate = Vec3(0, 0, 12 * side);
    body.transform.translate = Vec3(0.3 * side, -0.7 * k, 0);
    apply(body.transform, meshes.emplace_back(trampoline_mesh));
  }
  out.built = build_scene(out.description, {}, meshes);
  return out;
}

constexpr double kSeen = 0.8;  // s

struct Party {
  MethodRun run;
  std::vector<double> t, fastest, lowest;  // s; m/s, of all nodes; m, the lowest duck's centre
  State seen;                              // for the picture: while they are all in one place
  double passed = 0;                       // m, how deep one surface is in another at the end
  double peak() const {
    double most = 0;
    for (const double v : fastest) most = std::max(most, v);
    return most;
  }
};

// Of all surfaces that may touch, as the contact method has them.
double deepest(const BuiltScene& built, const State& state) {
  const BarrierTerm* contact = built.model.system->contact();
  const ContactSurface& surface = contact ? contact->surface() : built.rules->surface;
  double depth = 0;
  for (const Intersection& place : find_intersections(surface, view(state.q)))
    depth = std::max(depth, place.depth);
  return depth;
}

Party run_party(const CaseContext& context, const CaseScene& scene, int ducks,
                const std::string& title) {
  Party out;
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  request.observe = [&](const State& state) {
    if (state.t <= kSeen) out.seen = state;
    out.t.push_back(state.t);
    out.fastest.push_back(state.v.lpNorm<Eigen::Infinity>());
    double lowest = 1e300;
    for (int k = 0; k < ducks; ++k)
      lowest = std::min(
          lowest, motion_of(system, scene.built.model.bodies[static_cast<std::size_t>(k)], state)
                      .centre.y());
    out.lowest.push_back(lowest);
    return true;
  };
  out.run = run_method(context, scene.built, request, title);
  out.passed = deepest(scene.built, out.run.trajectory.end);
  return out;
}

// What the lowest duck would have fallen to without trampolines, g t²/2 below its start, is where
// an engine without contact finds it.
void judge(const Party& party, const std::string& contact, bool full, double bound,
           CaseResult& result) {
  const Trajectory& t = party.run.trajectory;
  const bool complete = party.run.complete && !party.lowest.empty();
  result.figures.push_back(
      {contact + ": runs to its end", "robust, stable",
       t.ok ? fmt::format("{:.3g} s, no speed above {:.1f} m/s", t.end.t, party.peak())
            : fmt::format("failed at {:.3g} s: {}", t.end.t, t.reason),
       verdict_of(complete && party.peak() < bound)});
  result.figures.push_back({contact + ": contacts at once, at most", "large amounts of contacts",
                            fmt::format("{}", t.contacts),
                            verdict_of(t.contacts >= (full ? 100 : 10))});
  if (!complete) return;
  const double fallen = party.lowest.front() - party.lowest.back(),
               free = 0.5 * 9.81 * t.end.t * t.end.t;
  result.figures.push_back({contact + ": how far the lowest duck has fallen, of free fall",
                            "(held up by trampolines)",
                            fmt::format("{:.2f} m of {:.2f} m", fallen, free),
                            verdict_of(fallen > 0 && fallen < 0.85 * free)});
  result.figures.push_back({contact + ": depth of one surface in another at the end",
                            "(none passes through another)", fmt::format("{:.2g} m", party.passed),
                            verdict_of(party.passed < 0.002)});
  const double most = *std::max_element(t.total.begin(), t.total.end()) - t.total.front();
  const double least = *std::min_element(t.external.begin(), t.external.end()) - t.external.front();
  result.figures.push_back(
      {contact + ": most total energy over that at the start, of what falling gives", "(none made)",
       fmt::format("{:.2f} %", 100 * most / -least),
       verdict_of(least < 0 && most < -0.01 * least)});
}

}  // namespace

CaseResult duck_party(const CaseContext& context) {
  const int ducks = context.full ? 30 : 3, trampolines = context.full ? 10 : 1;
  const double duration = context.full ? 5 : 0.6;
  CaseResult result;
  TextTable table({"contact", "simulated (s)", "contacts at once", "Newton/step", "redone",
                   "retries", "ms per step"});
  Plot plot;
  plot.title = "Ducks fall through trampolines";
  plot.x.label = "time (s)";
  plot.y.label = "lowest duck's centre (m)";
  for (const char* contact : {"barrier", "qp"}) {
    if (context.stopped()) break;
    const CaseScene scene = make_party(
        context, ducks, trampolines,
        {std::string("contact.method=") + contact, fmt::format("time.duration={}", duration)});
    const Party party = run_party(context, scene, ducks, std::string(contact) + ", ");
    const Trajectory& t = party.run.trajectory;
    // Free fall from the highest duck to the lowest trampoline bounds what can move how fast; a
    // factor for what whips.
    const double bound = 3 * std::sqrt(2 * 9.81 * (0.45 + 0.15 * ducks + 0.7 * trampolines + 1));
    judge(party, contact, context.full, bound, result);
    table.add({contact, fmt::format("{:.3g}", t.end.t), fmt::format("{}", t.contacts),
               fmt::format("{:.1f}", party.run.newton_per_step()), fmt::format("{}", t.redone),
               fmt::format("{}", t.retries), fmt::format("{:.0f}", t.ms_per_step())});
    Series& series = plot.series.emplace_back();
    series.name = contact;
    series.x = party.t;
    series.y = party.lowest;
    add_picture(context, fmt::format("ducks-{}", contact), scene.built, party.seen, result,
                PictureView::moment);
  }
  result.tables.emplace_back("parties", table);
  result.plots.emplace_back("ducks", plot);
  result.remarks = {
      fmt::format("{} ducks and {} trampoline{}, SDIRK2 at 5 ms; ducks of our own, made "
                  "of a capsule, a ball and a beak; damped as in the paper.",
                  ducks, trampolines, trampolines == 1 ? "" : "s")};
  if (!context.full)
    result.remarks.push_back("Short form: --full has 30 ducks, 10 trampolines and 5 s.");
  return result;
}

}  // namespace pliant
