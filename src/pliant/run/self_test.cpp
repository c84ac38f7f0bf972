#include <pliant/run/self_test.hpp>

#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/sdf.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/tetrahedralize.hpp>
#include <pliant/run/simulation.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/stage/static_equilibrium.hpp>

#include <fmt/format.h>

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
  run("meshing", meshing);
  run("writing", [&] { return writing(scratch); });
  return checks;
}

}  // namespace pliant
