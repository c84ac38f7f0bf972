// What goes on where a scene is changed while it runs.
#include <pliant/core/error.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/scene_change.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

// Two blocks, the upper one `gap` above the lower and sliding down on it, and a contact.
struct Blocks {
  SceneDescription description;
  BuiltScene built;

  Blocks(double gap, const char* contact)
      : description(describe(resolve(scene(gap, contact), built_vocabulary()), ".")),
        built(build_scene(description, Log())) {}

  static Json scene(double gap, const char* contact) {
    Json made = Json::parse(R"({
      "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5}},
      "integrator": "be",
      "time": {"dt": 0.01, "duration": 1}})");
    double height = 0;
    for (const char* name : {"lower", "upper"}) {
      Json body = Json::parse(R"({"mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}},
                                  "material": "jelly"})");
      body["name"] = name;
      body["transform"]["translate"] = {0, height, 0};
      made["bodies"].push_back(body);
      height += 1 + gap;
    }
    made["bodies"][1]["initial"]["velocity"] = {0.3, -0.5, 0};
    made["contact"] = Json::parse(contact);
    return made;
  }

  State after(int steps) const {
    State state = built.start;
    Pace pace(description, {}, built.rules);
    for (int step = 0; step < steps; ++step)
      EXPECT_TRUE(pace.advance(*built.model.system, state, step, Log()).ok);
    return state;
  }
};

constexpr const char* kNone = R"({"method": "none"})";
constexpr const char* kBarrier = R"({"method": "barrier", "distance": 0.01, "friction": 0.4})";
constexpr const char* kQp = R"({"method": "qp", "distance": 0.01, "friction": 0.4})";

TEST(SceneChange, ContactDoesNotBeginWhereBodiesIntersect) {
  const Blocks before(-0.2, kNone);
  const State state = before.after(3);
  const Blocks next(0.1, kBarrier);
  try {
    require_can_go_on(next.built, state);
    FAIL() << "the blocks intersect";
  } catch (const InfeasibleStart& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("cannot begin now, at 0.03 s"), std::string::npos) << said;
    EXPECT_NE(said.find("\"lower\" and \"upper\" intersect"), std::string::npos) << said;
  }
  // What moves apart by itself whatever has met may begin, and so may no contact.
  EXPECT_NO_THROW(require_can_go_on(Blocks(0.1, kQp).built, state));
  EXPECT_NO_THROW(require_can_go_on(Blocks(0.1, kNone).built, state));
}

TEST(SceneChange, ContactBeginsWhereBodiesAreApart) {
  const Blocks before(0.1, kNone), next(0.1, kBarrier);
  State state = before.after(0);
  ASSERT_NO_THROW(require_can_go_on(next.built, state));
  leave_behind(next.built, state);
  Pace pace(next.description, {}, next.built.rules);
  for (int step = 0; step < 5; ++step)
    ASSERT_TRUE(pace.advance(*next.built.model.system, state, step, Log()).ok);
}

TEST(SceneChange, LeavesBehindWhatOnlyTheContactBeforeKnew) {
  const Blocks barrier(0.005, kBarrier), qp(0.005, kQp), none(0.005, kNone);
  const State rubbed = barrier.after(5), corrected = qp.after(5);
  ASSERT_TRUE(rubbed.friction);
  ASSERT_TRUE(corrected.contact_force);

  State state = rubbed;
  leave_behind(barrier.built, state);  // the same contact goes on with what it knows
  EXPECT_TRUE(state.friction);
  leave_behind(none.built, state);
  EXPECT_FALSE(state.a_known);
  EXPECT_FALSE(state.friction);
  EXPECT_FALSE(state.shares);

  state = corrected;
  leave_behind(qp.built, state);
  EXPECT_TRUE(state.contact_force);
  leave_behind(none.built, state);
  EXPECT_FALSE(state.contact_force);
  state = corrected;
  leave_behind(barrier.built, state);
  EXPECT_FALSE(state.contact_force);
}

}  // namespace
}  // namespace pliant
