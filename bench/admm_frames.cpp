// The examples of BROWN, Table 2, with bodies and obstacles of our own of about their size.
#include "admm_parts.hpp"

#include <pliant/reproduce/trajectory.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>
#include <pliant/term/local_potential.hpp>

#include <fmt/format.h>

namespace pliant::bench {
namespace {

using nlohmann::ordered_json;

constexpr double kDuration = 0.32;  // s: falls, meets what is in its way, or is shaken

struct Paper {  // a row of BROWN, Table 2
  int nodes, terms, iterations;
  double global_ms, local_ms, frame_ms;
};
struct FrameExample {
  std::string name, scene;
  std::vector<std::string> settings;
  Paper paper;
};

std::vector<FrameExample> frame_examples() {
  const auto size = [](double x) { return fmt::format("bodies.0.mesh.size={}", x); };
  const std::string ball = "bodies.0.mesh.sphere.size=0.0247";
  const std::string cloth = "bodies.0.mesh.sheet.cells=[38,38]";
  const std::string spline =
      "bodies.0.damping=[{\"model\":\"spline\",\"over\":\"strain\",\"knots\":[[0.7,40],[0.9,0],"
      "[1,0],[1.1,0],[1.3,40]],\"base\":{\"model\":\"strain-rate\",\"psi\":50,\"phi\":50}}]";
  return {{"terrain", "terrain", {size(0.0316)}, {2278, 16574, 72, 4.2, 7.3, 3050}},
          {"drape", "drape", {cloth}, {1522, 11657, 33, 13.1, 1.0, 1032}},
          {"ball", "spinning-ball", {ball}, {642, 2423, 35, 1.4, 0.6, 164}},
          {"power-law, p = 0", "clay", {size(0.0222)}, {2435, 20654, 52, 3.0, 1.0, 491}},
          {"power-law, p = 2", "shaken", {size(0.0222)}, {2435, 18926, 5, 133.7, 9.9, 1727}},
          {"dragon", "shaken", {size(0.019), spline}, {5388, 35878, 11, 13.8, 77.0, 2622}}};
}

SceneDescription load(const std::string& name, const std::vector<std::string>& settings) {
  const std::filesystem::path path = "scenes/" + name + ".json";
  const Vocabulary vocabulary = built_vocabulary();
  Json document = load_json(path);
  for (const std::string& setting : settings)
    apply_setting(document, setting, [&] { return resolve(document, vocabulary, path.string()); });
  return describe(resolve(document, vocabulary, path.string()), path.parent_path(), path.string());
}

std::size_t terms_of(const System& system) {
  std::size_t count = 0;
  for (const auto& term : system.terms())
    if (const auto* local = dynamic_cast<const LocalPotential*>(term.get()))
      count += local->local_maps().size();
  return count;
}

// Two stages a frame, as the paper's TR-BDF2 has. With contact it is sdirk2, whose cost is the
// same.
ordered_json measure(const FrameExample& example) {
  std::vector<std::string> settings = example.settings;
  SceneDescription plain = load(example.scene, {});
  const bool contact = plain.contact.method != "none";
  settings.insert(
      settings.end(),
      {"solver.type=admm", fmt::format("solver.iterations={}", example.paper.iterations),
       fmt::format("time.dt={}", kFrame), fmt::format("time.output_dt={}", kFrame),
       fmt::format("integrator={}", contact ? "sdirk2" : "trbdf2")});
  if (contact)
    settings.push_back(fmt::format("contact={{\"method\":\"admm\",\"self\":false,\"friction\":{}}}",
                                   plain.contact.friction));
  const SceneDescription scene = load(example.scene, settings);
  const BuiltScene built = build_scene(scene, Log());
  TrajectoryRequest request = request_of(scene);
  request.duration = kDuration;
  const Trajectory run = run_trajectory(built, request, Log());
  const System& system = *built.model.system;
  const auto per_step = [&](auto x) {
    return static_cast<double>(x) / static_cast<double>(run.steps);
  };
  return {{"example", example.name},
          {"scene", example.scene},
          {"complete", run.ok ? "yes" : run.reason},
          {"nodes", system.body_nodes()},
          {"terms", terms_of(system)},
          {"iterations_per_stage", 0.5 * per_step(run.linear)},
          {"retries", run.retries},
          {"factorizations_per_frame", per_step(run.factorizations)},
          {"contacts", run.contacts},
          {"ms_per_frame", 1e3 * per_step(run.wall)},
          {"cpu_ms_per_frame", 1e3 * per_step(run.cpu)},  // of all threads
          {"paper",
           {{"nodes", example.paper.nodes},
            {"terms", example.paper.terms},
            {"iterations_per_stage", example.paper.iterations},
            {"ms_of_an_iteration", example.paper.global_ms + example.paper.local_ms},
            {"ms_per_frame", example.paper.frame_ms}}}};
}

}  // namespace

ordered_json measure_frames() {
  ordered_json rows;
  for (const FrameExample& example : frame_examples()) rows.push_back(measure(example));
  return rows;
}

}  // namespace pliant::bench
