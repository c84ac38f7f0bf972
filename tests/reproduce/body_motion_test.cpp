// What the cases about contact measure: motion of a body as a whole, a start at rest on the floor,
// and the rules of contact that a run in memory keeps.
#include <pliant/reproduce/body_motion.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

StudyScene load_blocks(const std::string&, const std::vector<std::string>& settings) {
  Json document = parse_json(R"json({
    "time": {"dt": 0.01, "duration": 0.3},
    "materials": {"m": {"model": "stable-neo-hookean", "young": 1e6, "poisson": 0.3}},
    "bodies": [{"name": "low", "material": "m", "transform": {"translate": [0, 0.251, 0]},
                "mesh": {"box": {"size": [1, 0.5, 1], "cells": [2, 1, 2], "element": "hex8"}}},
               {"name": "high", "material": "m", "transform": {"translate": [3, 2, 1]},
                "initial": {"velocity": [1, 2, 3], "angular_velocity": [0.5, -1, 2]},
                "mesh": {"box": {"size": [0.4, 0.5, 0.6], "cells": [2, 2, 2]}}}],
    "contact": {"method": "barrier", "distance": 0.002, "friction": 0.5},
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]})json",
                             "blocks.json");
  for (const std::string& setting : settings) apply_setting(document, setting);
  const Json resolved = resolve(document, built_vocabulary(), "blocks.json");
  return {describe(resolved, {}, "blocks.json"), pretty(resolved), "blocks"};
}

CaseContext context_of_blocks() {
  CaseContext context;
  context.load = load_blocks;
  return context;
}

TEST(BodyMotion, IsThatOfEachBodyAlone) {
  const CaseScene scene = load_case_scene(context_of_blocks(), "blocks", {});
  const System& system = *scene.built.model.system;
  const Body& high = scene.built.model.bodies[1];
  const BodyMotion motion = motion_of(system, high, scene.built.start);
  EXPECT_LT((motion.centre - Vec3(3, 2, 1)).norm(), 1e-12);
  EXPECT_LT((motion.velocity - Vec3(1, 2, 3)).norm(), 1e-12);
  EXPECT_LT((motion.spin - Vec3(0.5, -1, 2)).norm(), 1e-12);
  // m v²/2 + ω·I ω/2 with the moments m (b² + c²)/12 of a box.
  const double m = 120;
  const Vec3 I = m / 12 * Vec3(0.25 + 0.36, 0.16 + 0.36, 0.16 + 0.25);
  const double spinning = 0.5 * (I.x() * 0.25 + I.y() * 1 + I.z() * 4);
  EXPECT_NEAR(motion.kinetic, 0.5 * m * 14 + spinning, 1e-9);
  const BodyMotion low = motion_of(system, scene.built.model.bodies[0], scene.built.start);
  EXPECT_EQ(low.kinetic, 0);
}

TEST(BodyMotion, IsPushedByTheVelocityGiven) {
  CaseScene scene = load_case_scene(context_of_blocks(), "blocks", {});
  const Body& low = scene.built.model.bodies[0];
  push(low, Vec3(2, 0, -1), scene.built.start);
  const System& system = *scene.built.model.system;
  EXPECT_LT((motion_of(system, low, scene.built.start).velocity - Vec3(2, 0, -1)).norm(), 1e-12);
  const Body& high = scene.built.model.bodies[1];
  EXPECT_LT((motion_of(system, high, scene.built.start).velocity - Vec3(1, 2, 3)).norm(), 1e-12);
}

// From where it has settled it does not move any more.
TEST(Settle, LeavesABlockAtRestOnTheFloor) {
  CaseContext context = context_of_blocks();
  CaseScene scene = load_case_scene(context, "blocks", {"bodies.1.initial.velocity=[0,0,0]"});
  ASSERT_TRUE(settle(context, scene, 0.02, 0.6));
  EXPECT_EQ(scene.built.start.v.norm(), 0);
  EXPECT_EQ(scene.built.start.t, 0);
  const Body& low = scene.built.model.bodies[0];
  const System& system = *scene.built.model.system;
  const MethodRun run = run_method(context, scene.built, request_of(scene.description));
  ASSERT_TRUE(run.complete) << run.trajectory.reason;
  EXPECT_GT(run.trajectory.contacts, 0);
  const Vec3 before = motion_of(system, low, scene.built.start).centre;
  EXPECT_LT((motion_of(system, low, run.trajectory.end).centre - before).norm(), 1e-6);
}

TEST(FitLine, FindsALineExactlyAndItsSlopeAmidNoiseThatCancels) {
  const LineFit exact = fit_line({0, 1, 3}, {2, 1.5, 0.5});
  EXPECT_NEAR(exact.slope, -0.5, 1e-15);
  EXPECT_NEAR(exact.at_zero, 2, 1e-15);
  EXPECT_NEAR(fit_line({0, 1, 2, 3}, {1, -1, -1, 1}).slope, 0, 1e-15);
}

}  // namespace
}  // namespace pliant
