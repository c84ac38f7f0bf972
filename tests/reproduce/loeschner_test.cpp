// What LOESCHNER's cases rely on: runs that stop when asked to, and scattered bodies that recover.
#include <pliant/reproduce/method_run.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace pliant {
namespace {

StudyScene load_block(const std::string&, const std::vector<std::string>& settings) {
  Json document = parse_json(R"json({
    "time": {"dt": 0.005, "duration": 0.5}, "gravity": [0, 0, 0],
    "solver": {"linear": "cholesky"},
    "materials": {"m": {"model": "stable-neo-hookean", "young": 1e6, "poisson": 0.4}},
    "bodies": [{"name": "block", "material": "m",
                "mesh": {"box": {"size": [1, 1, 1], "cells": [3, 3, 3]}},
                "damping": [{"model": "rayleigh", "beta": 1e-3}]}]})json",
                             "block.json");
  for (const std::string& setting : settings) apply_setting(document, setting);
  const Json resolved = resolve(document, built_vocabulary(), "block.json");
  return {describe(resolved, {}, "block.json"), pretty(resolved), "block"};
}

CaseContext context_of_block() {
  CaseContext context;
  context.load = load_block;
  return context;
}

double min_det(const CaseScene& scene, const State& state) {
  return scene.built.model.bodies[0]
      .batches[0]
      .term->extremes({state.t, view(state.q), view(state.v), nullptr})
      .min_det;
}

double elastic(const CaseScene& scene, const State& state) {
  return scene.built.model.system->energies({state.t, view(state.q), view(state.v), nullptr})
      .elastic;
}

struct Recovery : ::testing::TestWithParam<std::pair<const char*, const char*>> {};

// As in the case `extreme`, which scatters a larger body.
TEST_P(Recovery, ScatteredBlockFindsBackToItsShape) {
  const auto [law, integrator] = GetParam();
  CaseScene scene =
      load_case_scene(context_of_block(), "block", {std::string("materials.m.model=") + law});
  // Every node moved by up to half the block's size: three cells. (A block shrunk to a random heap
  // may end in a fold of its own, which is an equilibrium too.)
  std::mt19937 random(7);
  const Vector& rest = scene.built.model.system->rest();
  for (Eigen::Index i = 0; i < rest.size(); ++i)
    scene.built.start.q[i] = rest[i] + static_cast<double>(random()) / 4294967296.0 - 0.5;
  ASSERT_LT(min_det(scene, scene.built.start), -5);  // far beyond inversion
  TrajectoryRequest request = request_of(scene.description);
  request.integrator = integrator;
  const MethodRun run = run_method(context_of_block(), scene.built, request);
  ASSERT_TRUE(run.complete) << run.trajectory.reason;
  EXPECT_GT(min_det(scene, run.trajectory.end), 0);
  EXPECT_LT(elastic(scene, run.trajectory.end), 0.01 * elastic(scene, scene.built.start));
}

INSTANTIATE_TEST_SUITE_P(Methods, Recovery,
                         ::testing::Values(std::pair("stable-neo-hookean", "be"),
                                           std::pair("stable-neo-hookean", "sdirk2"),
                                           std::pair("stable-neo-hookean", "sdirk3"),
                                           std::pair("fixed-corotated", "be"),
                                           std::pair("fixed-corotated", "sdirk2"),
                                           std::pair("fixed-corotated", "sdirk3")),
                         [](const auto& test) {
                           std::string name =
                               std::string(test.param.first) + "_" + test.param.second;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(MethodRun, EndsWhereItIsInterruptedAndSaysSo) {
  CaseContext context = context_of_block();
  const CaseScene scene = load_case_scene(context, "block", {});
  int seen = 0;
  context.interrupted = [&] { return seen >= 3 ? 2 : 0; };
  TrajectoryRequest request = request_of(scene.description);
  request.observe = [&](const State&) { return ++seen < 100; };
  const MethodRun run = run_method(context, scene.built, request);
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.trajectory.steps, 3);  // the fourth sees the signal and is dropped
  EXPECT_EQ(seen, 3);
}

TEST(MethodRun, CountsNewtonIterationsPerStep) {
  const CaseScene scene = load_case_scene(context_of_block(), "block", {"gravity=[0,-9.81,0]"});
  const MethodRun run = run_method(context_of_block(), scene.built, request_of(scene.description));
  ASSERT_TRUE(run.complete);
  EXPECT_EQ(run.trajectory.steps, 100);
  EXPECT_DOUBLE_EQ(run.newton_per_step() * 100, static_cast<double>(run.trajectory.newton));
  EXPECT_NEAR(scene.mass(), 1000, 1e-9);  // a cubic metre
}

}  // namespace
}  // namespace pliant
