// What has no gradient is refused in words.
#include <pliant/core/error.hpp>

#include "gradient/bars.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

std::string refusal(Json scene, std::vector<std::string> parameters = {"gravity.1"}) {
  try {
    static_cast<void>(scene_gradient({.document = std::move(scene),
                                      .base_folder = {},
                                      .name = "scene.json",
                                      .parameters = std::move(parameters),
                                      .objective = test::everywhere},
                                     Log()));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

using ::testing::HasSubstr;

TEST(GradientRefuses, ParametersThatAreNoNumbersOfTheScene) {
  const Json scene = test::held_bar("be");
  EXPECT_THAT(refusal(scene, {"materials.jely.young"}),
              HasSubstr("parameter \"materials.jely.young\": the scene has nothing there"));
  EXPECT_THAT(refusal(scene, {"materials.jelly.model"}), HasSubstr("is a string, not a number"));
  EXPECT_THAT(refusal(scene, {""}), HasSubstr("parameter \"\""));
  EXPECT_THAT(refusal(scene, {"bodies.7.density"}), HasSubstr("nothing there"));
  Json stiff = scene;
  stiff["materials"]["jelly"]["poisson"] = 0.4999999;
  EXPECT_THAT(refusal(stiff, {"materials.jelly.poisson"}), HasSubstr("cannot be built with"));
}

TEST(GradientRefuses, WhatHasNoGradient) {
  Json scene = test::held_bar("ros3pl");
  EXPECT_THAT(refusal(scene), HasSubstr("\"ros3pl\" is no list of them; be, bdf2"));
  scene = test::held_bar("be");
  scene["time"]["dt"] = "auto";
  EXPECT_THAT(refusal(scene), HasSubstr("steps that are chosen on the way"));
  scene = test::falling_bar("be");
  scene["contact"]["friction"] = 0.3;
  EXPECT_THAT(refusal(scene),
              HasSubstr("friction that sticks, which keeps how far each contact was "
                        "strained; \"contact.stick\": false has gradients"));
  scene["contact"]["stick"] = false;
  EXPECT_THAT(refusal(scene), HasSubstr("\"contact.lag\": \"exact\" has gradients, and so has 1"));
  scene = test::falling_bar("be");
  scene["contact"] = {{"method", "qp"}};
  EXPECT_THAT(refusal(scene), HasSubstr("contact method \"qp\"; take \"barrier\""));
  scene = test::held_bar("be");
  scene["bodies"][0]["pin"][0]["from"] = 0.1;
  EXPECT_THAT(refusal(scene), HasSubstr("pins that begin later"));
  scene = test::held_bar("be");
  scene["constraints"] =
      Json::parse(R"([{"type": "distance", "between": ["bar", [0.5, 0, 0], "world", [1, 0, 0]]}])");
  scene["solver"]["stabilize"] = true;
  EXPECT_THAT(refusal(scene), HasSubstr("\"solver.stabilize\"; leave it out"));
  scene["solver"].erase("stabilize");
  scene["bodies"].push_back(Json::parse(R"({"name": "ball", "type": "rigid", "density": 500,
    "formulation": "se3", "mesh": {"box": {"size": [0.2, 0.3, 0.1], "cells": [1, 1, 1]}},
    "transform": {"translate": [2, 0, 0]}})"));
  EXPECT_THAT(refusal(scene), HasSubstr("\"formulation\": \"affine\" has gradients"));
  scene = Json::parse(
      R"({"time": {"dt": 0.01, "duration": 0.1}, "integrator": "generalized-alpha", "materials": {},
    "bodies": [{"name": "arm", "type": "rigid", "density": 500,
                "mesh": {"box": {"size": [0.6, 0.1, 0.1], "cells": [1, 1, 1]}}}],
    "constraints": [{"type": "hinge", "between": ["arm", [0, 0, 0], "world", [0, 0, 0]],
                     "axis": [0, 0, 1], "limits": [-0.2, 0.15]}]})");
  EXPECT_THAT(refusal(scene), HasSubstr("with generalized-alpha; be and trbdf2 can"));
  scene["constraints"][0].erase("limits");
  EXPECT_THAT(refusal(scene), HasSubstr("as those of generalized-alpha are; \"solver.stabilize\""));
  scene["solver"]["stabilize"] = false;
  EXPECT_EQ(refusal(scene), "");  // now it has one
  scene = test::held_bar("be");
  scene["bodies"][0]["plasticity"] = {{"yield", 0.1}};
  EXPECT_THAT(refusal(scene), HasSubstr("plasticity"));
  scene = test::held_bar("be");
  scene["bodies"][0]["damping"] = Json::parse(R"([{"model": "modal", "ratio": 0.1, "modes": 2}])");
  EXPECT_THAT(refusal(scene), HasSubstr("\"modal\" damping; \"strain-rate\" and \"rayleigh\""));
  scene = test::held_bar("be");
  scene["solver"]["type"] = "admm";
  EXPECT_THAT(refusal(scene), HasSubstr("solver \"admm\"; take \"newton\""));
}

TEST(GradientRefuses, ObjectivesThatAreNotFinite) {
  GradientInput input{.document = test::held_bar("be"),
                      .base_folder = {},
                      .parameters = {"gravity.1"},
                      .objective = [](const BuiltScene&) -> Objective {
                        return [](const ObjectivePoint&, std::span<double>, std::span<double>) {
                          return std::nan("");
                        };
                      }};
  EXPECT_THROW(static_cast<void>(scene_gradient(input, Log())), InputError);
}

}  // namespace
}  // namespace pliant
