// TOURNIER Figure 1: bodies jump on a mat of links with a compliance of 1e-10 m/N between springs
// of 5 kN/m. As springs of 1e10 N/m, the stiffness form, the links of the same mat are more than
// one linear solve can bear.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

struct Jump {
  MethodRun run;
  double deepest = 0, highest = 0;  // m, of the ball: under the mat's rest, and after that
  double stretch = 0;               // of a link, at most
  State low;
};

constexpr double kLinkLength = 2.0 / 9;  // m
constexpr int kSide = 10;                // particles along an edge of the mat, 2 m long
constexpr double kLinkStiffness = 1e10;  // N/m

// A list of springs in place of the links, as JSON.
std::string springs() {
  const auto place = [](int i, int j) {
    const auto along = [](int k) { return 2.0 * k / (kSide - 1) - 1; };
    return fmt::format("[\"mat\", [{:.9f}, 0, {:.9f}]]", along(i), along(j));
  };
  std::string list;
  const auto add = [&](const std::string& a, const std::string& b) {
    list += fmt::format("{}{{\"spring\": {{\"between\": [{}, {}], \"stiffness\": {}}}}}",
                        list.empty() ? "" : ", ", a.substr(1, a.size() - 2),
                        b.substr(1, b.size() - 2), kLinkStiffness);
  };
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      if (i + 1 < kSide) add(place(i, j), place(i + 1, j));
      if (j + 1 < kSide) add(place(i, j), place(i, j + 1));
    }
  return "[" + list + "]";
}

std::vector<Index> rows_of_links(const ConstraintSet& constraints) {
  std::vector<Index> rows;
  for (Index row = 0; row < constraints.rows(); ++row)
    if (constraints.row_name(row).starts_with("links")) rows.push_back(row);
  return rows;
}

Jump jump(const CaseContext& context, const CaseScene& scene, double duration,
          const std::string& title) {
  Jump out;
  const Body& ball = scene.built.model.bodies[2];
  const MappedPoint centre = ball.find(ball.rigid->centre).point;
  TrajectoryRequest request = request_of(scene.description);
  request.duration = duration;
  const ConstraintSet& constraints = scene.built.model.system->constraints();
  const std::vector<Index> links = rows_of_links(constraints);
  Vector phi;
  request.observe = [&](const State& state) {
    constraints.value(state.t, view(state.q), phi);
    for (const Index row : links)
      out.stretch = std::max(out.stretch, std::abs(phi[row]) / kLinkLength);
    const double height = centre.at(view(state.q)).y();
    if (height < out.deepest) {
      out.deepest = height, out.highest = height;
      out.low = state;
    }
    out.highest = std::max(out.highest, height);
    return true;
  };
  out.run = run_method(context, scene.built, request, title);
  return out;
}

// J: the most by which motion and height had more than there was at the start. Nothing gives them
// any. What links store is left out: their force by one linear solve is the multiplier, and what
// they are stretched by beside it, some hundredths, would be worth 1e7 J.
double gained_by_motion(const Trajectory& run) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    const double now = run.kinetic[k] + run.external[k];
    if (!std::isfinite(now)) return std::numeric_limits<double>::infinity();
    most = std::max(most, now);
  }
  return most - run.total.front();
}

void add_figures(const Jump& jump, const std::string& form, double scale, CaseResult& result) {
  const Trajectory& run = jump.run.trajectory;
  const auto words = [&](const std::string& said) {
    return run.ok ? said : "failed: " + run.reason;
  };
  result.figures.push_back({form + "links with a compliance of 1e-10 m/N", "stable",
                            words(fmt::format("bodies have at most {:.2g} J more than at the start",
                                              std::max(gained_by_motion(run), 0.0))),
                            verdict_of(run.ok && gained_by_motion(run) < 1e-3 * scale)});
  result.figures.push_back({form + "links of the mat", "nearly inextensible",
                            words(fmt::format("stretched by at most {:.2g} %", 100 * jump.stretch)),
                            verdict_of(run.ok && jump.stretch < 0.1)});
  result.figures.push_back(
      {form + "a ball sinks in and jumps again", "bodies jump",
       fmt::format("{:.2f} m deep, then up to {:.2f} m", -jump.deepest, jump.highest),
       verdict_of(run.ok && jump.deepest < -0.02 && jump.highest > jump.deepest + 0.2)});
  result.figures.push_back({form + "steps per second", "more than 35",
                            fmt::format("{:.0f}", static_cast<double>(run.steps) / run.wall),
                            Verdict::shown});
}

// It diverges where a step fails or bodies gain what they lose in a fall by a metre.
void add_stiffness_form(const Jump& jump, double scale, CaseResult& result) {
  const Trajectory& run = jump.run.trajectory;
  const bool diverges = !run.ok || !(gained_by_motion(run) < scale);
  const std::string said =
      run.ok ? fmt::format("{}: bodies have at most {:.2g} J more than at the start",
                           diverges ? "diverges" : "does not diverge",
                           std::max(gained_by_motion(run), 0.0))
             : fmt::format("diverges at {:.2f} s: {}", run.end.t, run.reason);
  result.figures.push_back({"one linear solve a step: links as springs of 1e10 N/m", "diverges",
                            said, verdict_of(diverges)});
}

}  // namespace

CaseResult trampoline(const CaseContext& context) {
  CaseResult result;
  const double duration = context.full ? 6 : 1.5;
  const CaseScene scene = load_case_scene(context, "trampoline", {});
  const Jump ours = jump(context, scene, duration, "trampoline, ");
  const CaseScene linear = load_case_scene(context, "trampoline", {"solver.type=linear"});
  const Jump paper = jump(context, linear, duration, "trampoline, one linear solve, ");
  const CaseScene stiff = load_case_scene(
      context, "trampoline",
      {"solver.type=linear", "constraints.0.compliance=1e6", "forces=" + springs()});
  const Jump as_springs = jump(context, stiff, duration, "trampoline of springs, ");
  if (context.stopped()) return result;
  const double scale = scene.mass() * 9.81;  // J: what all loses in a metre
  add_figures(ours, "", scale, result);
  add_figures(paper, "one linear solve a step: ", scale, result);
  add_stiffness_form(as_springs, scale, result);
  add_picture(context, "deepest", scene.built, ours.low, result);
  result.remarks = {
      "scenes/trampoline.json: 10×10 particles, links along both threads, 36 springs; a capsule "
      "and a ball fall from about a metre. Backward Euler at steps of 10 ms, contact by unilateral "
      "constraints, as there: with Newton's method to convergence, and as in the paper with one "
      "linear solve. In the stiffness form each link is a spring between its ends. Bodies: all "
      "motion and height; what links store is not in it."};
  return result;
}

}  // namespace pliant
