#include "commands.hpp"
#include "scene_file.hpp"
#include "session.hpp"
#include "terminal.hpp"
#include "view_options.hpp"

#include <pliant/core/error.hpp>
#include <pliant/scene/start_at.hpp>
#include <pliant/view/live_run.hpp>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>

namespace pliant::apps {
namespace {

volatile std::sig_atomic_t signal_of_run = 0;
extern "C" void remember_signal(int number) { signal_of_run = number; }
// While a scene is built there is nothing to save.
extern "C" void leave_at_once(int number) { std::_Exit(128 + number); }

void on_signals(void (*act)(int)) {
  std::signal(SIGINT, act);
  std::signal(SIGTERM, act);
}

struct RunOptions {
  SceneFile scene;
  std::string out;
  int threads = 0;
  std::optional<double> time;  // s, of the equilibrium
  bool resume = false, force = false, quiet = false, view = false;
  ViewOptions viewer;
};

ExistingResults existing_of(const RunOptions& options) {
  if (options.resume && options.force)
    throw InputError("--resume and --force exclude each other: go on, or start anew?");
  if (options.resume) return ExistingResults::resume;
  return options.force ? ExistingResults::replace : ExistingResults::refuse;
}

std::string done_in_words(const RunOutcome& outcome, bool statics) {
  if (statics)
    return fmt::format("equilibrium after {} in {}, one frame",
                       counted(outcome.newton, "Newton iteration", "Newton iterations"),
                       in_words(outcome.wall));
  return fmt::format("{}, {:.6g} s simulated in {}, {}", counted(outcome.steps, "step", "steps"),
                     outcome.simulated, in_words(outcome.wall),
                     counted(outcome.frames, "frame", "frames"));
}

int report(const RunOutcome& outcome, const std::filesystem::path& folder, bool statics,
           bool quiet) {
  if (outcome.status == "done") {
    if (!quiet) fmt::print("done: {} in {}\n", done_in_words(outcome, statics), folder.string());
    return 0;
  }
  const std::string frames =
      outcome.frames == 0 ? "" : fmt::format("; frames so far are in {}", folder.string());
  fmt::print(stderr, "pliant: {}{}\n", outcome.reason, frames);
  return outcome.status == "interrupted" ? 128 + outcome.signal : 4;
}

// out/NAME; a name that would lead elsewhere is refused.
std::string default_folder(const std::string& name) {
  if (name.find('/') != std::string::npos || name.front() == '.')
    throw InputError(
        fmt::format("the scene's name \"{}\" cannot name a folder; choose one with --out", name));
  return "out/" + name;
}

// The run with a viewer. Results are those of a run without; who watches from a terminal may go on
// looking when it is over.
RunOutcome run_viewed(const RunOptions& options, const LoadedScene& loaded,
                      const RunRequest& request, Terminal& terminal) {
  const bool stay = isatty(STDERR_FILENO) != 0;
  LiveOptions live;
  live.results = true;
  live.linger = stay;
  live.interrupted = request.interrupted;
  std::shared_ptr<LiveRun> run;
  const Log log([&](const LogEntry& entry) {
    terminal.say(entry);
    if (run) run->add_log(entry);
  });
  run = std::make_shared<LiveRun>(source_of(loaded, options.scene.path), live, log);
  const Server server(options.viewer.server(log), run, log);
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  if (stay) terminal.say({LogLevel::info, -1, "the viewer stays until Ctrl-C"});
  return run->run(request, log);
}

// An equilibrium has no time of its own; where loads or motions have one, it is said.
RunOutcome run_static_at(const RunOptions& options, const LoadedScene& loaded, BuiltScene built,
                         const RunRequest& request, const Log& log) {
  if (options.time)
    start_at(*options.time, built);
  else if (built.model.system->depends_on_time(built.start))
    log.info(
        "loads or motions change with time: this is the equilibrium at 0 s, --time gives others");
  return run_static(loaded.scene, std::move(built), request, log);
}

int run(const RunOptions& options, bool statics) {
  const ExistingResults existing = existing_of(options);
  const int threads =
      options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
  // An arena of that many slots, also where there are fewer cores.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) { terminal.say(entry); });
  LoadedScene loaded = load_scene(options.scene);
  RunRequest request;
  request.folder = options.out.empty() ? default_folder(loaded.scene.name) : options.out;
  if (options.resume) loaded = load_to_resume(options.scene, request.folder);
  if (!statics) {
    require_can_run(loaded, options.scene);
    request.notes = oddities(loaded.scene);
  }
  for (const std::string& word : request.notes) log.warn(word);
  request.existing = existing;
  request.scene_json = loaded.json;
  request.scene_hash = loaded.hash;
  request.threads = threads;
  request.progress = [&](const Progress& progress) { terminal.show(progress); };
  request.interrupted = [] { return static_cast<int>(signal_of_run); };
  on_signals(leave_at_once);

  const RunOutcome outcome = arena.execute([&] {
    if (options.view) {
      on_signals(remember_signal);
      return run_viewed(options, loaded, request, terminal);
    }
    BuiltScene built =
        build_for(request.folder, existing, [&] { return build(loaded, options.scene, log); });
    on_signals(remember_signal);
    return statics ? run_static_at(options, loaded, std::move(built), request, log)
                   : run_simulation(loaded.scene, std::move(built), request, log);
  });
  terminal.close();
  return report(outcome, request.folder, statics, options.quiet);
}

void add(CLI::App& app, Chosen& chosen, bool statics) {
  CLI::App* command =
      statics ? app.add_subcommand("static", "find the equilibrium of a scene under its loads")
              : app.add_subcommand("run", "simulate a scene");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("scene", options->scene.path, "the scene file")->required();
  command->add_option("--out", options->out,
                      "the result folder (default: out/ + the scene's name)");
  add_set_and_threads(*command, options->scene, options->threads);
  command->add_flag("--force", options->force, "replace results that are there");
  command->add_flag("--quiet", options->quiet, "say warnings and errors only");
  if (statics)
    command
        ->add_option("--time", options->time,
                     "s: loads, motions and curves as they are then (default: 0)")
        ->check(CLI::Range(0.0, 1e9));
  if (!statics) {
    command->add_flag("--resume", options->resume, "go on from the newest checkpoint");
    command->add_flag("--view", options->view, "watch the run in a browser, and steer it");
    add_view_options(*command, options->viewer);
  }
  command->callback([options, statics, &chosen] {
    chosen = [options, statics] { return run(*options, statics); };
  });
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  add(app, chosen, false);
  add(app, chosen, true);
}

}  // namespace pliant::apps
