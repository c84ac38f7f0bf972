// What EigenFit costs: a step of a bar of about 4000 degrees of freedom, plain and with ten modes
// corrected, of linear and of ARAP material, with modes found anew in every step and by `auto`, and
// a step of the fine mesh; Cholesky factors on one thread.
//   bench_coarsen [PART]   prints a JSON document; in the project's folder, for its scene. With a
//                          word, only cases with it in the name, like "arap, auto, si"
#include <pliant/core/error.hpp>
#include <pliant/reproduce/coarse_runs.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

// Of which the best counts, as what else runs only ever adds. Both kinds of coarse step in turns.
constexpr int kRepetitions = 5;

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

double milliseconds_per_step(const SceneDescription& scene, const BuiltScene& built) {
  TrajectoryRequest request = request_of(scene);
  request.sample_every = 1000000;
  const Trajectory run = run_trajectory(built, request, Log());
  if (!run.ok) throw CannotContinue(run.reason);
  return 1e3 * run.cpu / static_cast<double>(run.steps);
}

double on_the_fine_mesh(const Example& example) {
  const SceneDescription scene = on_fine_mesh(load(example));
  return milliseconds_per_step(scene, build_scene(scene, Log()));
}

ordered_json measure(const Example& example, double fine) {
  const SceneDescription coarse = with_method(load(example), CoarseMethod::plain),
                         corrected = with_method(load(example), CoarseMethod::eigenfit);
  const BuiltScene built_coarse = build_scene(coarse, Log()),
                   built_corrected = build_scene(corrected, Log());
  double plain = 1e300, fit = 1e300;
  for (int k = 0; k < kRepetitions; ++k) {
    plain = std::min(plain, milliseconds_per_step(coarse, built_coarse));
    fit = std::min(fit, milliseconds_per_step(corrected, built_corrected));
  }
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

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "";
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const Example examples[] = {
      {"linear", "linear", "be", 1, 1.3},        {"linear", "linear", "si", 1, 1.3},
      {"arap, every step", "arap", "be", 1, 2},  {"arap, every step", "arap", "si", 1, 2},
      {"arap, auto", "arap", "be", "auto", 1.4}, {"arap, auto", "arap", "si", "auto", 1.4}};
  ordered_json document;
  std::map<std::pair<std::string, std::string>, double> fine;  // by law and integrator
  try {
    for (const Example& example : examples) {
      if ((example.name + ", " + example.integrator).find(part) == std::string::npos) continue;
      const auto key = std::pair(example.law, example.integrator);
      if (!fine.contains(key)) fine[key] = on_the_fine_mesh(example);
      ordered_json& cases = document["cases"];
      cases.push_back(measure(example, fine[key]));
      std::fprintf(stderr, "%s\n", cases.back().dump().c_str());
    }
  } catch (const pliant::Error& error) {
    std::fprintf(stderr, "bench_coarsen: %s\n", error.what());
    return error.exit_status();
  }
  std::printf("%s\n", document.dump(2).c_str());
  return 0;
}
