// ASCHER Fig. 7: a vertex close to a convex obstacle takes a large step. A constraint on
// velocities, n·v ≥ 0, and the non-penetration constraint linearised at the start, g + h n·v ≥ 0,
// keep it on the far side of a tangent plane for the whole step; where the surface bends away they
// refuse steps whose end, and whole way, are free. The constraint on positions, d(q₁) ≥ 0, does
// not.
#include <pliant/contact/ccd.hpp>
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

#include <numbers>

namespace pliant {
namespace {

// A vertex over the top of a ball of radius one around the origin.
struct VertexStep {
  Vec3 from = Vec3::Zero(), way = Vec3::Zero();
  double gap() const { return from.norm() - 1; }
  bool velocity_accepts() const { return from.normalized().dot(way) >= 0; }
  bool linear_accepts() const { return gap() + from.normalized().dot(way) >= 0; }
  bool position_accepts() const { return (from + way).norm() >= 1; }
  // The whole way is free, by the detection that contact uses: points with the ball's radius.
  bool plausible() const {
    PairPoints x = PairPoints::Zero(), dx = PairPoints::Zero();
    x.col(0) = from, dx.col(0) = way;
    return !find_impact(PairKind::point_point, x, dx, {.thickness = 1, .kept = 1e-3}).hit;
  }
};

VertexStep vertex_step(double gap, double length, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return {Vec3(0, 1 + gap, 0), length * Vec3(std::cos(angle), -std::sin(angle), 0)};
}

struct Rejections {
  int plausible = 0, velocity = 0, linear = 0, position = 0;  // of the plausible ones
  void add(const Rejections& other) {
    plausible += other.plausible, velocity += other.velocity;
    linear += other.linear, position += other.position;
  }
};

// Over all directions from one degree above the tangent to steeply down.
Rejections reject(double gap, double length) {
  Rejections out;
  for (double degrees = -1; degrees <= 60; degrees += 0.25) {
    const VertexStep step = vertex_step(gap, length, degrees);
    if (!step.plausible()) continue;
    ++out.plausible;
    out.velocity += !step.velocity_accepts();
    out.linear += !step.linear_accepts();
    out.position += !step.position_accepts();
  }
  return out;
}

Plot plot_of(double gap, double length) {
  Plot plot;
  plot.title = "Ends of a vertex's steps that are free all the way";
  plot.subtitle =
      fmt::format("gap {} and steps of {} radii; the grey line is the tangent plane", gap, length);
  plot.x = {"x (radii)", Scale::linear, -1.2, 1.6};
  plot.y = {"y (radii)", Scale::linear, -0.2, 1.55};
  Series ball, tangent, both, lost;
  ball.name = "obstacle", both.name = "accepted by all", lost.name = "rejected on velocities";
  both.line = lost.line = false, both.markers = lost.markers = true;
  tangent.guide = true, tangent.x = {-1.2, 1.6}, tangent.y = {1, 1};
  for (int k = 0; k <= 180; ++k) {
    ball.x.push_back(std::cos(std::numbers::pi * k / 180));
    ball.y.push_back(std::sin(std::numbers::pi * k / 180));
  }
  for (double degrees = -20; degrees <= 60; degrees += 2) {
    const VertexStep step = vertex_step(gap, length, degrees);
    if (!step.plausible()) continue;
    Series& series = step.velocity_accepts() ? both : lost;
    series.x.push_back(step.from.x() + step.way.x());
    series.y.push_back(step.from.y() + step.way.y());
  }
  plot.series = {ball, tangent, both, lost};
  plot.notes = {{0.02, 1.02 + gap, "vertex"}};
  return plot;
}

// One step of a ball past the dome, by the engine: how far from free flight it ends, and how far a
// constraint on velocities would have thrown it off.
void add_engine_step(const CaseContext& context, CaseResult& result) {
  const CaseScene scene = load_case_scene(context, "passing-ball", {});
  const Body& ball = scene.built.model.bodies[0];
  const System& system = *scene.built.model.system;
  const BodyMotion start = motion_of(system, ball, scene.built.start);
  TrajectoryRequest request = request_of(scene.description);
  request.duration = request.dt;
  const MethodRun run = run_method(context, scene.built, request, "past the dome, ");
  if (!run.complete) {
    result.figures.push_back({"a ball flies past a dome by the engine's contact", "accepted",
                              "failed: " + run.trajectory.reason, Verdict::fails});
    return;
  }
  const BodyMotion end = motion_of(system, ball, run.trajectory.end);
  const double off = (end.centre - start.centre - request.dt * start.velocity).norm();
  const double kept = std::max(0.0, -request.dt * start.centre.normalized().dot(start.velocity));
  result.figures.push_back(
      {"a ball flies past a dome in one step of 0.2 s by the engine's contact: off free flight by",
       "accepted as it is", fmt::format("{:.1e} m", off), verdict_of(off < 1e-6)});
  result.figures.push_back({"the same where n·v ≥ 0 is demanded", "rejected",
                            fmt::format("{:.3f} m", kept), verdict_of(kept > 0.1)});
  add_picture(context, "passing-ball", scene.built, run.trajectory.end, result);
}

}  // namespace

CaseResult velocity_contact(const CaseContext& context) {
  CaseResult result;
  TextTable table({"gap (radii)", "h |v| (radii)", "free steps", "rejected: n·v ≥ 0",
                   "g + h n·v ≥ 0", "d(q₁) ≥ 0"});
  Rejections small, large;
  for (const double gap : {0.001, 0.01, 0.1})
    for (const double length : {0.001, 0.01, 0.1, 0.5, 1.0, 2.0}) {
      const Rejections r = reject(gap, length);
      (length < 0.05 ? small : large).add(r);
      table.add({fmt::format("{}", gap), fmt::format("{}", length), fmt::format("{}", r.plausible),
                 fmt::format("{}", r.velocity), fmt::format("{}", r.linear),
                 fmt::format("{}", r.position)});
    }
  const auto of = [](int n, const Rejections& r) {
    return fmt::format("{} of {}", n, r.plausible);
  };
  result.figures = {
      {"free steps of 0.1 radii and more rejected by n·v ≥ 0", "plausible steps rejected",
       of(large.velocity, large), verdict_of(large.velocity > 0)},
      {"the same by g + h n·v ≥ 0, linearised at the start", "plausible steps rejected",
       of(large.linear, large), verdict_of(large.linear > 0)},
      {"the same by d(q₁) ≥ 0", "none", of(large.position, large), verdict_of(large.position == 0)},
      {"steps of 0.01 radii and less rejected by g + h n·v ≥ 0", "an artifact of large steps",
       of(small.linear, small), verdict_of(small.linear * 20 < small.plausible)},
  };
  result.tables.emplace_back("rejections", table);
  result.plots.emplace_back("steps", plot_of(0.1, 1));
  if (!context.stopped()) add_engine_step(context, result);
  result.remarks = {
      "The obstacle is a ball of radius one, the vertex above its top; directions from 1° above "
      "the "
      "tangent to 60° below, every quarter of a degree. A step is free where continuous collision "
      "detection finds nothing in its way.",
      "The engine's contact is on positions; what n·v ≥ 0 would have done is computed, since no "
      "method of the engine demands it."};
  return result;
}

}  // namespace pliant
