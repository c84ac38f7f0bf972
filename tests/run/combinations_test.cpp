// What makes no sense together is refused at its place in the scene; what is merely not read gets a
// word.
#include <pliant/core/error.hpp>
#include <pliant/core/refusals.hpp>
#include <pliant/run/combinations.hpp>
#include <pliant/run/dear_keys.hpp>
#include <pliant/run/loaded_scene.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pliant {
namespace {

// A pinned body in the scene, with `changes` to it.
SceneDescription scene_with(const char* changes) {
  Json scene = Json::parse(R"({
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5}},
    "bodies": [{"name": "cube", "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "material": "jelly",
                "pin": [{"box": {"min": [-1, -1, -1], "max": [0, 1, 1]}}]}]
  })");
  scene.merge_patch(Json::parse(changes));
  return describe(resolve(scene, built_vocabulary()), ".", "s.json");
}

std::string refusal(const char* changes) {
  try {
    const Pace pace(scene_with(changes));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

// Is what was said one of the list, with something in place of every {}?
bool is_listed(const std::string& words) {
  for (const RefusalInfo& info : refusals()) {
    std::size_t at = 0;
    bool all = true;
    for (std::string_view left = info.why; all && !left.empty();) {
      const std::size_t hole = left.find("{}");
      at = words.find(left.substr(0, hole), at);
      all = at != std::string::npos;
      left = hole == std::string_view::npos ? "" : left.substr(hole + 2);
    }
    if (all) return true;
  }
  return false;
}

TEST(Refusals, AreToldFromOtherWords) {
  EXPECT_TRUE(is_listed(words_of(Refusal::cloth_law, "silk", "arap", "stvk")));
  EXPECT_FALSE(is_listed("s.json#/time: must be above 0"));
}

struct Case {
  const char *changes, *place, *reason;
};

std::string with_constraint(const std::string& more) {
  return R"({"constraints": [{"type": "volume", "name": "v", "body": "cube"}], )" + more + "}";
}

TEST(Combinations, AreRefusedAtTheirPlace) {
  const Case cases[] = {
      {R"({"integrator": "rk4", "contact": {"method": "barrier"}})",
       "s.json#/integrator: ", "esdirk43"},
      {R"({"solver": {"type": "admm"}, "contact": {"method": "barrier"}})",
       "s.json#/solver: ", "newton can meet it"},
      {R"({"contact": {"method": "admm", "self": false}})",
       "s.json#/contact: ", "needs solver admm"},
      {R"({"integrator": "midpoint", "solver": {"type": "admm"},
           "contact": {"method": "admm", "self": false}})",
       "s.json#/integrator: ", "trbdf2"},
      {R"({"integrator": "be", "solver": {"type": "admm"}, "contact": {"method": "admm", "self": false},
           "probes": [{"name": "f", "force_on": "cube"}]})",
       "s.json#/probes/0/force_on: ", "unilateral do"},
      {R"({"solver": {"type": "admm"}, "integrator": "rk4"})", "s.json#/solver: ", "no stage"},
      {R"({"solver": {"type": "admm"}, "integrator": "ros3pl"})", "s.json#/solver: ", "no stage"},
      {R"({"solver": {"type": "admm"}, "integrator": "siere"})", "s.json#/solver: ", "no stage"},
      {R"({"solver": {"type": "admm"}, "integrator": "beere"})", "s.json#/solver: ", "holds modes"},
      {R"({"solver": {"linear": "minres"}})", "s.json#/solver/linear: ", "pcg"},
      {R"({"solver": {"stabilize": true}})", "s.json#/solver/stabilize: ", "no constraints"},
      {R"({"integrator": "be", "time": {"dt": "auto"}})",
       "s.json#/integrator: ", "no error estimate"},
  };
  for (const auto& [changes, place, reason] : cases) {
    const std::string words = refusal(changes);
    EXPECT_EQ(words.find(place), 0U) << changes << "\n" << words;
    EXPECT_NE(words.find(reason), std::string::npos) << changes << "\n" << words;
    EXPECT_TRUE(is_listed(words)) << words;
  }
}

