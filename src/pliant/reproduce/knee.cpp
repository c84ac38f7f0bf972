// TOURNIER Figure 8: two bones on four ligaments that are soft up to a strain of 5 % and stiff
// beyond it. The Lachman test pulls the tibia forward, with all of them and with the anterior
// cruciate cut.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// The tibia is at rest where it goes less than that in a tenth of a second, and a ligament holds it
// where it is within that of its limit.
constexpr double kRest = 1e-4, kTaut = 5e-4;  // m

struct Pull {
  MethodRun run;
  double forward = 0;  // m, of the tibia at the end
  double late = 0;     // m, of it in the last tenth of the time
  double slack = 0;    // m, what the anterior cruciate has left to its limit at the end
  double over = 0;     // m, the most by which a ligament is beyond its limit
  bool held() const { return run.complete && std::abs(late) < kRest && std::abs(slack) < kTaut; }
};

Index row_of(const ConstraintSet& constraints, std::string_view name) {
  for (Index row = 0; row < constraints.rows(); ++row)
    if (constraints.row_name(row) == name) return row;
  return -1;
}

Pull pull(const CaseContext& context, CaseScene& scene, const std::string& title) {
  Pull out;
  const Body& tibia = scene.built.model.bodies[1];
  const MappedPoint centre = tibia.find({0, -0.013, 0}).point;
  const System& system = *scene.built.model.system;
  TrajectoryRequest request = request_of(scene.description);
  const Index anterior = row_of(system.constraints(), "acl");
  double before = 0;
  request.observe = [&](const State& state) {
    out.forward = centre.at(view(state.q)).x();
    if (state.t <= 0.9 * request.duration) before = out.forward;
    out.late = out.forward - before;
    Vector phi;
    system.constraints().value(state.t, view(state.q), phi);
    out.slack = phi[anterior];
    for (Index row = 0; row < phi.size(); ++row)
      if (std::isfinite(system.constraints().low()[row])) out.over = std::max(out.over, -phi[row]);
    return true;
  };
  out.run = run_method(context, scene.built, request, title);
  return out;
}

// Flexion: a tendon behind the knee, over the back of the femur to the tibia, gets shorter.
constexpr const char* kHamstrings =
    R"(forces.2={"tendon": {"path": [["femur", [-0.02, 0.15, 0]], ["femur", [-0.04, 0.02, 0]],)"
    R"( ["tibia", [-0.03, -0.05, 0]]], "stiffness": 3e4,)"
    R"( "rest_curve": [[0, 0.2013], [0.8, 0.171]], "damping": 50}})";

// rad, by which the tibia is turned at the end.
double flexion(const CaseScene& scene, const State& state) {
  const Body& tibia = scene.built.model.bodies[1];
  const auto place = [&](double y) { return tibia.find({0, y, 0}).point.at(view(state.q)); };
  const Vec3 axis = place(-0.013) - place(-0.2);
  return std::atan2(axis.x(), axis.y());
}

}  // namespace

CaseResult knee(const CaseContext& context) {
  CaseResult result;
  CaseScene whole = load_case_scene(context, "knee", {});
  const Pull healthy = pull(context, whole, "all ligaments");
  // The first two constraints are the soft and the stiff part of the anterior cruciate.
  CaseScene cut = load_case_scene(
      context, "knee",
      {"constraints.0.compliance=1e6", "constraints.0.damping=0", "constraints.1.limits.1=1"});
  const Pull hurt = pull(context, cut, "anterior cruciate cut");
  // Nobody holds the ankle now.
  CaseScene bent = load_case_scene(context, "knee", {kHamstrings, "constraints.6.compliance=1e6"});
  const Pull pulled = pull(context, bent, "hamstrings");
  if (context.stopped()) return result;
  const double angle = flexion(bent, pulled.run.trajectory.end) * 180 / std::numbers::pi;
  const Trajectory& run = healthy.run.trajectory;
  const auto in_mm = [](double x) { return fmt::format("{:.1f} mm forward", 1e3 * x); };
  const std::string stops = fmt::format(
      "{}, {:.2f} mm of it in the last tenth of a second; the anterior cruciate is "
      "{:.2f} mm short of 5 %",
      in_mm(healthy.forward), 1e3 * healthy.late, 1e3 * healthy.slack);
  result.figures = {
      {"all ligaments", "normal translation: held by the anterior cruciate",
       run.ok ? stops : "failed: " + run.reason, verdict_of(healthy.held())},
      {"anterior cruciate cut", "excessive translation", in_mm(hurt.forward),
       verdict_of(hurt.run.trajectory.ok && hurt.forward > 1.5 * healthy.forward)},
      {"hamstrings 3 cm shorter", "flex the knee", fmt::format("by {:.0f} degrees", angle),
       verdict_of(pulled.run.trajectory.ok && angle > 10)},
      {"ligaments beyond 5 % strain", "stiff",
       fmt::format("by {:.2g} mm at most", 1e3 * healthy.over), verdict_of(healthy.over < 1e-3)},
      {"steps per second", "11", fmt::format("{:.0f}", static_cast<double>(run.steps) / run.wall),
       Verdict::shown}};
  add_picture(context, "pulled", whole.built, run.end, result);
  add_picture(context, "flexed", bent.built, pulled.run.trajectory.end, result);
  add_picture(context, "cut", cut.built, hurt.run.trajectory.end, result);
  result.remarks = {
      "scenes/knee.json: bones of simple shapes in barrier contact, each ligament a soft spring "
      "and "
      "a limit of its length with a compliance of 1e-6 m/N. The soft parts of the two collateral "
      "ligaments are curved, through points that both bones carry by shares, as all of the paper's "
      "are; the others run straight from bone to bone. The hamstrings are a tendon over the back "
      "of "
      "the femur."};
  return result;
}

}  // namespace pliant
