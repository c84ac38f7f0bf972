// A run that is killed at any moment, finds its newest checkpoint damaged or meets a full disk
// leaves whole files behind and, resumed, ends with the very same ones as a run that was left
// alone.
#include <pliant/core/error.hpp>
#include <pliant/io/result_folder.hpp>

#include <io/scratch_folder.hpp>
#include <io/toy_run.hpp>
#include <io/vtu_decoder.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <sstream>
#include <thread>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using fixtures::names_in;
using fixtures::read_text;
using fixtures::ScratchFolder;
using fixtures::status_in_child;
using fixtures::ToyRun;

bool says_in_log(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// After a kill: the index names whole frames only, and every finished line of the history is whole.
void expect_whole(const fs::path& folder) {
  const std::string pvd = read_text(folder / "animation.pvd");
  std::size_t named = 0;
  for (std::size_t at = 0; (at = pvd.find("file=\"", at)) != std::string::npos; ++named) {
    at += 6;
    const fixtures::VtuDecoder frame(read_text(folder / pvd.substr(at, pvd.find('"', at) - at)));
    EXPECT_EQ(frame.array<double>("Points", "Float64").size(), 24u);
  }
  for (const std::string& name : names_in(folder / "frames"))
    if (frame_number(name)) {
      EXPECT_NO_THROW(fixtures::VtuDecoder(read_text(folder / "frames" / name)));
    }
  const std::string history = read_text(folder / "history.csv");
  std::stringstream lines(history.substr(0, history.rfind('\n') + 1));
  std::int64_t row = -1;
  for (std::string line; std::getline(lines, line); ++row) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 22) << line;
    EXPECT_EQ(line.substr(0, line.find(',')), row < 0 ? "step" : std::to_string(row));
  }
  for (const std::int64_t step : checkpoint_steps(folder))
    EXPECT_NO_THROW(read_checkpoint(folder / checkpoint_file_name(step)));
}

// Starts the run in a child and kills it after a while; true if it had come to its end before.
bool run_and_kill(const fs::path& folder, std::chrono::microseconds after) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      ToyRun().run(folder, ExistingResults::resume);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      ::_exit(1);
    }
    ::_exit(0);
  }
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0);
  return WIFEXITED(status);
}

bool has_checkpoint(const fs::path& folder) {
  if (!fs::exists(folder)) return false;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("checkpoint")) return true;
  return false;
}

TEST(Resume, KilledAtAnyMomentAndResumedGivesTheSameFiles) {
  const ScratchFolder scratch;
  const fs::path straight = scratch.path() / "straight", killed = scratch.path() / "killed";
  const auto start = std::chrono::steady_clock::now();
  ToyRun().run(straight, ExistingResults::refuse);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  std::mt19937 random(17);
  int kills = 0;
  for (int runs = 0; (kills < 20 || !has_checkpoint(killed)) && runs < 500; ++runs) {
    // Up to a twelfth of a whole run each; a run that reached its end all the same begins anew. On
    // a busy machine it takes more of them until one has come to its first checkpoint.
    const auto after = std::chrono::microseconds(random() % (whole.count() / 12 + 1));
    if (run_and_kill(killed, after)) {
      fs::remove_all(killed);
      continue;
    }
    ++kills;
    if (fs::exists(killed / "animation.pvd")) expect_whole(killed);
  }
  EXPECT_GE(kills, 20);
  ToyRun().run(killed, ExistingResults::resume);
  EXPECT_TRUE(says_in_log(read_text(killed / "log.jsonl"), "resumed from the checkpoint of step"));
  for (const char* file : {"history.csv", "summary.json", "animation.pvd", "scene.json"})
    EXPECT_EQ(read_text(killed / file), read_text(straight / file)) << file;
  EXPECT_EQ(names_in(killed), names_in(straight));
  EXPECT_EQ(names_in(killed / "frames"), names_in(straight / "frames"));
  for (const std::string& name : names_in(straight / "frames"))
    EXPECT_EQ(read_text(killed / "frames" / name), read_text(straight / "frames" / name)) << name;
  EXPECT_EQ(names_in(straight / "frames").size(), 46u);
}

TEST(Resume, ADamagedNewestCheckpointChangesNothingInTheEnd) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "out";
  ToyRun().run(folder, ExistingResults::refuse);
  const std::string history = read_text(folder / "history.csv");
  const std::string summary = read_text(folder / "summary.json");
  fs::resize_file(folder / checkpoint_file_name(90), 100);
  ToyRun().run(folder, ExistingResults::resume);
  EXPECT_EQ(read_text(folder / "history.csv"), history);
  EXPECT_EQ(read_text(folder / "summary.json"), summary);
  EXPECT_TRUE(
      says_in_log(read_text(folder / "log.jsonl"), "checkpoint_000090.bin: damaged checkpoint"));
  EXPECT_TRUE(
      says_in_log(read_text(folder / "log.jsonl"), "resumed from the checkpoint of step 87"));
  EXPECT_EQ(read_checkpoint(folder / checkpoint_file_name(90)).integer("step"), 90);
}

TEST(Resume, AfterAFullDiskTheRunGoesOnToTheSameFiles) {
  const ScratchFolder scratch, other;
  ToyRun().run(other.path() / "straight", ExistingResults::refuse);
  const std::string history = read_text(other.path() / "straight" / "history.csv");
  EXPECT_EQ(status_in_child([&] {
              const fs::path folder = scratch.path();
              fixtures::fill_disk_at(folder, 96 << 10, 4000);
              try {
                ToyRun().run(folder, ExistingResults::refuse);
                return 1;
              } catch (const WriteError&) {
              }
              expect_whole(folder);
              for (const fs::path& place : {folder, folder / "frames"})
                for (const std::string& name : names_in(place))
                  if (is_partial_file_name(name)) return 2;
              fixtures::make_room_at(folder);
              ToyRun().run(folder, ExistingResults::resume);
              if (read_text(folder / "history.csv") != history) return 3;
              return ::testing::Test::HasFailure() ? 4 : 0;
            }),
            0);
}

}  // namespace
}  // namespace pliant
