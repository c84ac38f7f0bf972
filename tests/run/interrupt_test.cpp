// A run that is interrupted before its first checkpoint: a long step is dropped, and what the
// stepper had learned in it must not reach the run that goes on.
#include <pliant/run/simulation.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <thread>

namespace pliant {
namespace {

using fixtures::ScratchFolder;

// A block that falls on the floor and slides.
Json interrupted_scene(const char* changes) {
  Json scene = Json::parse(R"({
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5}},
    "bodies": [{"name": "block", "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}},
                "material": "jelly",
                "transform": {"rotate": [0, 0, 20], "translate": [0, 0.75, 0]},
                "initial": {"velocity": [1, -2, 0]}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
    "contact": {"method": "barrier", "friction": 0.4, "distance": 0.01},
    "time": {"dt": 0.02, "duration": 0.12, "output_dt": 0.02}})");
  scene.merge_patch(Json::parse(changes));
  return scene;
}

struct InterruptTest : ::testing::Test {
  ScratchFolder scratch;

  RunOutcome run(const Json& scene, const char* folder, std::function<int()> interrupted) {
    const Json resolved = resolve(scene, built_vocabulary());
    const SceneDescription description = describe(resolved, ".");
    RunRequest request;
    request.folder = scratch.path() / folder;
    request.existing = ExistingResults::resume;
    request.scene_json = resolved.dump();
    request.scene_hash = "one";
    request.interrupted = std::move(interrupted);
    return run_simulation(description, build_scene(description, Log()), request, Log());
  }
  Json summary(const char* folder) const {
    return Json::parse(fixtures::read_text(scratch.path() / folder / "summary.json"));
  }
};

// A signal at the k-th time that somebody asks, in what is a long step from then on.
std::function<int()> after_questions(int k) {
  return [k, asked = 0]() mutable {
    if (++asked < k) return 0;
    if (asked == k) std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return SIGINT;
  };
}

class InterruptOf : public InterruptTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(InterruptOf, TheFirstStepsGoesOnBitForBit) {
  const Json scene = interrupted_scene(GetParam());
  ASSERT_EQ(run(scene, "whole", {}).status, "done");
  const Json whole = summary("whole");
  int dropped = 0;
  for (const int k : {2, 9, 20}) {
    const std::string folder = "stopped" + std::to_string(k);
    const RunOutcome stopped = run(scene, folder.c_str(), after_questions(k));
    if (stopped.status == "done") break;  // fewer questions than that
    ++dropped;
    ASSERT_EQ(stopped.status, "interrupted") << k;
    ASSERT_EQ(run(scene, folder.c_str(), {}).status, "done") << k;
    const Json resumed = summary(folder.c_str());
    for (const char* key : {"state_hash", "steps", "energies", "iterations"})
      EXPECT_EQ(resumed.at(key), whole.at(key)) << key << ", stopped at question " << k;
  }
  EXPECT_GE(dropped, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, InterruptOf,
    ::testing::Values(R"({"integrator": "bdf2"})", R"({"integrator": "esdirk43"})",
                      R"({"integrator": "trbdf2", "contact": {"method": "qp"}})",
                      R"({"integrator": "be", "contact": {"method": "unilateral"}})",
                      R"({"integrator": "esdirk32", "time": {"dt": "auto"}})",
                      R"({"integrator": "trbdf2", "solver": {"tolerance": "auto"}})",
                      R"({"integrator": "esdirk32", "time": {"dt": "auto"},
                          "solver": {"tolerance": "auto"}})"));

}  // namespace
}  // namespace pliant
