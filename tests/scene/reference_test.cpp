#include <pliant/scene/reference.hpp>
#include <pliant/scene/scene_schema.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "scene/example.hpp"

namespace pliant {
namespace {

using testing::HasSubstr;

std::vector<std::string> lines() {
  std::istringstream text(scene_reference(test::example_vocabulary()));
  std::vector<std::string> out;
  for (std::string line; std::getline(text, line);) out.push_back(line);
  return out;
}

TEST(Reference, ShowsUnitRangeDefaultAndMeaning) {
  const std::string text = scene_reference(test::example_vocabulary());
  EXPECT_THAT(text, HasSubstr("| `duration` | number | s | ≥ 0 | `1.0` | simulated time;"));
  EXPECT_THAT(text, HasSubstr("| `poisson` | number | – | > -1, < 0.5 | `0.4` | Poisson's ratio"));
  EXPECT_THAT(text, HasSubstr("| `materials` | object: name → [material](#material) |"));
  EXPECT_THAT(text, HasSubstr("| `sdirk2` | second order |"));
  EXPECT_THAT(text, HasSubstr("| `siere` | not yet available |"));
}

TEST(Reference, GivesEveryNumberAUnitOrSaysThatItHasNone) {
  const std::set<std::string> pure = {
      "tolerance",   "max_iterations", "poisson",      "axes",     "f",          "g",
      "h",           "nodes",          "scale",        "deform",   "normal",     "cells",
      "split",       "friction",       "lag",          "segments", "iterations", "weights",
      "restitution", "axis",           "activation",   "width",    "modes",      "subspace",
      "refresh",     "ratios",         "acceleration", "path",     "max_work"};
  const std::regex cells(R"(\| `([^`]*)` \| ([^|]*) \| ([^|]*) \|.*)");
  int numbers = 0;
  for (const std::string& line : lines())
    if (std::smatch row;
        std::regex_match(line, row, cells) && row[2].str().find("number") != std::string::npos) {
      ++numbers;
      const bool counted = pure.count(row[1]) == 1 && row[2] != "list of 2 × 3 × number";
      EXPECT_EQ(row[3].str() == "–", counted) << line;
      EXPECT_FALSE(row[3].str().empty()) << line;
    }
  EXPECT_GT(numbers, 60);
}

TEST(Reference, HasAPartForEveryDefinition) {
  const std::string text = scene_reference(test::example_vocabulary());
  for (const schema::Definition& definition : scene_schema(test::example_vocabulary()).definitions)
    EXPECT_THAT(text, HasSubstr("\n## " + definition.name + "\n"));
}

TEST(Reference, PutsNestedRecordsUnderTheirOwner) {
  const std::string text = scene_reference(test::example_vocabulary());
  EXPECT_THAT(text, HasSubstr("\n### force: point: box\n"));
  EXPECT_THAT(text, HasSubstr("\n### force: pressure: sphere\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\n### probe: ")));
  std::set<std::string> headings;
  for (const std::string& line : lines())
    if (line.rfind("##", 0) == 0) {
      EXPECT_TRUE(headings.insert(line).second) << line;
    }
}

TEST(Reference, LinksOnlyToHeadingsThatExist) {
  std::set<std::string> anchors;
  for (const std::string& line : lines())
    if (line.rfind("## ", 0) == 0)
      anchors.insert(std::regex_replace(line.substr(3), std::regex(" "), "-"));
  int links = 0;
  const std::regex link(R"(\]\(#([^)]*)\))");
  for (const std::string& line : lines())
    for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at, ++links)
      EXPECT_TRUE(anchors.count((*at)[1])) << line;
  EXPECT_GT(links, 20);
}

TEST(Reference, TablesAreWellFormed) {
  int rows = 0;
  for (const std::string& line : lines())
    if (line.rfind("| `", 0) == 0) {
      ++rows;
      const auto bars = std::count(line.begin(), line.end(), '|');
      EXPECT_TRUE(bars == 7 || bars == 3) << line;
    }
  EXPECT_GT(rows, 100);
}

}  // namespace
}  // namespace pliant
