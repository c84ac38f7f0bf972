// `pliant doctor`: what is built in, and whether it works here.
#include "commands.hpp"
#include "scene_folder.hpp"

#include <pliant/core/error.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/run/self_test.hpp>
#include <pliant/run/versions.hpp>
#include <pliant/view/server.hpp>

#include <fmt/format.h>
#include <link.h>
#include <stdlib.h>
#include <tbb/task_arena.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <thread>

namespace pliant::apps {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* given = ::getenv("TMPDIR");
    const fs::path place = given && *given ? given : "/tmp";
    std::string pattern = (place / "pliant-doctor-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    path_ = made ? fs::path(made) : fs::path(pattern);  // the check of writing says so
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Shared libraries that this program has loaded and that decide what it computes or can do, by the
// files that the loader found.
std::map<std::string, std::string> loaded_libraries() {
  std::map<std::string, std::string> found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        constexpr std::array kNames{"libcholmod", "libmetis",    "libopenblas", "libblas",
                                    "libtbb",     "libdmumps",   "libembree",   "libcairo",
                                    "libhdf5",    "libtinyxml2", "libgmp",      "libmpfr"};
        const fs::path path = info->dlpi_name;
        const std::string file = path.filename().string();
        for (const std::string_view name : kNames) {
          if (!file.starts_with(name)) continue;
          std::error_code missing;
          const fs::path real = fs::canonical(path, missing);
          static_cast<std::map<std::string, std::string>*>(to)->emplace(
              name, missing ? path.string() : real.string());
        }
        return 0;
      },
      &found);
  return found;
}

// Where the shell would find a program; empty where it would not.
std::string found_in_path(const std::string& program) {
  const char* places = ::getenv("PATH");
  std::istringstream list(places ? places : "");
  for (std::string place; std::getline(list, place, ':');) {
    const fs::path file = fs::path(place.empty() ? "." : place) / program;
    if (::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
}

std::map<std::string, std::string> surroundings() {
  const std::string ffmpeg = found_in_path("ffmpeg");
  const fs::path scenes = scene_folder();
  const bool has_scenes = is_folder(scenes);
  return {{"ffmpeg", ffmpeg.empty() ? "not found: no films" : ffmpeg + ", for films"},
          {"scenes", has_scenes ? scenes.string() : scenes.string() + ", which is not there"},
          {"threads", fmt::format("{} of {} cores, BLAS 1 unless solver.fast is set",
                                  tbb::this_task_arena::max_concurrency(),
                                  std::thread::hardware_concurrency())}};
}

void print(const std::map<std::string, std::string>& entries) {
  for (const auto& [name, value] : entries) fmt::print("{:<18} {}\n", name, value);
}

int doctor() {
  print(versions());
  print(loaded_libraries());
  print(build_options());
  print({{"PLIANT_VIEWER", viewer_available() ? "ON" : "OFF"}});
  print(surroundings());
  fmt::print("\n");
  const Timer timer;
  const TemporaryFolder scratch;
  const std::vector<SelfCheck> checks = self_test(scratch.path());
  std::size_t failed = 0;
  for (const SelfCheck& check : checks) {
    fmt::print("  {:<6} {}: {}\n", check.passed ? "ok" : "FAILED", check.name, check.found);
    failed += !check.passed;
  }
  if (failed > 0) throw Error(fmt::format("{} of {} checks failed", failed, checks.size()));
  fmt::print("  in {:.1f} s\neverything works\n", timer.seconds());
  return 0;
}

}  // namespace

void add_doctor(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("doctor", "what is built in, and a short self-test");
  command->callback([&chosen] { chosen = doctor; });
}

}  // namespace pliant::apps
