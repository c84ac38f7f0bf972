// What EigenFit costs: a step of a bar of about 4000 degrees of freedom, plain and with ten modes
// corrected, of linear and of ARAP material, with modes found anew in every step and by `auto`, and
// a step of the fine mesh; Cholesky factors on one thread.
//   bench_coarsen   prints a JSON document; in the project's folder, for its scene
#include <pliant/core/error.hpp>
#include <pliant/reproduce/coarse_runs.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

constexpr int kRepetitions = 3;  // of which the best counts: what else runs only ever adds

struct Example {
  std::string name, law, integrator;
  std::variant<int, std::string> refresh;
  double limit;  // times the plain step
};

SceneDescription load(const Example& example) {
  const std::string path = "scenes/twisted-bar.json";
  SceneDescription scene =
      describe(resolve(load_json(path), built_vocabulary(), path), "scenes", path);
  BodyDescription& body = scene.bodies[0];
  std::get<BoxSpec>(body.mesh).cells = {20, 7, 7};
  auto fine = std::get<BoxSpec>(body.mesh);
  fine.cells = {44, 15, 15};
  body.coarsen->fine = fine;
  body.coarsen->refresh = example.refresh;
  scene.materials.at("rubber").model = example.law;
  scene.materials.at("rubber").constants.young = 1e6;
  scene.integrator.type = example.integrator;
  scene.solver.linear = "cholesky";
  scene.time.duration = 0.6;  // twisted, and then let go
  return scene;
}

double milliseconds_per_step(const SceneDescription& scene) {
  double best = 1e300;
  for (int k = 0; k < kRepetitions; ++k) {
    const BuiltScene built = build_scene(scene, Log());
    TrajectoryRequest request = request_of(scene);
    request.sample_every = 1000000;
    const Trajectory run = run_trajectory(built, request, Log());
    if (!run.ok) throw CannotContinue(run.reason);
    best = std::min(best, 1e3 * run.cpu / static_cast<double>(run.steps));
  }
  return best;
}

ordered_json measure(const Example& example) {
  const SceneDescription scene = load(example);
  const double plain = milliseconds_per_step(with_method(scene, CoarseMethod::plain));
  const double fit = milliseconds_per_step(with_method(scene, CoarseMethod::eigenfit));
  const double fine = milliseconds_per_step(on_fine_mesh(scene));
  return {{"body", example.name},
          {"integrator", example.integrator},
          {"plain_ms", plain},
          {"eigenfit_ms", fit},
          {"fine_ms", fine},
          {"of_plain", fit / plain},
          {"at_most", example.limit},
          {"of_fine", fit / fine},
          {"holds", fit <= example.limit * plain && fit <= 0.3 * fine}};
}

}  // namespace

int main() {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const Example examples[] = {
      {"linear", "linear", "be", 1, 1.3},        {"linear", "linear", "si", 1, 1.3},
      {"arap, every step", "arap", "be", 1, 2},  {"arap, every step", "arap", "si", 1, 2},
      {"arap, auto", "arap", "be", "auto", 1.4}, {"arap, auto", "arap", "si", "auto", 1.4}};
  ordered_json document;
  try {
    for (const Example& example : examples) {
      document.push_back(measure(example));
      std::fprintf(stderr, "%s\n", document.back().dump().c_str());
    }
  } catch (const pliant::Error& error) {
    std::fprintf(stderr, "bench_coarsen: %s\n", error.what());
    return error.exit_status();
  }
  std::printf("%s\n", document.dump(2).c_str());
  return 0;
}
