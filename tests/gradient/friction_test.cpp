// Friction in gradients: what slides over a floor, over a ball and over another body.
#include "gradient/differences.hpp"

namespace pliant {
namespace {

using test::expect_gradient;

// A block that comes down and slides, faster than where friction has its full size and slower. Its
// damping has no kinks, as that with a lagged stiffness has.
Json sliding_block(const std::string& integrator, const Json& lag) {
  Json scene = Json::parse(R"({
    "time": {"dt": 0.005, "duration": 0.12},
    "solver": {"tolerance": 1e-12},
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 2e5, "poisson": 0.3, "density": 1000}},
    "bodies": [
      {"name": "block", "material": "jelly", "mesh": {"box": {"size": [0.3, 0.2, 0.2], "cells": [2, 1, 1]}},
       "damping": [{"model": "rayleigh", "alpha": 0.1}, {"model": "strain-rate", "psi": 100}],
       "transform": {"rotate": [3, 10, 2], "translate": [0.02, 0.119, 0.013]},
       "initial": {"velocity": [0.8, -0.3, 0.2]}}],
    "contact": {"method": "barrier", "distance": 0.01, "energy_guard": false, "friction": 0.3,
                "stick": false, "slip_speed": 0.5}
  })");
  scene["integrator"] = integrator;
  scene["contact"]["lag"] = lag;
  return scene;
}

Json on_a_floor(Json scene) {
  scene["obstacles"] =
      Json::parse(R"([{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}])");
  return scene;
}
Json on_a_ball(Json scene) {
  scene["obstacles"] =
      Json::parse(R"([{"name": "ball", "sphere": {"center": [0.05, -0.5, 0.02], "radius": 0.5}}])");
  return scene;
}
Json on_a_body(Json scene) {
  scene["bodies"].push_back(Json::parse(R"({"name": "base", "material": "jelly",
    "mesh": {"box": {"size": [0.6, 0.1, 0.5], "cells": [2, 1, 2]}},
    "transform": {"translate": [0, -0.051, 0]},
    "pin": [{"box": {"min": [-1, -1, -1], "max": [1, -0.1, 1]}}]})"));
  return scene;
}

const std::vector<std::string> parameters = {
    "contact.friction",      "contact.slip_speed",          "bodies.0.initial.velocity.0",
    "materials.jelly.young", "bodies.0.initial.velocity.1", "gravity.1",
    "bodies.0.damping.1.psi"};

class Friction : public ::testing::TestWithParam<const char*> {};

TEST_P(Friction, OfTheSolutionHasAGradient) {
  expect_gradient(on_a_floor(sliding_block(GetParam(), "exact")), parameters);
  expect_gradient(on_a_ball(sliding_block(GetParam(), "exact")), parameters);
  expect_gradient(on_a_body(sliding_block(GetParam(), "exact")), parameters);
}

// The slip speed is felt by so little that differences over less are made of rounding.
TEST_P(Friction, OfTheStartOfStepsHasAGradient) {
  expect_gradient(on_a_floor(sliding_block(GetParam(), 1)), parameters, {.part = 3e-4});
  expect_gradient(on_a_body(sliding_block(GetParam(), 1)), parameters, {.part = 3e-4});
}

INSTANTIATE_TEST_SUITE_P(Methods, Friction, ::testing::Values("be", "bdf2", "sdirk2", "trbdf2"),
                         [](const auto& info) { return std::string(info.param); });

// A rigid block: what rubs are nodes that follow. Motions are found to nine digits only.
TEST(FrictionOfRigidBodies, GoesOverToWhatTheyFollow) {
  Json scene = on_a_floor(sliding_block("be", "exact"));
  scene["bodies"][0].erase("damping");
  scene["bodies"][0].erase("material");
  scene["bodies"][0]["type"] = "rigid";
  scene["bodies"][0]["density"] = 800;
  expect_gradient(
      scene, {"contact.friction", "contact.slip_speed", "bodies.0.initial.velocity.0", "gravity.1"},
      {.part = 1e-3, .tolerance = 1e-4});
}

// Restitution is friction along the normal.
TEST(Restitution, HasAGradient) {
  Json scene = on_a_floor(sliding_block("be", "exact"));
  scene["contact"]["restitution"] = 0.5;
  scene["contact"].erase(
      "energy_guard");  // with restitution it is needed; here it has nothing to do
  expect_gradient(scene, {"contact.restitution", "contact.friction", "materials.jelly.young"});
}

}  // namespace
}  // namespace pliant