TEST(Combinations, WithConstraintsAreRefusedAtTheirPlace) {
  const Case cases[] = {
      {R"("integrator": "sdirk2")", "s.json#/integrator: ", "trbdf2"},
      {R"("integrator": {"type": "generalized-alpha", "rho_inf": 1})",
       "s.json#/integrator: ", "0.9"},
      {R"("solver": {"type": "admm"})", "s.json#/solver: ", "newton"},
      {R"("contact": {"method": "qp"})", "s.json#/contact: ", "unilateral"},
  };
  for (const auto& [more, place, reason] : cases) {
    const std::string words = refusal(with_constraint(more).c_str());
    EXPECT_EQ(words.find(place), 0U) << more << "\n" << words;
    EXPECT_NE(words.find(reason), std::string::npos) << more << "\n" << words;
  }
  EXPECT_EQ(
      refusal(with_constraint(R"("solver": {"linear": "minres", "stabilize": true})").c_str()), "");
}

// Whatever the list says can meet contact does so by a barrier; with qp all do.
TEST(Combinations, OfEveryIntegratorAndContactAreTakenOrRefused) {
  for (const IntegratorInfo& info : integrators())
    for (const std::string method : {"barrier", "qp", "unilateral"}) {
      const std::string words = refusal((R"({"integrator": ")" + std::string(info.name) +
                                         R"(", "contact": {"method": ")" + method + R"("}})")
                                            .c_str());
      EXPECT_EQ(words.empty(), method != "barrier" || can_meet_contact(info.name))
          << info.name << ", " << method << ": " << words;
    }
}

TEST(DearKeys, AreThoseThatCostSomethingHere) {
  const auto keys = [](const char* changes) {
    std::vector<std::string> out;
    for (const std::string& line : dear_keys(scene_with(changes)))
      out.push_back(line.substr(0, line.find(':')));
    return out;
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(R"({"integrator": "be", "solver": {"tolerance": 1e-3}})"), Keys{});
  EXPECT_EQ(keys(R"({"integrator": "esdirk43", "contact": {"friction": 0.3},
                     "solver": {"reuse": false}})"),
            (Keys{"integrator", "solver.tolerance", "contact.lag", "solver.reuse"}));
  EXPECT_EQ(keys(R"({"contact": {"friction": 0.3, "lag": 1}, "solver": {"tolerance": 1e-4}})"),
            Keys{});
  EXPECT_EQ(keys(R"({"integrator": "be", "solver": {"tolerance": "auto"}})"), Keys{});
  EXPECT_EQ(keys(R"({"integrator": "rk4"})"), Keys{});
}

TEST(Oddities, NameKeysThatAreNotRead) {
  const auto word = [](const char* changes) {
    const std::vector<std::string> words = oddities(scene_with(changes));
    return words.empty() ? std::string() : words.front();
  };
  EXPECT_EQ(word("{}"), "");
  EXPECT_NE(word(R"({"solver": {"iterations": 5}})").find("#/solver: "), std::string::npos);
  EXPECT_EQ(word(R"({"solver": {"type": "admm", "iterations": 5}})"), "");
  EXPECT_NE(word(R"({"contact": {"method": "barrier", "slip_speed": 1}})").find("/slip_speed: "),
            std::string::npos);
  EXPECT_EQ(word(R"({"contact": {"method": "barrier", "slip_speed": 1, "stick": false}})"), "");
  EXPECT_NE(word(R"({"contact": {"method": "qp", "stiffness": 1e5}})").find("/stiffness: "),
            std::string::npos);
  EXPECT_EQ(word(R"({"contact": {"method": "barrier", "stiffness": 1e5}})"), "");
  const char* bounces =
      R"({"integrator": "be", "contact": {"method": "barrier", "restitution": 0.5}})";
  EXPECT_NE(word(bounces).find("/restitution: be stops"), std::string::npos);
  EXPECT_EQ(
      word(R"({"integrator": "trbdf2", "contact": {"method": "barrier", "restitution": 0.5}})"),
      "");
  EXPECT_NE(word(R"({"contact": {"method": "none", "friction": 0.5}})").find("nothing touches"),
            std::string::npos);
}

}  // namespace
}  // namespace pliant
