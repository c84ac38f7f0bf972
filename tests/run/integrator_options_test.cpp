// What the list of integrators says of options, and what a scene accepts, are the same.
#include <pliant/core/error.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/description.hpp>
#include <pliant/scene/resolve.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace pliant {
namespace {

Json scene_of_integrator(const Json& integrator) {
  Json scene = Json::parse(R"({
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5}},
    "bodies": [{"name": "beam", "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "material": "jelly"}]
  })");
  scene["integrator"] = integrator;
  return scene;
}

TEST(IntegratorOptions, OfTheListAreThoseOfTheScene) {
  const std::map<std::string, Json> values = {{"rho_inf", 0.5},
                                              {"beta", 0.3},
                                              {"gamma", 0.6},
                                              {"modes", 4},
                                              {"refresh", 2},
                                              {"variant", "paper"},
                                              {"krylov_tolerance", 1e-6}};
  const Vocabulary words = built_vocabulary();
  for (const IntegratorInfo& info : integrators()) {
    std::istringstream listed{std::string(info.options)};
    const std::set<std::string> own(std::istream_iterator<std::string>(listed), {});
    for (const auto& [key, value] : values) {
      const Json integrator = {{"type", std::string(info.name)}, {key, value}};
      if (own.contains(key))
        EXPECT_NO_THROW(resolve(scene_of_integrator(integrator), words))
            << info.name << ", " << key;
      else
        EXPECT_THROW(resolve(scene_of_integrator(integrator), words), InputError)
            << info.name << ", " << key;
    }
  }
}

TEST(IntegratorOptions, ReachTheStepper) {
  const Vocabulary words = built_vocabulary();
  const auto options = [&](const char* integrator) {
    return integrator_options(
        describe(resolve(scene_of_integrator(Json::parse(integrator)), words), "."));
  };
  EXPECT_EQ(options(R"({"type": "generalized-alpha", "rho_inf": 0.3})").rho_inf, 0.3);
  EXPECT_EQ(options(R"({"type": "siere", "modes": 3, "refresh": "never"})").refresh, kRefreshNever);
  EXPECT_EQ(options(R"({"type": "siere", "refresh": "auto"})").refresh, kRefreshAuto);
  EXPECT_TRUE(options(R"({"type": "bdf2ere", "variant": "paper"})").paper);
  EXPECT_FALSE(options(R"("bdf2ere")").paper);
  for (const IntegratorInfo& info : integrators())
    EXPECT_EQ(make_stepper(info.name, {})->name(), info.name);
}

}  // namespace
}  // namespace pliant
