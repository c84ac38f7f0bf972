// `pliant doctor`: what is built in, and whether it works here.
#include "commands.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/self_test.hpp>
#include <pliant/run/versions.hpp>

#include <fmt/format.h>
#include <stdlib.h>
#include <tbb/task_arena.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <filesystem>
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

void print(const std::map<std::string, std::string>& entries) {
  for (const auto& [name, value] : entries) fmt::print("{:<18} {}\n", name, value);
}

int doctor() {
  print(versions());
  print(build_options());
  fmt::print("{:<18} {} of {} cores\n\n", "threads", tbb::this_task_arena::max_concurrency(),
             std::thread::hardware_concurrency());
  const TemporaryFolder scratch;
  const std::vector<SelfCheck> checks = self_test(scratch.path());
  std::size_t failed = 0;
  for (const SelfCheck& check : checks) {
    fmt::print("  {:<6} {}: {}\n", check.passed ? "ok" : "FAILED", check.name, check.found);
    failed += !check.passed;
  }
  if (failed > 0) throw Error(fmt::format("{} of {} checks failed", failed, checks.size()));
  fmt::print("everything works\n");
  return 0;
}

}  // namespace

void add_doctor(CLI::App& app, Chosen& chosen) {
  CLI::App* command = app.add_subcommand("doctor", "what is built in, and a short self-test");
  command->callback([&chosen] { chosen = doctor; });
}

}  // namespace pliant::apps
