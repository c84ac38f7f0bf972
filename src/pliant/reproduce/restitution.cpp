// BROWN §8: "we have observed that TR-BDF2 causes collisions to bounce, even when undesired like in
// a cloth-solid collision", while backward Euler stops what hits. A stiff block and a sheet of
// cloth fall flat on the floor, without a control and with one. What falls by H and parts with e
// times the speed that it came with rises by e² H: no more, and no less.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

#include <array>

namespace pliant {
namespace {

struct Drop {
  std::string title, method;
  double restitution = 1, dt = 0.002;
  bool guard = true;
  std::string contact = "barrier";
  MethodRun run = {};
  std::vector<double> t = {};
  std::array<std::vector<double>, 2> height = {};  // m, of the centres of block and cloth
  std::array<double, 2> bounce = {0, 0};           // m, from the lowest place up
  std::array<double, 2> fall = {0, 0};             // m
};

void find_bounces(Drop& drop) {
  for (std::size_t b = 0; b < 2; ++b) {
    const std::vector<double>& y = drop.height[b];
    double low = 1e300;
    for (const double now : y) {
      low = std::min(low, now);
      drop.bounce[b] = std::max(drop.bounce[b], now - low);
      drop.fall[b] = std::max(drop.fall[b], y.front() - now);
    }
  }
}

void let_fall(const CaseContext& context, Drop& drop, CaseResult& result) {
  const CaseScene scene =
      load_case_scene(context, "dropped",
                      {fmt::format("contact.restitution={}", drop.restitution),
                       fmt::format("contact.energy_guard={}", drop.guard ? "true" : "false"),
                       "contact.method=" + drop.contact, fmt::format("time.dt={}", drop.dt),
                       fmt::format("integrator={}", drop.method)});
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  State high = scene.built.start;
  request.observe = [&](const State& state) {
    drop.t.push_back(state.t);
    for (std::size_t b = 0; b < 2; ++b)
      drop.height[b].push_back(motion_of(system, scene.built.model.bodies[b], state).centre.y());
    if (state.t < 0.36) high = state;  // about the top of a bounce
    return true;
  };
  drop.run = run_method(context, scene.built, request, drop.title + ", ");
  find_bounces(drop);
  if (drop.method == "trbdf2" && drop.guard && drop.contact == "barrier")
    add_picture(context, fmt::format("restitution-{}", drop.restitution), scene.built, high, result,
                PictureView::moment);
}

std::string in_centimetres(const Drop& drop) {
  return drop.run.complete ? fmt::format("block {:.2f} cm, cloth {:.2f} cm", 100 * drop.bounce[0],
                                         100 * drop.bounce[1])
                           : "failed: " + drop.run.trajectory.reason;
}

bool stays(const Drop& drop, double part) {  // of the fall
  return drop.run.complete && drop.bounce[0] < part * drop.fall[0] &&
         drop.bounce[1] < part * drop.fall[1];
}

// To within a fifth: what a step of 2 ms falls by at 2 m/s is a fiftieth of the fall.
bool rises(const Drop& drop, double part) {
  const auto near = [&](std::size_t b) {
    return std::abs(drop.bounce[b] - part * drop.fall[b]) <= 0.2 * part * drop.fall[b];
  };
  return drop.run.complete && near(0) && near(1);
}

Plot plot_of(const std::vector<Drop>& drops) {
  Plot plot;
  plot.title = "A block falls on the floor";
  plot.subtitle = "TR-BDF2 bounces where it should not";
  plot.x.label = "time (s)";
  plot.y.label = "height of its centre (m)";
  for (const Drop& drop : drops) {
    Series& series = plot.series.emplace_back();
    series.name = drop.title;
    series.x = drop.t;
    series.y = drop.height[0];
  }
  return plot;
}

}  // namespace

CaseResult restitution(const CaseContext& context) {
  CaseResult result;
  std::vector<Drop> drops = {
      {.title = "be", .method = "be"},
      {.title = "trbdf2", .method = "trbdf2"},
      {.title = "trbdf2 at 10 ms without guard", .method = "trbdf2", .dt = 0.01, .guard = false},
      {.title = "trbdf2, restitution 0.5", .method = "trbdf2", .restitution = 0.5},
      {.title = "trbdf2, restitution 0", .method = "trbdf2", .restitution = 0},
      {.title = "trbdf2, unilateral, restitution 0.5",
       .method = "trbdf2",
       .restitution = 0.5,
       .contact = "unilateral"}};
  for (Drop& drop : drops) {
    if (context.stopped()) return result;
    let_fall(context, drop, result);
  }
  const Drop &be = drops[0], &free = drops[1], &bare = drops[2], &half = drops[3], &none = drops[4];
  const std::string quarter = fmt::format("a quarter of the fall: block {:.1f} cm, cloth {:.1f} cm",
                                          25 * free.fall[0], 25 * free.fall[1]);
  result.figures = {
      {"bounce with BE", "purely inelastic", in_centimetres(be), verdict_of(stays(be, 0.05))},
      {"bounce with TR-BDF2", "bounces, even when undesired", in_centimetres(free),
       verdict_of(free.run.complete && !stays(free, 0.25))},
      {"the same at 10 ms, without the energy guard", "bounces", in_centimetres(bare),
       verdict_of(bare.run.complete && !stays(bare, 0.25))},
      {"with a restitution of 0.5, barrier", quarter, in_centimetres(half),
       verdict_of(rises(half, 0.25))},
      {"with a restitution of 0.5, unilateral", quarter, in_centimetres(drops[5]),
       verdict_of(rises(drops[5], 0.25))},
      {"with a restitution of 0", "a control removes it", in_centimetres(none),
       verdict_of(stays(none, 0.01))}};
  result.plots.emplace_back("height", plot_of(drops));
  result.remarks = {fmt::format(
      "Falls of {:.0f} cm (block) and {:.0f} cm (cloth) at 2 ms. Restitution of a barrier is "
      "friction along the normal, and steps in which contacts come apart are made with be: {} of "
      "{} with a restitution of 0. It limits a bounce and does not make one: with 0.5 hardly "
      "anything is left of it at this step, as be takes what friction leaves.",
      100 * free.fall[0], 100 * free.fall[1], none.run.trajectory.redone, none.t.size())};
  return result;
}

}  // namespace pliant
