#include "session.hpp"

#include <pliant/core/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace pliant::apps {
namespace {

volatile std::sig_atomic_t last_signal = 0;
extern "C" void keep_signal(int number) { last_signal = number; }

// A combination may be refused at a place that none of the settings set: they are said first then.
void require_can_run_as_said(const LoadedScene& loaded, const SceneFile& file) {
  try {
    require_can_run(loaded, file);
  } catch (const InputError& error) {
    const std::string message = error.what();
    std::vector<std::string> said;
    for (const Assignment& assignment : file.more) said.push_back(assignment.said);
    const bool named = std::any_of(said.begin(), said.end(), [&](const std::string& words) {
      return message.find(words) != std::string::npos;
    });
    throw InputError(named ? message : fmt::format("{}: {}", fmt::join(said, " "), message));
  }
}

}  // namespace

int caught_signal() { return static_cast<int>(last_signal); }

void add_set_and_threads(CLI::App& command, SceneFile& scene, int& threads) {
  command.add_option("--set", scene.settings, "key.path=value, changes the scene; repeatable")
      ->expected(1)
      ->take_all();
  command.add_option("--threads", threads, "number of threads (default: all cores)")
      ->check(CLI::Range(1, 1024));
}

void add_session_options(CLI::App& command, SessionOptions& options) {
  command.add_option("scene", options.scene.path, "the scene file")->required();
  command.add_option("--out", options.out, "the folder for tables and figures");
  add_set_and_threads(command, options.scene, options.threads);
  command.add_flag("--quiet", options.quiet, "say the result, warnings and errors only");
}

int in_session(const SessionOptions& options, const std::function<int(int threads)>& work) {
  const int threads =
      options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  std::signal(SIGINT, keep_signal);
  std::signal(SIGTERM, keep_signal);
  return arena.execute([&] { return work(threads); });
}

SceneLoader scene_loader(const SceneFile& file, const SettingWords& said) {
  return [file, said](const std::vector<std::string>& more) {
    SceneFile with_more = file;
    for (const std::string& setting : more)
      with_more.more.push_back(said ? Assignment(setting, said(setting)) : Assignment(setting));
    LoadedScene loaded = load_scene(with_more);
    if (!more.empty()) require_can_run_as_said(loaded, with_more);
    return StudyScene{std::move(loaded.scene), std::move(loaded.json), std::move(loaded.hash)};
  };
}

std::string study_folder(const SessionOptions& options, const std::string& what) {
  if (!options.out.empty()) return options.out;
  return "out/" + std::filesystem::path(options.scene.path).stem().string() + "-" + what;
}

}  // namespace pliant::apps
