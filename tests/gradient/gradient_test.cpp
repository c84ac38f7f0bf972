// Gradients backwards through the motion, against central differences of whole motions.
#include "gradient/bars.hpp"
#include "gradient/differences.hpp"

namespace pliant {
namespace {

using test::expect_gradient;

class Gradient : public ::testing::TestWithParam<const char*> {};

TEST_P(Gradient, IsTheDerivativeByTenNumbersOfAScene) {
  expect_gradient(test::held_bar(GetParam()), test::ten_parameters());
}

TEST_P(Gradient, GoesThroughContact) {
  expect_gradient(test::falling_bar(GetParam()), test::parameters_of_the_fall());
}

INSTANTIATE_TEST_SUITE_P(Methods, Gradient, ::testing::Values("be", "bdf2", "sdirk2", "trbdf2"),
                         [](const auto& info) { return std::string(info.param); });

// Not stiffly accurate, of many stages, or with an acceleration of their own.
TEST(GradientOfOtherMethods, IsTheDerivative) {
  for (const char* method :
       {"midpoint", "trapezoidal", "esdirk43", "sdirk3", "newmark", "generalized-alpha"})
    expect_gradient(test::held_bar(method),
                    {"materials.jelly.young", "gravity.1", "bodies.0.pin.0.motion.velocity.1"});
  // Without what a step freezes, steps start from the acceleration that the last one ended with.
  for (const char* method : {"newmark", "generalized-alpha"}) {
    Json scene = test::held_bar(method);
    scene["bodies"][0]["damping"].erase(0);
    scene["integrator"] = method == std::string("newmark")
                              ? Json{{"type", method}, {"beta", 0.3}, {"gamma", 0.6}}
                              : Json{{"type", method}, {"rho_inf", 0.6}};
    expect_gradient(scene, {"materials.jelly.young", "bodies.0.initial.velocity.1"});
  }
}

TEST(GradientOfOtherMethods, GoesThroughContact) {
  expect_gradient(test::falling_bar("generalized-alpha"),
                  {"materials.jelly.young", "bodies.0.initial.velocity.1"});
}

// What is frozen at the start of a step depends on it: the rotations of corotated bodies, and the
// stiffness that Rayleigh damping takes, made positive where a body is pressed.
TEST(GradientOfLaggedTerms, KnowsWhatAStepFreezes) {
  Json scene = test::held_bar("be");
  scene["materials"]["jelly"]["model"] = "corotated";
  expect_gradient(scene, {"materials.jelly.young", "bodies.0.initial.velocity.1"});
  scene = test::held_bar("trbdf2");
  scene["materials"]["jelly"]["model"] = "stvk";
  scene["bodies"][0]["initial"]["deform"] = {{0.8, 0, 0}, {0, 0.85, 0}, {0, 0, 0.9}};
  expect_gradient(scene, {"materials.jelly.young", "bodies.0.damping.0.beta"});
}

// Their shape is kept by a potential so stiff that motions are found to nine digits, not twelve,
// and differences of them need a longer way; without the kinks of Rayleigh damping there can be
// one.
TEST(GradientOfRigidBodies, GoesThroughWhatFollows) {
  for (const char* method : {"be", "sdirk2", "trbdf2", "generalized-alpha"}) {
    Json scene = test::held_bar(method);
    scene["bodies"][0]["damping"].erase(0);
    scene["bodies"].push_back(Json::parse(R"({"name": "ball", "type": "rigid", "density": 500,
      "mesh": {"box": {"size": [0.2, 0.3, 0.1], "cells": [1, 1, 1]}},
      "transform": {"translate": [0.9, 0.2, 0]}, "initial": {"angular_velocity": [1, 2, 3]}})"));
    scene["forces"].push_back(Json::parse(R"({"spring":
      {"between": ["bar", [0.5, 0.1, 0.1], "ball", [0.85, 0.3, 0.05]], "stiffness": 2000}})"));
    expect_gradient(
        scene,
        {"bodies.1.density", "forces.1.spring.stiffness", "bodies.1.initial.angular_velocity.2"},
        {.part = 5e-2, .tolerance = 1e-4, .felt = 1e-3});
  }
}

// The state at the beginning, by the change of a coordinate there.
TEST(GradientByTheStart, IsTheDerivativeByInitialVelocity) {
  GradientInput input{.document = test::held_bar("sdirk2"),
                      .base_folder = {},
                      .parameters = {"bodies.0.initial.velocity.2"},
                      .objective = test::everywhere};
  const SceneGradient found = scene_gradient(input, Log());
  double sum = 0;  // of all nodes that no pin holds: they start with this velocity
  for (Eigen::Index i = 2; i < found.start.v.size(); i += 3) sum += found.start.v[i];
  EXPECT_GT(std::abs(sum), 1e-6);
  // Pinned nodes have the velocity of their pin, of which nothing is felt.
  EXPECT_NEAR(sum, found.gradient[0], 1e-9 * std::abs(sum));
}

}  // namespace
}  // namespace pliant
