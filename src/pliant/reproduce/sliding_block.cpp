// BROWN Fig. 4: a block slides over a plane and is slowed by friction at the rate μ g. Each stage
// is solved by Newton's method, with friction that is smoothed, or as in the paper by ADMM, with
// more and more iterations.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/reproduce/brown_form.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kMu = 0.2, kG = 9.81, kSpeed = 2;  // –, m/s², m/s
constexpr double kStop = kSpeed / (kMu * kG);       // s

struct Slide {
  std::string method;
  double dt = 0, young = 0;  // s, Pa
  int iterations = 0;        // of ADMM in a stage; 0: Newton's method

  std::string solver() const {
    return iterations > 0 ? fmt::format("admm, {} iterations", iterations) : "newton";
  }
  std::vector<std::string> settings() const {
    std::vector<std::string> out = {fmt::format("contact.friction={}", kMu),
                                    fmt::format("materials.wood.young={}", young)};
    if (iterations > 0)
      out.insert(out.end(), {"contact.method=admm", "contact.self=false", "solver.type=admm",
                             "integrator=be", fmt::format("solver.iterations={}", iterations)});
    return out;
  }
};

struct SlideOutcome {
  Slide what;
  MethodRun run;
  std::vector<double> t, v;      // s, m/s
  double deceleration = 0;       // m/s², over the first nine tenths of the slide
  double distance = 0, end = 0;  // m; m/s at the end
};

SlideOutcome slide(const CaseContext& context, const Slide& what, CaseResult& result) {
  SlideOutcome out;
  out.what = what;
  CaseScene scene = load_case_scene(context, "sliding-block", what.settings());
  const Body& block = scene.built.model.bodies[0];
  const System& system = *scene.built.model.system;
  scene.built.start.v.setZero();
  if (!settle(context, scene, 0.02, 1)) return out;
  push(block, Vec3(kSpeed, 0, 0), scene.built.start);
  const double from = motion_of(system, block, scene.built.start).centre.x();
  TrajectoryRequest request = request_of(scene.description);
  request.integrator = what.method;
  request.dt = what.dt;
  request.duration = 1.25 * kStop;
  out.t = {0}, out.v = {kSpeed};
  request.observe = [&](const State& state) {
    const BodyMotion motion = motion_of(system, block, state);
    out.t.push_back(state.t);
    out.v.push_back(motion.velocity.x());
    out.distance = motion.centre.x() - from;
    return true;
  };
  out.run = run_method(context, scene.built, request,
                       fmt::format("{}, E = {:g} Pa, ", what.solver(), what.young));
  std::vector<double> t, v;
  for (std::size_t k = 0; k < out.t.size() && out.t[k] < 0.9 * kStop; ++k)
    t.push_back(out.t[k]), v.push_back(out.v[k]);
  if (t.size() > 2) out.deceleration = -fit_line(t, v).slope;
  out.end = out.v.back();
  if (result.pictures.empty())
    add_picture(context, "sliding-block", scene.built, out.run.trajectory.end, result);
  return out;
}

Figure figure_of(const SlideOutcome& o) {
  const double ratio = o.deceleration / (kMu * kG);
  return {fmt::format("deceleration with {} at {}, E = {:g} Pa, {}, over μ g", o.what.method,
                      in_milliseconds(o.what.dt), o.what.young, o.what.solver()),
          "1, \"closely matches\"",
          o.run.complete ? fmt::format("{:.4f}", ratio) : "failed: " + o.run.trajectory.reason,
          verdict_of(o.run.complete && std::abs(ratio - 1) < 0.02)};
}

std::vector<Slide> slides(bool full) {
  std::vector<Slide> out;
  for (const char* method : {"be", "bdf2", "sdirk2", "trbdf2"}) out.push_back({method, 0.005, 1e8});
  out.push_back({"trbdf2", 0.04, 1e8});  // the paper's step
  if (full)
    for (const char* method : {"be", "bdf2", "sdirk2", "trbdf2", "esdirk43"})
      out.push_back({method, 0.001, 1e8});
  for (const char* method : {"be", "trbdf2"}) out.push_back({method, 0.005, 1e6});
  for (const int iterations : {10, 20, 50, 100})
    for (const char* method : {"be", "sdirk2"}) out.push_back({method, 0.005, 1e6, iterations});
  for (const int iterations : {10, 20, 50, 100})  // as in the paper
    out.push_back({"trbdf2", kBrownStep, 1e6, iterations});
  return out;
}

}  // namespace

CaseResult sliding_block(const CaseContext& context) {
  CaseResult result;
  TextTable table({"method", "solver", "h", "E (Pa)", "deceleration (m/s²)", "way (m)",
                   "speed at the end (m/s)", "Newton/step"});
  Plot plot;
  plot.title = "A block slides to a stop, μ = 0.2";
  plot.x.label = "time (s)";
  plot.y.label = "speed (m/s)";
  Series& theory = plot.series.emplace_back();
  theory.x = {0, kStop, 1.25 * kStop};
  theory.y = {kSpeed, 0, 0};
  theory.guide = true;
  for (const Slide& what : slides(context.full)) {
    if (context.stopped()) break;
    const SlideOutcome o = slide(context, what, result);
    result.figures.push_back(figure_of(o));
    table.add({what.method, what.solver(), in_milliseconds(what.dt),
               fmt::format("{:g}", what.young), fmt::format("{:.4f}", o.deceleration),
               fmt::format("{:.4f}", o.distance), fmt::format("{:.1e}", o.end),
               fmt::format("{:.1f}", o.run.newton_per_step())});
    Series& series = plot.series.emplace_back();
    series.name = fmt::format("{}, {}, {:g} Pa, {}", what.method, in_milliseconds(what.dt),
                              what.young, what.solver());
    series.x = o.t;
    series.y = o.v;
  }
  result.tables.emplace_back("slides", table);
  result.plots.emplace_back("speed", plot);
  result.remarks = {
      fmt::format("μ g = {:.4f} m/s²; from {} m/s it should stop after {:.4f} s and {:.4f} m. The "
                  "deceleration is the slope of the centre's speed over the first nine tenths.",
                  kMu * kG, kSpeed, kStop, kSpeed * kSpeed / (2 * kMu * kG)),
      "ADMM is given the softer block. With 10 and 20 iterations in a stage it is held too early: "
      "normal forces that have not converged are too large now and then, and friction goes by "
      "them.",
      "The block settles on the floor before it is pushed. Undamped soft blocks may begin to "
      "chatter with methods that damp little, and then slide more easily."};
  return result;
}

}  // namespace pliant
