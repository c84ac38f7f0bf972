// Constraints in gradients: joints, springs, motors and limits, with all methods that take them.
#include "gradient/differences.hpp"
#include "support/names.hpp"

namespace pliant {
namespace {

using test::expect_gradient;

class Constraints : public ::testing::TestWithParam<const char*> {};

// A bar on a rod, with hard and compliant rows whose curvature a step starts from; where nothing is
// frozen at the start of steps, they start from the acceleration of the last one instead.
TEST_P(Constraints, OfPointsHaveAGradient) {
  for (const bool lags : {true, false}) {
    Json scene = test::held_bar(GetParam());
    if (!lags) scene["bodies"][0]["damping"].erase(0);
    scene["solver"]["stabilize"] = false;
    scene["constraints"] = Json::parse(R"([
      {"type": "distance", "between": ["bar", [0.5, 0.1, 0.1], "world", [1.5, 1, 0]]},
      {"type": "distance", "between": ["bar", [0.1, 0.1, 0.1], "world", [0.5, 1, 0.3]],
       "compliance": 1e-3, "damping": 30}])");
    expect_gradient(scene, {"gravity.1", "materials.jelly.young", "bodies.0.initial.velocity.1",
                            "bodies.0.pin.0.motion.velocity.1", "constraints.1.compliance",
                            "constraints.1.damping"});
  }
}

// A rigid body that hangs from the bar by a ball joint and from the world by a compliant rod; the
// damping of the bar makes the matrices nonsymmetric in one case and not in the other.
TEST_P(Constraints, OfRigidBodiesHaveAGradient) {
  for (const bool symmetric : {true, false}) {
    Json scene = test::held_bar(GetParam());
    if (symmetric) scene["bodies"][0]["damping"].erase(1);
    scene["solver"]["stabilize"] = false;
    scene["bodies"].push_back(Json::parse(R"({"name": "weight", "type": "rigid", "density": 400,
      "mesh": {"box": {"size": [0.2, 0.3, 0.1], "cells": [1, 1, 1]}},
      "transform": {"translate": [0.7, 0.1, 0.1]}})"));
    scene["constraints"] = Json::parse(R"([
      {"type": "ball", "between": ["bar", [0.5, 0.1, 0.1], "weight", [0.5, 0.1, 0.1]]},
      {"type": "distance", "between": ["weight", [0.8, 0.2, 0.1], "world", [1.5, 1, 0]],
       "compliance": 1e-3}])");
    expect_gradient(scene, {"bodies.1.density", "constraints.1.compliance", "gravity.1",
                            "materials.jelly.young", "bodies.0.pin.0.motion.velocity.1"});
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Constraints,
                         ::testing::Values("be", "bdf2", "trbdf2", "trbdf2b", "esdirk32",
                                           "esdirk43", "generalized-alpha"),
                         test::method_name<const char*>);

// Two rigid bodies in a row on hinges, of which the second is driven, held or stopped.
Json arm(const std::string& integrator, const Json& second) {
  Json scene = Json::parse(R"({
    "time": {"dt": 0.01, "duration": 0.3},
    "solver": {"tolerance": 1e-12, "stabilize": false},
    "materials": {},
    "bodies": [
      {"name": "arm", "type": "rigid", "density": 500, "transform": {"translate": [0.3, 0, 0]},
       "mesh": {"box": {"size": [0.6, 0.1, 0.12], "cells": [1, 1, 1]}}},
      {"name": "hand", "type": "rigid", "density": 300, "transform": {"translate": [0.8, 0, 0]},
       "mesh": {"box": {"size": [0.4, 0.1, 0.08], "cells": [1, 1, 1]}}}],
    "constraints": [
      {"type": "hinge", "between": ["arm", [0, 0, 0], "world", [0, 0, 0]], "axis": [0, 0, 1]},
      {"type": "hinge", "between": ["arm", [0.6, 0, 0], "hand", [0.6, 0, 0]], "axis": [0, 0.3, 1]}],
    "energy": "off"
  })");
  scene["integrator"] = integrator;
  scene["constraints"][1].update(second);
  return scene;
}

class Driven : public ::testing::TestWithParam<const char*> {
 protected:
  void expect(const char* second, std::vector<std::string> parameters) {
    parameters.insert(parameters.end(), {"gravity.1", "bodies.1.density"});
    expect_gradient(arm(GetParam(), Json::parse(second)), std::move(parameters),
                    {.part = 2e-4, .tolerance = 1e-6});
  }
};

TEST_P(Driven, ByASpeedHasAGradient) {
  expect(R"({"motor": {"speed": 2}})", {"constraints.1.motor.speed"});
}
TEST_P(Driven, AlongACurveHasAGradient) {
  expect(R"({"motor": {"curve": [[0, 0], [0.1, 0.1], [0.3, 0.5]]}})",
         {"constraints.1.motor.curve.2.1"});
}
TEST_P(Driven, ByADampedSpringHasAGradient) {
  expect(R"({"motor": {"angle": 0.5, "compliance": 0.02, "damping": 2}})",
         {"constraints.1.motor.angle", "constraints.1.motor.compliance",
          "constraints.1.motor.damping"});
}
// Too weak for the speed it is meant to have: what counts is its strength.
TEST_P(Driven, ByAWeakMotorHasAGradient) {
  expect(R"({"motor": {"speed": 9, "max": 2}})", {"constraints.1.motor.max"});
}
TEST_P(Driven, AgainstALimitHasAGradient) {
  expect(R"({"limits": [-0.2, 0.15]})", {"constraints.1.limits.0"});
}

INSTANTIATE_TEST_SUITE_P(Methods, Driven, ::testing::Values("be", "trbdf2"),
                         [](const auto& info) { return std::string(info.param); });

// What is held of whole bodies.
TEST(ConstraintsOfBodies, HaveAGradient) {
  Json scene = test::held_bar("trbdf2");
  scene["constraints"] = Json::parse(R"([{"type": "volume", "body": "bar"}])");
  expect_gradient(scene, {"gravity.1", "materials.jelly.young"});
}

}  // namespace
}  // namespace pliant
