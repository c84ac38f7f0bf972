#include <pliant/scene/setting.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scene/example.hpp"

namespace pliant {
namespace {

using test::message_of;
using testing::HasSubstr;

Json with(const std::string& assignment) {
  Json scene = parse_json(test::full_scene(), "t");
  apply_setting(scene, assignment);
  return scene;
}

std::string refusal_of_setting(const std::string& assignment) {
  Json scene = parse_json(test::full_scene(), "t");
  const Json before = scene;
  const std::string message = message_of([&] { apply_setting(scene, assignment); });
  EXPECT_EQ(scene, before) << "a refused setting must change nothing";
  return message;
}

TEST(ApplySetting, SetsValuesByPath) {
  EXPECT_EQ(with("time.dt=0.002")["time"]["dt"], 0.002);
  EXPECT_EQ(with("bodies.0.damping.0.beta=1e-3")["bodies"][0]["damping"][0]["beta"], 1e-3);
  EXPECT_EQ(with("bodies.0.mesh.box.cells=[4,1,1]")["bodies"][0]["mesh"]["box"]["cells"],
            Json::parse("[4,1,1]"));
  EXPECT_EQ(with("solver.fast=false")["solver"]["fast"], false);
  EXPECT_EQ(with("contact={\"method\": \"none\"}")["contact"],
            Json::parse(R"({"method": "none"})"));
}

TEST(ApplySetting, TakesOtherTextAsAString) {
  EXPECT_EQ(with("integrator=sdirk2")["integrator"], "sdirk2");
  EXPECT_EQ(with("integrator=\"sdirk2\"")["integrator"], "sdirk2");
  EXPECT_EQ(with("description=a = b")["description"], "a = b");
  EXPECT_EQ(with("description=")["description"], "");
  EXPECT_EQ(with("time.dt=1e400")["time"]["dt"], "1e400");  // for the schema to refuse
}

TEST(ApplySetting, MakesMissingKeys) {
  EXPECT_EQ(with("bodies.1.initial.velocity=[1,0,0]")["bodies"][1]["initial"]["velocity"],
            Json::parse("[1,0,0]"));
}

TEST(ApplySetting, TakesNumbersAsPeopleTypeThem) {
  EXPECT_EQ(with("time.dt=.1")["time"]["dt"], 0.1);
  EXPECT_EQ(with("time.dt=-.5e-3")["time"]["dt"], -0.5e-3);
  EXPECT_EQ(with("time.dt=1.")["time"]["dt"], 1);
  EXPECT_EQ(with("time.dt=+2")["time"]["dt"], 2);
  for (const char* text : {".", "-", "+", "", "e5", ".e5", "007", "1.2.3", "5ms", "0x10"})
    EXPECT_EQ(with(std::string("description=") + text)["description"], text);
}

TEST(ApplySetting, TakesAMissingListFromItsDefault) {
  const Json defaults = Json::parse(R"({"gravity": [0, -9.81, 0], "bodies": [{"at": [1, 2]}]})");
  const Completion complete = [&] { return defaults; };
  Json scene = Json::parse(R"({"bodies": [{}]})");
  apply_setting(scene, "gravity.1=-1", complete);
  apply_setting(scene, "bodies.0.at.0=7", complete);
  EXPECT_EQ(scene, Json::parse(R"({"bodies": [{"at": [7, 2]}], "gravity": [0, -1, 0]})"));
  EXPECT_EQ(message_of([&] { apply_setting(scene, "gravity.3=1", complete); }),
            "--set gravity.3=1: \"gravity\" is a list of 3: its items are numbered 0 to 2, not "
            "\"3\"");
  // Names that look like numbers stay names, and an incomplete scene has no defaults.
  apply_setting(scene, "materials.1.young=5", complete);
  EXPECT_EQ(scene["materials"], Json::parse(R"({"1": {"young": 5}})"));
  apply_setting(scene, "other.0=1", [&]() -> Json { throw InputError("not whole"); });
  EXPECT_EQ(scene["other"], Json::parse(R"({"0": 1})"));
}

TEST(NameSettings, SaysOfTheOptionWhatIsWrongWithItsValue) {
  const std::vector<Assignment> settings = {"time.dt=1", "time.dt=5ms", "bodies.0={}"};
  const auto named = [&](const char* message) {
    return name_settings(message, "a.json", settings);
  };
  EXPECT_EQ(named("a.json#/time/dt: is wrong"), "--set time.dt=5ms: is wrong");
  EXPECT_EQ(named("a.json#/bodies/0/pin/1: is wrong"), "--set bodies.0={} at /pin/1: is wrong");
  for (const char* other : {"a.json#/time/dtt: is wrong", "a.json#/tim: is wrong",
                            "b.json#/time/dt: is wrong", "a.json: is wrong", "no place at all"})
    EXPECT_EQ(named(other), other);
  EXPECT_EQ(named("a.json#/time: is wrong"), "a.json#/time, with --set time.dt=5ms: is wrong");
  EXPECT_EQ(named("a.json#/time/dt: one\na.json#/gravity: two"),
            "--set time.dt=5ms: one\na.json#/gravity: two");
}

TEST(NameSettings, SaysWhichOptionItWas) {
  const std::vector<Assignment> settings = {{"integrator=bee", "--integrators bee"}};
  EXPECT_EQ(name_settings("a.json#/integrator: is wrong", "a.json", settings),
            "--integrators bee: is wrong");
  Json scene = parse_json(test::full_scene(), "t");
  EXPECT_EQ(message_of([&] {
              apply_setting(scene, {"time..dt=1", "--vary time..dt=1"});
            }),
            "--vary time..dt=1: the path has an empty part");
}

TEST(ApplySetting, ChangesNothingElse) {
  Json expected = parse_json(test::full_scene(), "t");
  expected["time"]["dt"] = 0.002;
  EXPECT_EQ(with("time.dt=0.002"), expected);
}

TEST(ApplySetting, ExplainsBadPaths) {
  EXPECT_EQ(refusal_of_setting("time.dt"),
            "--set time.dt: expected key.path=value, for example time.dt=0.01");
  EXPECT_THAT(refusal_of_setting("=3"), HasSubstr("expected key.path=value"));
  EXPECT_THAT(refusal_of_setting("time..dt=1"), HasSubstr("the path has an empty part"));
  EXPECT_EQ(refusal_of_setting("time.dt.x=1"),
            "--set time.dt.x=1: \"time.dt\" is a number, so it has no \"x\"");
  EXPECT_EQ(refusal_of_setting("bodies.9.mass=lumped"),
            "--set bodies.9.mass=lumped: \"bodies\" is a list of 8: its items are numbered 0 to 7, "
            "not \"9\"");
  EXPECT_EQ(refusal_of_setting("bodies.baem.mass=lumped"),
            "--set bodies.baem.mass=lumped: \"bodies\" is a list of 8: its items are numbered 0 to "
            "7, not "
            "\"baem\", did you mean \"0\" (\"beam\")?");
  EXPECT_THAT(refusal_of_setting("bodies.-1.mass=lumped"), HasSubstr("not \"-1\""));
  EXPECT_THAT(refusal_of_setting("bodies.0x.mass=lumped"), HasSubstr("not \"0x\""));
  EXPECT_THAT(refusal_of_setting(std::string(1000, '.') + "=1"), HasSubstr("empty part"));
}

TEST(ApplySetting, ExplainsBrokenJson) {
  EXPECT_THAT(refusal_of_setting("bodies.0.mesh.box.cells=[4,1"),
              HasSubstr("value, line 1, column "));
}

TEST(ApplySetting, RefusesWhatIsNoText) {
  EXPECT_THAT(refusal_of_setting("description=\xff"), HasSubstr("not valid UTF-8"));
  EXPECT_THAT(refusal_of_setting("desc\xbfription=a"), HasSubstr("not valid UTF-8"));
}

}  // namespace
}  // namespace pliant
