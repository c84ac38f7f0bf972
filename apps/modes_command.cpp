#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/coarsen/mode_overlap.hpp>
#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/render/annotate.hpp>
#include <pliant/render/scene_picture.hpp>
#include <pliant/report/report.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/stage/static_equilibrium.hpp>
#include <pliant/study/figures.hpp>
#include <pliant/study/mode_report.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct ModesOptions : SessionOptions {
  int count = 10;
  bool about_equilibrium = false;
  std::string compare;
  bool pictures = false;
};

struct SceneModes {
  BuiltScene built;
  State about;
  Modes modes;
};

bool interrupted() { return caught_signal() != 0; }

int stopped() {
  fmt::print(stderr, "pliant: stopped by signal {}; nothing was written\n", caught_signal());
  return 128 + caught_signal();
}

// None where a signal came. About the undeformed state, or about the equilibrium under the loads.
SceneModes modes_of(const SceneDescription& scene, const ModesOptions& options, const Log& log) {
  SceneModes found{build_scene(scene, log), {}, {}};
  const System& system = *found.built.model.system;
  found.about = system.make_state();
  if (options.about_equilibrium) {
    SolverOptions solver = solver_options(scene, interrupted);
    const bool walk = !system.constraints().empty() || system.contact();
    if (walk) solver.type = "newton";
    const StaticReport report = walk ? walk_to_equilibrium(system, found.about, solver)
                                     : find_equilibrium(system, found.about, solver);
    if (interrupted()) return found;
    if (!report.ok) throw CannotContinue("no equilibrium was found: " + report.reason);
  }
  std::vector<Index> rigid;
  for (const Body& body : found.built.model.bodies)
    if (body.rigid) rigid.push_back(body.rigid->first);
  found.modes = find_modes(system, found.about, options.count, interrupted, rigid);
  return found;
}

// mode_001.png …: the body moved along the shape.
void draw_modes(const ModesOptions& options, const std::string& folder, std::string_view name,
                const SceneModes& found) {
  if (!options.pictures || !pictures_built()) return;
  constexpr double swing = 0.15;  // of the scene's size
  const System& system = *found.built.model.system;
  for (Eigen::Index k = 0; k < found.modes.shapes.cols() && !interrupted(); ++k) {
    const Vector shape = found.modes.shapes.col(k);
    const double largest = shape.lpNorm<Eigen::Infinity>();
    const Vector states[] = {
        found.about.q, found.about.q + (largest > 0 ? swing * system.size() / largest : 0) * shape};
    write_file_atomically(std::filesystem::path(folder) / fmt::format("{}{:03}.png", name, k + 1),
                          png_bytes(draw_state(found.built, states)));
  }
}

int show_modes(const ModesOptions& options) {
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) { terminal.say(entry); });
  const StudyScene scene = scene_loader(options.scene)({});
  const SceneModes found = modes_of(scene.scene, options, log);
  if (interrupted()) return stopped();
  const std::string folder = study_folder(options, "modes");
  write_modes(folder, found.built, found.about, found.modes);
  std::string table = mode_table(found.modes);
  if (!options.compare.empty()) {
    const SceneFile fine{options.compare, options.scene.settings};
    const SceneModes other = modes_of(scene_loader(fine)({}).scene, options, log);
    if (interrupted()) return stopped();
    const Matrix overlap =
        mode_overlap(found.built.model, found.modes.shapes, other.built.model, other.modes.shapes);
    table = overlap.size() > 0 ? paired_table(found.modes, other.modes, overlap)
                               : mode_table(found.modes, other.modes);
    if (overlap.size() > 0) write_overlap(folder, found.modes, other.modes, overlap);
    draw_modes(options, folder, "fine_", other);
  }
  draw_modes(options, folder, "mode_", found);
  write_study_report(folder, {"modes", table, scene.json});
  fmt::print("{}modes.csv, report.html and {} in {}; {}\n", table,
             counted(static_cast<std::int64_t>(found.modes.list.size()), "shape", "shapes"), folder,
             figures_in_words({"frequencies"}));
  return 0;
}

}  // namespace

void add_modes(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<ModesOptions>();
  CLI::App* command = app.add_subcommand("modes", "natural frequencies (Hz) and mode shapes");
  add_session_options(*command, *options);
  command->add_option("-k", options->count, "how many modes")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command->add_flag("--static", options->about_equilibrium,
                    "about the equilibrium under the loads instead of the undeformed state");
  command->add_option("--compare", options->compare,
                      "another scene (a finer mesh of the same body) to hold against");
  command->add_flag("--pictures", options->pictures, "a picture of each shape");
  command->callback([options, &chosen] {
    chosen = [options] { return in_session(*options, [&](int) { return show_modes(*options); }); };
  });
}

}  // namespace pliant::apps
