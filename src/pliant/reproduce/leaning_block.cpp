// BROWN Fig. 9: a stiff slender block leans against a wall; friction μ at wall and floor holds it
// or does not. With both ends about to slip, forces and torques of a rod of thickness r times its
// length balance where tan θ = (1 − μ²)/(2μ + r(1 + μ²)), θ from the floor: it stays where it is
// steeper. The text's inequality is reversed, the figure is right.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/brown_form.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kLength = 1, kBlockThickness = 0.04;  // m, as in the scene
constexpr double kGap = 9e-4;                          // m, to wall and floor at the start
constexpr int kStages = 50;  // iterations of ADMM in a stage; the paper does not say how many

double critical_angle(double mu) {  // degrees
  const double r = kBlockThickness / kLength;
  return std::atan((1 - mu * mu) / (2 * mu + r * (1 + mu * mu))) * 180 / std::numbers::pi;
}

struct Lean {
  double degrees = 0, mu = 0;
  bool admm = false;  // as in the paper
  double moved = 0;   // m, the centre, over the whole time
  double late = 0;    // m, over the last fifth
  double beside = 0;  // s, that Newton's method takes to slide as far; 0: not known
  MethodRun run;
  bool theory() const { return degrees > critical_angle(mu); }
  bool stays() const { return run.complete && moved < 1e-3 * kLength && late < 1e-6 * kLength; }
  // By a tenth of its length; what goes less far and does not rest is neither.
  bool slides() const { return run.complete && moved > 0.1 * kLength; }
  bool in_time() const { return beside == 0 || run.trajectory.end.t < 1.5 * beside; }
  bool agrees() const { return theory() ? stays() : slides() && in_time(); }
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

void lean(const CaseContext& context, Lean& out, CaseResult& result) {
  std::vector<std::string> settings = placed(out.degrees, out.mu);
  if (out.admm)
    for (const std::string& setting : brown_settings(kStages)) settings.push_back(setting);
  const CaseScene scene = load_case_scene(context, "leaning-block", settings);
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
                       fmt::format("{}° from the floor, μ = {}: ", out.degrees, out.mu));
  if (!out.admm && out.theory() != (out.mu < 0.5))
    add_picture(context, fmt::format("lean-{}-{}", out.degrees, out.mu), scene.built,
                out.run.trajectory.end, result);
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
    if (cell.admm) continue;
    Series& series = cell.stays() ? stays : slides;
    series.x.push_back(cell.mu);
    series.y.push_back(cell.degrees);
  }
  plot.series = {line, stays, slides};
  return plot;
}

std::string in_words(const Lean& cell) {
  if (!cell.run.trajectory.ok) return failure(cell.run);
  if (cell.stays())
    return fmt::format("stays: settles by {:.1e} m, then moves {:.0e} m", cell.moved, cell.late);
  std::string said =
      fmt::format("{}: {:.2g} m after {:.2g} s", cell.slides() ? "slides" : "neither", cell.moved,
                  cell.run.trajectory.end.t);
  if (cell.slides() && cell.beside > 0)
    said += fmt::format(", by Newton's method {:.2g} s", cell.beside);
  return said;
}

// The cell that took longest says what a frame costs.
void add_frame_time(const std::vector<Lean>& cells, CaseResult& result) {
  const Lean* longest = nullptr;
  for (const Lean& cell : cells)
    if (cell.admm && (!longest || cell.run.trajectory.steps > longest->run.trajectory.steps))
      longest = &cell;
  if (longest) result.figures.push_back(frame_figure(longest->run, "not given"));
}

}  // namespace

CaseResult leaning_block(const CaseContext& context) {
  CaseResult result;
  std::vector<Lean> cells;
  for (const bool admm : {false, true})
    for (const double degrees : {70.0, 50.0, 30.0})
      for (const double mu : {0.2, 0.4, 0.6}) {
        if (context.stopped()) return result;
        Lean& cell = cells.emplace_back();
        cell.degrees = degrees, cell.mu = mu, cell.admm = admm;
        if (const Lean& newton = cells[(cells.size() - 1) % 9]; admm && newton.slides())
          cell.beside = newton.run.trajectory.end.t;
        lean(context, cell, result);
        result.figures.push_back(
            {fmt::format("{}{}° from the floor, μ = {}", admm ? kBrownForm : "", degrees, mu),
             cell.theory() ? "stays" : "slides", in_words(cell), verdict_of(cell.agrees())});
      }
  add_frame_time(cells, result);
  TextTable table({"μ", "threshold (degrees)", "threshold of a thin rod (degrees)"});
  for (const double mu : {0.2, 0.4, 0.6})
    table.add({fmt::format("{}", mu), fmt::format("{:.1f}", critical_angle(mu)),
               fmt::format("{:.1f}", 90 - 2 * std::atan(mu) * 180 / std::numbers::pi)});
  result.tables.emplace_back("thresholds", table);
  result.plots.emplace_back("leaning", plot_of(cells));
  result.remarks = {
      "The block is 25 times as long as thick, E = 1e9 Pa, stepped by backward Euler at 10 ms from "
      "rest, 0.9 mm off wall and floor, where the barrier has just begun; and by TR-BDF2 with "
      "ADMM.",
      "Stays: its centre moves less than a thousandth of its length in all and less than a "
      "millionth in the last fifth of the time. Slides: it moves by more than a tenth, by "
      "ADMM in no more than one and a half times the time; what does neither is wrong in any cell.",
      "The paper's text has the inequality the other way round; its figure, and statics, have it "
      "like this."};
  return result;
}

}  // namespace pliant
