// The result folder as the command line uses it: who may write where, what --force and --resume do,
// and that a run killed at any moment goes on to the very same files.
#include <pliant/core/error.hpp>
#include <pliant/io/result_folder.hpp>

#include <io/scratch_folder.hpp>
#include <io/toy_run.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using fixtures::names_in;
using fixtures::open_folder;
using fixtures::read_text;
using fixtures::ScratchFolder;
using fixtures::status_in_child;
using fixtures::toy_setup;
using fixtures::ToyRun;
using fixtures::write_text;
using Names = std::vector<std::string>;

std::string refusal(const fs::path& folder, ExistingResults existing,
                    const RunSetup& with = toy_setup) {
  try {
    open_folder(folder, existing, with);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ResultFolder, ExistingResultsNeedAFlag) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "a" / "b";
  open_folder(folder, ExistingResults::refuse);
  const std::string message = refusal(folder, ExistingResults::refuse);
  EXPECT_TRUE(says(message, "--resume") && says(message, "--force")) << message;
  open_folder(folder, ExistingResults::replace);
}

TEST(ResultFolder, ForceRemovesOnlyWhatWeWrote) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path();
  ToyRun().run(folder, ExistingResults::refuse);
  for (const char* name : {"notes.txt", "checkpoint.bin", ".hidden.partial", "frames/render.png"})
    write_text(folder / name, "mine");
  write_text(folder / ".scene.json.123.partial", "left by a killed run");
  open_folder(folder, ExistingResults::replace);
  EXPECT_EQ(names_in(folder),
            (Names{".hidden.partial", ".pliant", "animation.pvd", "checkpoint.bin", "frames",
                   "history.csv", "log.jsonl", "notes.txt", "scene.json"}));
  EXPECT_EQ(names_in(folder / "frames"), Names{"render.png"});
}

TEST(ResultFolder, AFolderOfSomeoneElseIsNeverTouched) {
  for (const char* name : {"thesis.tex", "scene.json", "history.csv", "log.jsonl"}) {
    const ScratchFolder scratch;
    write_text(scratch.path() / name, "mine");
    for (const auto existing :
         {ExistingResults::refuse, ExistingResults::replace, ExistingResults::resume}) {
      const std::string message = refusal(scratch.path(), existing);
      EXPECT_TRUE(says(message, "not a result folder")) << message;
    }
    EXPECT_EQ(names_in(scratch.path()), Names{name});
    EXPECT_EQ(read_text(scratch.path() / name), "mine");
  }
}

TEST(ResultFolder, AFileInItsPlaceIsRefused) {
  const ScratchFolder scratch;
  write_text(scratch.path() / "out", "a file");
  EXPECT_TRUE(says(refusal(scratch.path() / "out", ExistingResults::replace), "is a file"));
  EXPECT_THROW(open_folder(scratch.path() / "out" / "below", ExistingResults::refuse), WriteError);
}

TEST(ResultFolder, ACopyWithoutItsHiddenMarkCanBeResumed) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "out";
  ToyRun().run(folder, ExistingResults::refuse);
  const std::string hash = read_text(folder / "summary.json");
  fs::remove(folder / ".pliant");
  EXPECT_TRUE(says(refusal(folder, ExistingResults::refuse), "--resume"));
  ToyRun().run(folder, ExistingResults::resume);
  EXPECT_EQ(read_text(folder / "summary.json"), hash);
}

TEST(ResultFolder, KeepsASecondRunOut) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "out";
  const ResultFolder first = open_folder(folder, ExistingResults::refuse);
  const Names before = names_in(folder);
  for (const auto existing : {ExistingResults::replace, ExistingResults::resume})
    EXPECT_EQ(status_in_child([&] {
                return says(refusal(folder, existing), "another run is writing to it") ? 0 : 1;
              }),
              0);
  EXPECT_EQ(names_in(folder), before);
}

TEST(ResultFolder, RefusesToResumeAChangedScene) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "out";
  ToyRun().run(folder, ExistingResults::refuse);
  RunSetup other = toy_setup;
  other.scene_hash = "another";
  const std::string history = read_text(folder / "history.csv");
  EXPECT_TRUE(says(refusal(folder, ExistingResults::resume, other), "--force"));
  EXPECT_EQ(read_text(folder / "history.csv"), history);
  EXPECT_TRUE(fs::exists(folder / "summary.json"));
}

TEST(ResultFolder, WithoutACheckpointOnlyAnUnfinishedRunBeginsAgain) {
  const ScratchFolder scratch;
  const fs::path fresh = scratch.path() / "fresh", folder = scratch.path() / "out";
  EXPECT_FALSE(open_folder(fresh, ExistingResults::resume).resumed());
  EXPECT_FALSE(open_folder(fresh, ExistingResults::resume).resumed());
  RunSetup other = toy_setup;
  other.scene_json = "{}";
  EXPECT_TRUE(says(refusal(fresh, ExistingResults::resume, other), "--force"));
  ToyRun().run(folder, ExistingResults::refuse);
  for (const std::int64_t step : checkpoint_steps(folder))
    fs::remove(folder / checkpoint_file_name(step));
  EXPECT_TRUE(says(refusal(folder, ExistingResults::resume), "no checkpoint to resume from"));
  EXPECT_EQ(names_in(folder / "frames").size(), 46u);
}

TEST(StateHash, DependsOnEveryBitAndOnWhichIsWhich) {
  const std::vector<double> q = {1, 2, 3}, v = {0.5, 0, 0}, v2 = {0.5, -0.0, 0};
  EXPECT_EQ(state_hash(q, v), state_hash(q, v));
  EXPECT_EQ(state_hash(q, v).size(), 16u);
  EXPECT_NE(state_hash(q, v), state_hash(q, v2));
  EXPECT_NE(state_hash(q, v), state_hash(v, q));
}

}  // namespace
}  // namespace pliant
