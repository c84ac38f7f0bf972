// Gradients backwards through the motion, against central differences of whole motions.
#include "gradient/bars.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

// Differences of whole motions over h and h/2, extrapolated: free of the error of second order.
double difference(const GradientInput& input, std::size_t k, const std::vector<double>& at) {
  const auto over = [&](double h) {
    std::vector<double> above = at, below = at;
    above[k] += h;
    below[k] -= h;
    return (scene_objective(input, above, Log()) - scene_objective(input, below, Log())) / (2 * h);
  };
  const double h = 2e-3 * std::max(std::abs(at[k]), 1e-2);
  return (4 * over(h / 2) - over(h)) / 3;
}

void expect_gradient(Json scene, std::vector<std::string> parameters) {
  GradientInput input{.document = std::move(scene),
                      .base_folder = {},
                      .parameters = std::move(parameters),
                      .objective = test::everywhere};
  const SceneGradient found = scene_gradient(input, Log());
  EXPECT_EQ(found.value, scene_objective(input, {}, Log()));
  for (std::size_t k = 0; k < input.parameters.size(); ++k) {
    const double wanted = difference(input, k, found.parameters);
    EXPECT_GT(std::abs(wanted * found.parameters[k]), 1e-7) << input.parameters[k];
    EXPECT_NEAR(found.gradient[k], wanted, 1e-5 * std::abs(wanted)) << input.parameters[k];
  }
}

class Gradient : public ::testing::TestWithParam<const char*> {};

TEST_P(Gradient, IsTheDerivativeByTenNumbersOfAScene) {
  expect_gradient(test::held_bar(GetParam()), test::ten_parameters());
}

TEST_P(Gradient, GoesThroughContact) {
  expect_gradient(test::falling_bar(GetParam()), test::parameters_of_the_fall());
}

INSTANTIATE_TEST_SUITE_P(Methods, Gradient, ::testing::Values("be", "bdf2", "sdirk2", "trbdf2"),
                         [](const auto& info) { return std::string(info.param); });

// Not stiffly accurate, and of many stages.
TEST(GradientOfOtherMethods, GoesThroughMidpointAndEsdirk43) {
  for (const char* method : {"midpoint", "esdirk43", "sdirk3"})
    expect_gradient(test::held_bar(method), {"materials.jelly.young", "gravity.1"});
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

TEST(GradientOfRigidBodies, GoesThroughWhatFollows) {
  Json scene = test::held_bar("trbdf2");
  Json& bodies = scene["bodies"];
  bodies.push_back(Json::parse(R"({"name": "ball", "type": "rigid", "density": 500,
    "mesh": {"box": {"size": [0.2, 0.3, 0.1], "cells": [1, 1, 1]}}, "transform": {"translate": [0.9, 0.2, 0]},
    "initial": {"angular_velocity": [1, 2, 3]}})"));
  scene["forces"].push_back(Json::parse(
      R"({"spring": {"between": ["bar", [0.5, 0.1, 0.1], "ball", [0.85, 0.3, 0.05]], "stiffness": 200}})"));
  expect_gradient(scene, {"bodies.1.density", "forces.1.spring.stiffness",
                          "bodies.1.initial.angular_velocity.2"});
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
