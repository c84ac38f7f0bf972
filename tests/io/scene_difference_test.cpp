#include <pliant/io/scene_difference.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(FirstDifference, NamesTheKeyAndBothValues) {
  EXPECT_EQ(first_difference(R"({"time": {"dt": 0.01}})", R"({"time": {"dt": 0.02}})"),
            "time.dt was 0.01 and is 0.02");
  EXPECT_EQ(first_difference(R"({"a": [{"b": "x"}]})", R"({"a": [{"b": {"c": 1}}]})"),
            R"(a.0.b was "x" and is {"c":1})");
  EXPECT_EQ(first_difference(R"({"a": [1, 2]})", R"({"a": [1, 2, 3]})"),
            "a was a list of 2 and is one of 3");
  EXPECT_EQ(first_difference(R"({"a": 1})", R"({"a": 1, "b": 2})"), "b is 2 and was not there");
  EXPECT_EQ(first_difference(R"({"a": 1, "b": 2})", R"({"a": 1})"), "b was 2 and is not there now");
}

TEST(FirstDifference, TakesTheFirstInTheOrderOfTheNewScene) {
  EXPECT_EQ(first_difference(R"({"a": 1, "b": 1})", R"({"b": 2, "a": 2})"), "b was 1 and is 2");
}

TEST(FirstDifference, IgnoresTheDurationAndTheWayNumbersAreWritten) {
  EXPECT_EQ(first_difference(R"({"time": {"duration": 1}, "a": 1})",
                             R"({"time": {"duration": 2}, "a": 1.0})"),
            "");
}

TEST(FirstDifference, TakesWhatIsNoSceneAsDifferent) {
  EXPECT_EQ(first_difference("{\"a\":", "{}"), "its scene.json cannot be read");
  EXPECT_EQ(first_difference("", "{}"), "its scene.json cannot be read");
}

TEST(FirstDifference, CutsLongValuesBetweenCharacters) {
  std::string long_name = "\"";
  for (int i = 0; i < 100; ++i) long_name += "é";
  const std::string said = first_difference("{\"name\": \"\"}", "{\"name\": " + long_name + "\"}");
  EXPECT_LT(said.size(), 120u);
  EXPECT_NE(said.find("é…"), std::string::npos) << said;
}

}  // namespace
}  // namespace pliant
