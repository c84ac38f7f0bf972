// Results read back through the server's eyes.
#include <pliant/core/error.hpp>
#include <pliant/run/simulation.hpp>
#include <pliant/view/replay.hpp>

#include "bar_scene.hpp"
#include "client.hpp"

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using fixtures::ScratchFolder;

State run_into(const fs::path& folder, double duration, const char* integrator,
               ExistingResults existing = ExistingResults::refuse) {
  SceneSource source = test::bar_source(duration);
  source.document["integrator"] = integrator;
  LiveScene scene(source, Log());
  RunRequest request;
  request.folder = folder;
  request.existing = existing;
  request.scene_json = pretty(scene.resolved());
  request.scene_hash = integrator;
  struct Last : Watcher {
    State state;
    void row(const HistoryRow&) override {}
    Steering before_step(const RunMoment&) override { return {}; }
    void finished(const RunMoment& moment, const RunOutcome&) override { state = moment.state; }
  } last;
  request.watcher = &last;
  EXPECT_EQ(run_simulation(scene.scene(), scene.build(Log()).scene, request, Log()).status, "done");
  return last.state;
}

test::DecodedFrame frame(Replay& replay, std::size_t run, std::size_t number, Field field) {
  const Answer answer = replay.get({Resource::Kind::frame, run, number, field});
  EXPECT_EQ(answer.status, 200);
  return *test::decode_frame(answer.body);
}

TEST(Replay, ShowsWhatTheRunWrote) {
  const ScratchFolder scratch;
  const State end = run_into(scratch.path() / "a", 0.1, "be");
  Replay replay({scratch.path() / "a"});
  const Json run = replay.hello().at("runs").at(0);
  EXPECT_EQ(replay.hello().at("mode"), "replay");
  EXPECT_EQ(run.at("integrator"), "be");
  EXPECT_EQ(run.at("times").size(), 6u);  // every 0.02 s of 0.1 s, and the start
  EXPECT_EQ(run.at("bodies").at(0).at("name"), "bar");
  EXPECT_EQ(run.at("bodies").at(0).at("vertices"), 20);
  const test::DecodedFrame last = frame(replay, 0, 5, Field::velocity);
  EXPECT_DOUBLE_EQ(last.time, 0.1);
  EXPECT_EQ(last.field, 1u);
  // All nodes of this bar are on its surface. The files keep single precision.
  for (std::size_t k = 0; k < last.positions.size(); ++k)
    EXPECT_NEAR(last.positions[k], end.q[static_cast<Eigen::Index>(k)], 1e-6);
  EXPECT_NEAR(last.values[19], end.v.segment<3>(57).norm(), 1e-6 * end.v.norm());
  const Json history = Json::parse(replay.get({Resource::Kind::history}).body);
  EXPECT_EQ(history.at("rows").size(), 11u);
  EXPECT_EQ(history.at("columns").size(), history.at("rows").at(0).size());
  EXPECT_EQ(replay.get({Resource::Kind::frame, 0, 6, Field::none}).status, 404);
  EXPECT_EQ(replay.get({Resource::Kind::frame, 1, 0, Field::none}).status, 404);
  EXPECT_EQ(replay.get({Resource::Kind::mode, 0, 0, Field::none}).status, 404);
}

TEST(Replay, MeasuresRunsByTheFirst) {
  const ScratchFolder scratch;
  const State a = run_into(scratch.path() / "a", 0.1, "be");
  const State b = run_into(scratch.path() / "b", 0.1, "sdirk2");
  Replay replay({scratch.path() / "a", scratch.path() / "b"});
  EXPECT_EQ(frame(replay, 0, 5, Field::error).largest, 0);
  const test::DecodedFrame other = frame(replay, 1, 5, Field::error);
  double largest = 0;
  for (Eigen::Index k = 0; k < a.q.size(); k += 3)
    largest = std::max(largest, (a.q - b.q).segment<3>(k).norm());
  EXPECT_GT(largest, 1e-3) << "guard: the methods differ";
  EXPECT_NEAR(other.largest, largest, 1e-6);
}

TEST(Replay, SeesFramesThatAreWrittenMeanwhile) {
  const ScratchFolder scratch;
  run_into(scratch.path() / "a", 0.04, "be");
  Replay replay({scratch.path() / "a"});
  const std::uint64_t version = replay.version();
  replay.refresh();
  EXPECT_EQ(replay.version(), version) << "nothing is new";
  run_into(scratch.path() / "a", 0.1, "be", ExistingResults::resume);
  replay.refresh();
  EXPECT_GT(replay.version(), version);
  EXPECT_EQ(replay.hello().at("runs").at(0).at("times").size(), 6u);
}

TEST(Replay, OfNoResultsIsRefused) {
  const ScratchFolder scratch;
  EXPECT_THROW(Replay({scratch.path() / "nothing"}), InputError);
  EXPECT_THROW(Replay({scratch.path()}), InputError);
}

}  // namespace
}  // namespace pliant
