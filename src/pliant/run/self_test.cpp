#include <pliant/run/self_test.hpp>

#include <pliant/analysis/plot.hpp>
#include <pliant/io/result_folder.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/sdf.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/tetrahedralize.hpp>
#include <pliant/render/annotate.hpp>
#include <pliant/render/ray_scene.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/simulation.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/stage/static_equilibrium.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

namespace pliant {
namespace {

// A beam of 1 m × 0.1 m × 0.1 m, clamped at one end, of Hooke's law.
constexpr double kYoung = 1e7, kPoisson = 0.3, kDensity = 1000, kGravity = 9.81;
constexpr double kLength = 1, kSide = 0.1;

SceneDescription beam(const char* integrator) {
  const Json scene = {
      {"time", {{"dt", 0.005}, {"duration", 0.25}}},
      {"integrator", integrator},
      {"gravity", {0, -kGravity, 0}},
      {"materials",
       {{"m",
         {{"model", "linear"}, {"young", kYoung}, {"poisson", kPoisson}, {"density", kDensity}}}}},
      {"bodies",
       {{{"name", "beam"},
         {"material", "m"},
         {"mesh",
          {{"box",
            {{"size", {kLength, kSide, kSide}}, {"cells", {30, 2, 2}}, {"element", "tet10"}}}}},
         {"pin", {{{"plane", {{"point", {-0.4999 * kLength, 0, 0}}, {"normal", {-1, 0, 0}}}}}}}}}},
      {"probes", {{{"name", "tip"}, {"body", "beam"}, {"point", {kLength / 2, 0, 0}}}}}};
  return describe(resolve(scene, built_vocabulary(), "self-test"), ".", "self-test");
}

// Timoshenko's sag under the beam's own weight, ρ A g L⁴/(8 E I) + ρ A g L²/(2 κ G A), with
// Cowper's κ (1966).
double expected_sag() {
  const double area = kSide * kSide, inertia = std::pow(kSide, 4) / 12;
  const double kappa = 10 * (1 + kPoisson) / (12 + 11 * kPoisson);
  const double weight = kDensity * area * kGravity, shear = kYoung / (2 * (1 + kPoisson));
  return weight * std::pow(kLength, 4) / (8 * kYoung * inertia) +
         weight * kLength * kLength / (2 * kappa * shear * area);
}

SelfCheck equilibrium() {
  BuiltScene built = build_scene(beam("be"), Log());
  const StaticReport report = find_equilibrium(*built.model.system, built.start, {});
  if (!report.ok) return {"equilibrium", false, report.reason};
  const double sag = -built.probes[0].point.at(view(built.start.q)).y(), wanted = expected_sag();
  return {"equilibrium", std::abs(sag / wanted - 1) < 0.02,
          fmt::format("a clamped beam sags by {:.4g} m, beam theory says {:.4g} m", sag, wanted)};
}

// The implicit midpoint rule keeps a quadratic energy, that of Hooke's law, but for the tolerance
// of Newton's method.
SelfCheck energy() {
  BuiltScene built = build_scene(beam("midpoint"), Log());
  const System& system = *built.model.system;
  State& state = built.start;
  const auto energies = [&] {
    return system.energies({state.t, view(state.q), view(state.v), nullptr});
  };
  const double before = energies().total();
  double scale = 0, drift = 0;
  const auto stepper = make_stepper("midpoint", {});
  for (int step = 0; step < 50; ++step) {
    const StepReport report = advance(*stepper, system, state, 0.005, {}, Log());
    if (!report.ok) return {"energy", false, report.reason};
    scale = std::max(scale, energies().elastic);
    drift = std::max(drift, std::abs(energies().total() - before));
  }
  return {"energy", drift < 1e-6 * scale,
          fmt::format("a swinging beam keeps its energy but for {:.1e} of it", drift / scale)};
}

// To the end of the scene, in memory; false and the reason where a step fails.
std::pair<bool, std::string> step_through(const SceneDescription& scene, const BuiltScene& built,
                                          State& state,
                                          const std::function<void()>& after_step = {}) {
  Pace pace(scene, {}, built.rules);
  for (std::int64_t step = 0; !pace.done(state, step); ++step) {
    const StepReport report = pace.advance(*built.model.system, state, step, Log());
    if (!report.ok) return {false, report.reason};
    if (after_step) after_step();
  }
  return {true, ""};
}

Json soft_block(double height) {
  return {{"name", "block"},
          {"material", "m"},
          {"mesh", {{"box", {{"size", {0.2, 0.2, 0.2}}, {"cells", {3, 3, 3}}}}}},
          {"transform", {{"translate", {0, height, 0}}}}};
}
SceneDescription scene_of(Json scene) {
  scene["materials"] = {{"m", {{"model", "stable-neo-hookean"}, {"young", 1e5}}}};
  return describe(resolve(scene, built_vocabulary(), "self-test"), ".", "self-test");
}

// A barrier lets nothing through: no node is ever on the floor, nor far above it in the end.
SelfCheck contact() {
  const SceneDescription scene =
      scene_of({{"time", {{"dt", 0.01}, {"duration", 0.4}}},
                {"integrator", "be"},
                {"bodies", {soft_block(0.15)}},
                {"contact", {{"method", "barrier"}, {"distance", 0.001}}},
                {"obstacles",
                 {{{"name", "floor"}, {"plane", {{"point", {0, 0, 0}}, {"normal", {0, 1, 0}}}}}}}});
  BuiltScene built = build_scene(scene, Log());
  const Index nodes = built.model.system->body_nodes();
  State& state = built.start;
  double lowest = 1, gap = 0;
  const auto [ok, reason] = step_through(scene, built, state, [&] {
    gap = 1;
    for (Index n = 0; n < nodes; ++n) gap = std::min(gap, state.q[3 * n + 1]);
    lowest = std::min(lowest, gap);
  });
  if (!ok) return {"contact", false, reason};
  return {"contact", lowest > 0 && gap < 0.01,
          fmt::format("a block falls on a floor and stays {:.2g} m above it or more", lowest)};
}

// A rod is as long as ever after a swing.
SelfCheck constraints() {
  const SceneDescription scene = scene_of(
      {{"time", {{"dt", 0.01}, {"duration", 0.3}}},
       {"integrator", "bdf2"},
       {"bodies", {soft_block(0)}},
       {"constraints",
        {{{"type", "distance"}, {"between", {"block", {0.1, 0, 0}, "world", {1.1, 0, 0}}}}}},
       {"probes", {{{"name", "end"}, {"body", "block"}, {"point", {0.1, 0, 0}}}}}});
  BuiltScene built = build_scene(scene, Log());
  const auto [ok, reason] = step_through(scene, built, built.start);
  if (!ok) return {"constraints", false, reason};
  const Vec3 end = built.probes[0].point.at(view(built.start.q));
  const double off = std::abs((end - Vec3(1.1, 0, 0)).norm() - 1);
  return {"constraints", off < 1e-8 && end.y() < -0.01,
          fmt::format("a rod of 1 m is {:.1g} m off its length after a swing", off)};
}

// The same bits, however many threads work.
SelfCheck threads() {
  SceneDescription scene = beam("sdirk2");
  scene.time.duration = 5 * scene.time.dt;
  const int all = tbb::this_task_arena::max_concurrency();
  std::string failure;
  const auto hash_with = [&](int count) {
    tbb::task_arena arena(count);
    return arena.execute([&] {
      BuiltScene built = build_scene(scene, Log());
      const auto [ok, reason] = step_through(scene, built, built.start);
      if (!ok) failure = reason;
      return state_hash(view(built.start.q), view(built.start.v));
    });
  };
  const std::string one = hash_with(1), many = hash_with(all);
  if (!failure.empty()) return {"threads", false, failure};
  return {"threads", one == many,
          one == many ? fmt::format("1 and {} give the same bits, state {}", all, one)
                      : fmt::format("1 gives state {}, {} give {}", one, all, many)};
}

// A ray that starts 2 m above a triangle meets it there; a picture is a PNG.
SelfCheck drawing() {
  if (!renderer_built()) return {"drawing", true, "this build draws no pictures"};
  const std::array<Eigen::Vector3f, 3> points{Eigen::Vector3f(-1, 0, -1), Eigen::Vector3f(1, 0, -1),
                                              Eigen::Vector3f(0, 0, 1)};
  const std::array<std::array<Index, 3>, 1> triangles{{{0, 1, 2}}};
  const RayHit hit = RayScene(points, triangles).closest({0, 2, 0}, {0, -1, 0});
  const bool met = hit.triangle == 0 && std::abs(hit.distance - 2) < 1e-5F;
  bool png = true;
  if (plots_built())
    png = png_bytes({{2, 2}, std::vector<std::uint8_t>(12, 128)}).starts_with("\x89PNG");
  return {"drawing", met && png,
          fmt::format("a ray meets a triangle after {:.3g} m, the exact way is 2 m{}", hit.distance,
                      png ? "" : "; pictures are no PNG files")};
}

SelfCheck writing(const std::filesystem::path& scratch) {
  if (!std::filesystem::is_directory(scratch))
    return {"writing", false, fmt::format("{} could not be made", scratch.string())};
  SceneDescription scene = beam("sdirk2");
  scene.time.duration = 4 * scene.time.dt;
  scene.time.output_dt = scene.time.dt;
  RunRequest request;
  request.folder = scratch / "results";
  request.scene_json = "{}\n";
  const RunOutcome outcome = run_simulation(scene, build_scene(scene, Log()), request, Log());
  request.existing = ExistingResults::resume;
  const RunOutcome again = run_simulation(scene, build_scene(scene, Log()), request, Log());
  const bool passed = outcome.status == "done" && again.status == "done" && again.frames == 5;
  return {"writing", passed,
          fmt::format("{} frames and a checkpoint in {}", again.frames, scratch.string())};
}

SelfCheck meshing() {
  if (!mesher_available()) return {"meshing", true, "this build has no tetrahedral mesher"};
  Sdf ball;
  ball.shape = SdfSphere{1};
  const double volume = statistics_of(fill_sdf(ball, 0.5, "ball")).measure;
  const double exact = 4 * std::numbers::pi / 3;
  return {"meshing", std::abs(volume / exact - 1) < 0.2,
          fmt::format("a ball filled with tetrahedra has {:.3g} m³, the exact one {:.3g} m³",
                      volume, exact)};
}

}  // namespace

std::vector<SelfCheck> self_test(const std::filesystem::path& scratch) {
  std::vector<SelfCheck> checks;
  const auto run = [&](const char* name, const std::function<SelfCheck()>& check) {
    try {
      checks.push_back(check());
    } catch (const std::exception& error) {
      checks.push_back({name, false, error.what()});
    }
  };
  run("equilibrium", equilibrium);
  run("energy", energy);
  run("contact", contact);
  run("constraints", constraints);
  run("threads", threads);
  run("meshing", meshing);
  run("drawing", drawing);
  run("writing", [&] { return writing(scratch); });
  return checks;
}

}  // namespace pliant
