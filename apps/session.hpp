// What the commands that run scenes for a while share: a number of threads, and a signal that ends
// them in good order.
#pragma once

#include "scene_file.hpp"

#include <pliant/study/scene_loader.hpp>

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pliant::apps {

struct SessionOptions {
  SceneFile scene;
  std::string out;
  int threads = 0;  // 0: all cores
  bool force = false, quiet = false;
};

// --set and --threads.
void add_set_and_threads(CLI::App& command, SceneFile& scene, int& threads);
// SCENE, --out, --set, --threads, --quiet.
void add_session_options(CLI::App& command, SessionOptions& options);

// Runs `work` on that many threads, with SIGINT and SIGTERM caught.
int in_session(const SessionOptions& options, const std::function<int(int threads)>& work);
int caught_signal();  // 0: none

// The scene of the command line, with --set and then further settings, of which `said` gives the
// words in which the user asked for one ("--vary integrator=be"). With further settings it must be
// able to run: throws InputError that names them.
using SettingWords = std::function<std::string(const std::string& setting)>;
SceneLoader scene_loader(const SceneFile& file, const SettingWords& said = {});

// --out, or out/ + the scene file's name + "-" + what.
std::string study_folder(const SessionOptions& options, const std::string& what);

}  // namespace pliant::apps
