#include <pliant/contact/edge_shares.hpp>
#include <pliant/core/error.hpp>
#include <pliant/run/recorder.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

using fixtures::ScratchFolder;

constexpr const char* kCube = R"({
  "materials": {"m": {"model": "linear", "young": 1e5}},
  "bodies": [{"name": "cube", "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
              "material": "m"}]})";

struct RecorderTest : ::testing::Test {
  ScratchFolder scratch;
  BuiltScene built =
      build_scene(describe(resolve(parse_json(kCube, "cube"), built_vocabulary()), "."), Log());
  RunRequest request = [this] {
    RunRequest made;
    made.folder = scratch.path() / "out";
    made.scene_json = "{}\n";
    return made;
  }();
};

TEST_F(RecorderTest, WallSecondsAddUpOverTheParts) {
  Recorder recorder(built, request, Log());
  Checkpoint earlier;
  earlier.arrays["first_energies"] = {0, 0, 0, 0, 0};
  earlier.arrays["wall_seconds"] = {1000};
  earlier.arrays["ledger"] = std::vector<double>(11, 0.0);
  recorder.restore(earlier, built.start);
  EXPECT_GE(recorder.wall_seconds(), 1000);
  recorder.write_checkpoint(built.start, {}, {});
  const Checkpoint written = read_checkpoint(request.folder / checkpoint_file_name(0));
  EXPECT_GE(written.array("wall_seconds").at(0), 1000);
  recorder.write_summary({}, built.start, {});
  const auto summary = nlohmann::json::parse(fixtures::read_text(request.folder / "summary.json"));
  EXPECT_GE(summary.at("wall_seconds").get<double>(), 1000);
}

TEST_F(RecorderTest, RefusesADamagedCheckpoint) {
  Recorder recorder(built, request, Log());
  Checkpoint earlier;
  earlier.arrays["first_energies"] = {0, 0};
  earlier.arrays["wall_seconds"] = {1};
  earlier.arrays["ledger"] = std::vector<double>(11, 0.0);
  EXPECT_THROW(recorder.restore(earlier, built.start), InputError);
  earlier.arrays["first_energies"] = {0, 0, 0, 0, 0};
  earlier.arrays["ledger"] = {0};
  EXPECT_THROW(recorder.restore(earlier, built.start), InputError);
}

TEST_F(RecorderTest, KnowsWhetherAStateIsAFrameAlready) {
  Recorder recorder(built, request, Log());
  EXPECT_FALSE(recorder.has_frame_at(0));
  recorder.add_frame(built.start, 0);
  EXPECT_TRUE(recorder.has_frame_at(0));
  EXPECT_FALSE(recorder.has_frame_at(0.01));
}

TEST(StateCheckpoint, KeepsWhatPairsOfEdgesWeigh) {
  const BuiltScene built = build_scene(describe(resolve(parse_json(R"({
        "materials": {"m": {"model": "linear", "young": 1e5}},
        "bodies": [{"name": "cube", "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
                    "material": "m"}],
        "contact": {"method": "barrier", "distance": 0.01}})",
                                                                   "cube"),
                                                        built_vocabulary()),
                                                "."),
                                       Log());
  State state = built.start;
  state.shares =
      std::make_shared<const EdgeShares>(EdgeShares{{{{0, 1, 2, 3}, 1.0 / 3}, {{0, 2, 4, 5}, 0}}});
  Checkpoint checkpoint = to_checkpoint(state, {}, {});
  checkpoint.integers["step"] = 0;
  State restored = built.start;
  Counters counters;
  from_checkpoint(checkpoint, *built.model.system, restored, counters);
  ASSERT_TRUE(restored.shares);
  ASSERT_EQ(restored.shares->pairs.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(restored.shares->pairs[k].nodes, state.shares->pairs[k].nodes);
    EXPECT_EQ(restored.shares->pairs[k].share, state.shares->pairs[k].share);
  }
  checkpoint.arrays["edge_shares"].pop_back();
  EXPECT_THROW(from_checkpoint(checkpoint, *built.model.system, restored, counters), InputError);
}

}  // namespace
}  // namespace pliant
