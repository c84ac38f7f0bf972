// BROWN Fig. 9: a stiff slender block leans against a wall; friction μ at wall and floor holds it
// or does not. With both ends about to slip, forces and torques of a rod of thickness r times its
// length balance where tan θ = (1 − μ²)/(2μ + r(1 + μ²)), θ from the floor: it stays where it is
// steeper. The text's inequality is reversed, the figure is right.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kLength = 1, kBlockThickness = 0.04;  // m, as in the scene
constexpr double kGap = 9e-4;                          // m, to wall and floor at the start

double critical_angle(double mu) {  // degrees
  const double r = kBlockThickness / kLength;
  return std::atan((1 - mu * mu) / (2 * mu + r * (1 + mu * mu))) * 180 / std::numbers::pi;
}

struct Lean {
  double degrees = 0, mu = 0;
  double moved = 0;  // m, the centre, over the whole time
  double late = 0;   // m, over the last fifth
  MethodRun run;
  bool theory() const { return degrees > critical_angle(mu); }
  bool stays() const { return run.complete && moved < 1e-3 * kLength && late < 1e-6 * kLength; }
  bool agrees() const { return run.complete && stays() == theory(); }
};

// The centre of a block that stands on the floor with one edge and touches the wall with the edge
// across, both `kGap` away.
std::vector<std::string> placed(double degrees, double mu) {
  const double angle = degrees * std::numbers::pi / 180;
  const double x = 0.5 * (kLength * std::cos(angle) + kBlockThickness * std::sin(angle)) + kGap;
  const double y = 0.5 * (kLength * std::sin(angle) + kBlockThickness * std::cos(angle)) + kGap;
  return {fmt::format("bodies.0.transform.rotate=[0,0,{}]", -degrees),
          fmt::format("bodies.0.transform.translate=[{:.9f},{:.9f},0]", x, y),
          fmt::format("contact.friction={}", mu)};
}

Lean lean(const CaseContext& context, double degrees, double mu, CaseResult& result) {
  Lean out;
  out.degrees = degrees, out.mu = mu;
  const CaseScene scene = load_case_scene(context, "leaning-block", placed(degrees, mu));
  const Body& block = scene.built.model.bodies[0];
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  request.duration = context.full ? 20 : 2;
  const Vec3 start = motion_of(system, block, scene.built.start).centre;
  Vec3 before = start;
  request.observe = [&](const State& state) {
    const Vec3 centre = motion_of(system, block, state).centre;
    if (state.t <= 0.8 * request.duration) before = centre;
    out.moved = (centre - start).norm();
    out.late = (centre - before).norm();
    return out.moved < 0.1 * kLength;  // it slides: that will do
  };
  out.run = run_method(context, scene.built, request,
                       fmt::format("{}° from the floor, μ = {}: ", degrees, mu));
  if (out.theory() != (mu < 0.5))
    add_picture(context, fmt::format("lean-{}-{}", degrees, mu), scene.built,
                out.run.trajectory.end, result);
  return out;
}

Plot plot_of(const std::vector<Lean>& cells) {
  Plot plot;
  plot.title = "Where a leaning block stays";
  plot.subtitle = "The line is tan θ = (1 − μ²)/(2μ + r(1 + μ²)); above it, it should stay";
  plot.x = {"friction μ at wall and floor", Scale::linear, 0.1, 0.7};
  plot.y = {"angle from the floor (degrees)", Scale::linear, 10, 90};
  Series line, stays, slides;
  line.name = "theory", stays.name = "stays", slides.name = "slides";
  stays.line = slides.line = false, stays.markers = slides.markers = true;
  for (double mu = 0.1; mu <= 0.7; mu += 0.01) {
    line.x.push_back(mu);
    line.y.push_back(critical_angle(mu));
  }
  for (const Lean& cell : cells) {
    Series& series = cell.stays() ? stays : slides;
    series.x.push_back(cell.mu);
    series.y.push_back(cell.degrees);
  }
  plot.series = {line, stays, slides};
  return plot;
}

std::string in_words(const Lean& cell) {
  if (!cell.run.trajectory.ok) return "failed: " + cell.run.trajectory.reason;
  if (cell.stays())
    return fmt::format("stays: settles by {:.1e} m, then moves {:.0e} m", cell.moved, cell.late);
  return fmt::format("slides: {:.2g} m after {:.2g} s", cell.moved, cell.run.trajectory.end.t);
}

}  // namespace

CaseResult leaning_block(const CaseContext& context) {
  CaseResult result;
  std::vector<Lean> cells;
  for (const double degrees : {70.0, 50.0, 30.0})
    for (const double mu : {0.2, 0.4, 0.6}) {
      if (context.stopped()) break;
      cells.push_back(lean(context, degrees, mu, result));
      const Lean& cell = cells.back();
      result.figures.push_back({fmt::format("{}° from the floor, μ = {}", degrees, mu),
                                cell.theory() ? "stays" : "slides", in_words(cell),
                                verdict_of(cell.agrees())});
    }
  TextTable table({"μ", "threshold (degrees)", "threshold of a thin rod (degrees)"});
  for (const double mu : {0.2, 0.4, 0.6})
    table.add({fmt::format("{}", mu), fmt::format("{:.1f}", critical_angle(mu)),
               fmt::format("{:.1f}", 90 - 2 * std::atan(mu) * 180 / std::numbers::pi)});
  result.tables.emplace_back("thresholds", table);
  result.plots.emplace_back("leaning", plot_of(cells));
  result.remarks = {
      "The block is 25 times as long as thick, E = 1e9 Pa, stepped by backward Euler at 10 ms from "
      "rest, 0.9 mm off wall and floor, where the barrier has just begun.",
      "Stays: its centre moves less than a thousandth of its length in all and less than a "
      "millionth "
      "in the last fifth of the time.",
      "The paper's text has the inequality the other way round; its figure, and statics, have it "
      "like this."};
  return result;
}

}  // namespace pliant
