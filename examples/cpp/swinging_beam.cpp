// A scene made in C++ and stepped one step at a time: a soft beam, held at one end, swings under
// its weight. Without arguments the beam, with one the scene of that file. Prints where the first
// probe is, the energy, and at the end the hash of the state, which is that of `pliant run` for the
// same scene.
#include <pliant/core/error.hpp>
#include <pliant/io/result_folder.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/resolve.hpp>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace {

// The keys are those of scene files (docs/scene-reference.md).
pliant::Json make_scene() {
  pliant::Json beam;
  beam["name"] = "beam";
  beam["material"] = "rubber";
  beam["mesh"]["box"] = {{"size", {1, 0.2, 0.2}}, {"cells", {20, 4, 4}}, {"element", "hex8"}};
  beam["pin"] = {{{"plane", {{"point", {-0.49, 0, 0}}, {"normal", {-1, 0, 0}}}}}};

  pliant::Json scene;
  scene["time"] = {{"dt", 0.01}, {"duration", 0.2}};
  scene["integrator"] = "sdirk2";
  scene["materials"]["rubber"] = {
      {"model", "stable-neo-hookean"}, {"young", 1e5}, {"poisson", 0.4}, {"density", 1000}};
  scene["bodies"] = pliant::Json::array({beam});
  scene["probes"] = {{{"name", "tip"}, {"body", "beam"}, {"point", {0.5, 0, 0}}}};
  return scene;
}

int simulate(const pliant::Json& document, const std::filesystem::path& folder) {
  // Validated, with every default filled in; meshes, pins and loads; ready to step.
  const pliant::Json resolved = pliant::resolve(document, pliant::built_vocabulary());
  const pliant::SceneDescription scene = pliant::describe(resolved, folder);
  const pliant::Log log([](const pliant::LogEntry& entry) { std::puts(entry.text.c_str()); });
  const pliant::BuiltScene built = pliant::build_scene(scene, log);
  const pliant::System& system = *built.model.system;

  pliant::State state = built.start;
  pliant::Pace pace(scene, {}, built.rules);
  for (long step = 0; !pace.done(state, step); ++step) {
    const pliant::StepReport report = pace.advance(system, state, step, log);
    if (!report.ok) throw pliant::CannotContinue(report.reason);
    if (built.probes.empty()) continue;
    const pliant::Vec3 tip = built.probes[0].point.at(pliant::view(state.q));
    const pliant::Energies energies = system.energies(pliant::at(state));
    std::printf("t = %.3f s  tip (%.4f, %.4f, %.4f) m  energy %.6f J  %d iterations\n", state.t,
                tip.x(), tip.y(), tip.z(), energies.total(), report.newton);
  }
  std::printf("state %s\n",
              pliant::state_hash(pliant::view(state.q), pliant::view(state.v)).c_str());
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count < 2) return simulate(make_scene(), ".");
    const std::filesystem::path file = words[1];
    return simulate(pliant::load_json(file), file.parent_path());
  } catch (const pliant::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_status();
  }
}
