#include "commands.hpp"
#include "scene_folder.hpp"
#include "session.hpp"
#include "terminal.hpp"
#include "view_options.hpp"

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/view/gallery.hpp>
#include <pliant/view/live_run.hpp>
#include <pliant/view/replay.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

namespace pliant::apps {

namespace {

// As the XDG Base Directory Specification has it: what should outlast a restart and is worth no
// backup. It wants relative paths ignored.
std::filesystem::path state_folder() {
  const auto given = [](const char* name) {
    const char* value = ::getenv(name);
    return std::filesystem::path(value && *value == '/' ? value : "");
  };
  if (const auto state = given("XDG_STATE_HOME"); !state.empty()) return state / "pliant";
  if (const auto home = given("HOME"); !home.empty()) return home / ".local/state/pliant";
  return {};
}

}  // namespace

ServerOptions ViewOptions::server(const Log& log) const {
  ServerOptions options{host, port_given ? std::optional(port) : std::nullopt, control};
  if (!port_given || port == 0) return options;
  options.token_folder = state_folder();
  if (options.token_folder.empty())
    log.info("neither HOME nor XDG_STATE_HOME says where to keep the token: a new one is made");
  return options;
}

void add_view_options(CLI::App& command, ViewOptions& options) {
  command
      .add_option_function<int>(
          "--port",
          [&options](int port) {
            options.port = port;
            options.port_given = true;
          },
          fmt::format("the viewer's port; 0: any that is free (default: {}, or one that is free)",
                      kUsualPort))
      ->check(CLI::Range(0, 65535));
  command.add_option("--host", options.host,
                     "the address to listen on (default: this machine alone)");
  command.add_flag("--control", options.control,
                   "with --host: pages on other machines may steer, too");
}

SceneSource source_of(const LoadedScene& loaded, const std::string& path) {
  return {Json::parse(loaded.document), path, std::filesystem::path(path).parent_path()};
}

namespace {

struct ViewCommand : SessionOptions {
  std::vector<std::string> paths;
  ViewOptions viewer;
};

// The address on standard output, all else on standard error.
void announce(const Server& server, const ViewCommand& options) {
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  if (options.quiet) return;
  if (!server.loopback())
    fmt::print(stderr, "whoever has this address may watch{}\n",
               options.viewer.control ? " and steer" : "");
  fmt::print(stderr, "open it in a browser; Ctrl-C ends\n");
}

int status_of(int signal) { return signal == 0 ? 0 : 128 + signal; }

// Pages do the rest.
int wait_for_signal() {
  while (caught_signal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return status_of(caught_signal());
}

int replay(const ViewCommand& options) {
  const std::vector<std::filesystem::path> folders(options.paths.begin(), options.paths.end());
  Terminal terminal(options.quiet);
  const Log log([&](const LogEntry& entry) { terminal.say(entry); });
  const Server server(options.viewer.server(log), std::make_shared<Replay>(folders), log);
  announce(server, options);
  return wait_for_signal();
}

RunRequest live_request() {
  RunRequest request;  // without a folder: nothing is written
  request.interrupted = caught_signal;
  return request;
}

std::shared_ptr<LiveRun> make_live(const std::string& path, const ViewCommand& options,
                                   bool gallery, const Log& log) {
  LiveOptions live;
  live.gallery = gallery;
  live.interrupted = caught_signal;
  live.speed = 1;  // as the eye expects it; the page can ask for more
  live.wait_for_page = true;
  const LoadedScene loaded = load_scene({path, options.scene.settings});
  return std::make_shared<LiveRun>(source_of(loaded, path), live, log);
}

int watch(const ViewCommand& options) {
  Terminal terminal(options.quiet);
  std::shared_ptr<LiveRun> run;
  const Log log([&](const LogEntry& entry) {
    terminal.say(entry);
    if (run) run->add_log(entry);
  });
  run = make_live(options.paths[0], options, false, log);
  const Server server(options.viewer.server(log), run, log);
  announce(server, options);
  const RunOutcome outcome = run->run(live_request(), log);
  if (outcome.status == "failed" && caught_signal() == 0)
    throw CannotContinue(outcome.reason);  // it lingers else
  return status_of(caught_signal());
}

// Scenes are opened from the page, one at a time, until Ctrl-C.
int browse(const ViewCommand& options, const std::string& folder) {
  Terminal terminal(options.quiet);
  std::shared_ptr<LiveRun> run;
  const Log log([&](const LogEntry& entry) {
    terminal.say(entry);
    if (run) run->add_log(entry);
  });
  const auto gallery = std::make_shared<Gallery>(folder);
  Server server(options.viewer.server(log), gallery, log);
  announce(server, options);
  while (caught_signal() == 0) {
    const std::optional<std::filesystem::path> scene = gallery->wait_for_choice();
    if (!scene) continue;
    try {
      run = make_live(scene->string(), options, true, log);
    } catch (const Error& error) {
      gallery->refuse(error.what());
      continue;
    }
    server.show(run);
    run->run(live_request(), log);
    gallery->close_choice();
    server.show(gallery);
    run.reset();
  }
  return status_of(caught_signal());
}

bool is_scene_file(const std::string& path) {
  return !is_folder(path) && path.size() > 5 && path.ends_with(".json");
}

int view(const ViewCommand& options) {
  if (!viewer_available())
    throw InputError(
        "this build has no viewer; configure it with "
        "-DPLIANT_VIEWER=ON");
  if (options.paths.empty()) {
    const std::string scenes = is_folder("scenes") ? "scenes" : scene_folder().string();
    if (!is_folder(scenes))
      throw InputError(
          "view: what? Give a scene, result folders or a folder of scenes; here is no folder "
          "scenes/ to show");
    return browse(options, scenes);
  }
  const std::string& first = options.paths[0];
  if (options.paths.size() == 1 && is_scene_file(first)) return watch(options);
  if (options.paths.size() == 1 && Gallery::has_scenes(first)) return browse(options, first);
  for (const std::string& path : options.paths)
    if (is_scene_file(path))
      throw InputError(
          fmt::format("{}: is a scene, and one scene runs at a time; side by side there are result "
                      "folders",
                      path));
  return replay(options);
}

}  // namespace

void add_view(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<ViewCommand>();
  CLI::App* command =
      app.add_subcommand("view", "serve the viewer's page for a scene, results or a gallery");
  command->add_option("what", options->paths,
                      "a scene, result folders (side by side), or a folder of scenes; none: "
                      "scenes/, or those that came with the program");
  add_set_and_threads(*command, options->scene, options->threads);
  command->add_flag("--quiet", options->quiet, "say the address, warnings and errors only");
  add_view_options(*command, options->viewer);
  command->callback([options, &chosen] {
    chosen = [options] { return in_session(*options, [&](int) { return view(*options); }); };
  });
}

}  // namespace pliant::apps
