// Cases about bodies show them, even where the paper's figure is a curve. A small bar stands in for
// their own bodies, which take longer.
#include <pliant/io/folder.hpp>
#include <pliant/render/scene_picture.hpp>
#include <pliant/reproduce/case.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <io/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pliant {
namespace {

StudyScene load_bar(const std::string& name, const std::vector<std::string>& settings) {
  Json document = parse_json(R"json({
    "time": {"dt": 0.005, "duration": 0.1},
    "materials": {"rubber": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4}},
    "bodies": [{"name": "bar", "material": "rubber",
                "mesh": {"box": {"size": [1, 0.3, 0.3], "cells": [7, 3, 3], "element": "hex8"}},
                "pin": [{"box": {"min": [-0.6, -1, -1], "max": [-0.4, 1, 1]}}]}]})json",
                             "bar.json");
  document["name"] = name;
  for (const std::string& setting : settings) apply_setting(document, setting);
  const Json resolved = resolve(document, built_vocabulary(), "bar.json");
  return {describe(resolved, {}, "bar.json"), pretty(resolved), "bar"};
}

CaseContext context_with_pictures() {
  CaseContext context;
  context.pictures = true;
  context.picture_size = {96, 54};
  context.load = load_bar;
  context.announce = [](const std::string&) {};
  return context;
}

// Every case of this list, by the names of its pictures.
using Named = std::pair<const char*, std::vector<std::string>>;
struct Pictures : ::testing::TestWithParam<Named> {};

TEST_P(Pictures, OfTheBodiesAreInTheFolderAndInBothReports) {
  const auto& [name, expected] = GetParam();
  const CaseInfo& info = find_case(name);
  const CaseResult result = info.run(context_with_pictures());
  std::vector<std::string> names;
  for (const auto& [picture, image] : result.pictures) {
    names.push_back(picture);
    // A body on the ground before the sky: dark and bright, and nothing of it missing.
    const auto [least, most] = std::minmax_element(image.rgb.begin(), image.rgb.end());
    EXPECT_GT(*most - *least, 100) << picture;
  }
  EXPECT_EQ(names, pictures_built() ? expected : std::vector<std::string>());
  const fixtures::ScratchFolder scratch;
  write_case(scratch.path(), info, result);
  const std::string markdown = read_text(scratch.path() / "report.md");
  const std::string page = read_text(scratch.path() / "report.html");
  for (const std::string& picture : names) {
    EXPECT_TRUE(read_text(scratch.path() / (picture + ".png")).starts_with("\x89PNG")) << picture;
    EXPECT_THAT(markdown, ::testing::HasSubstr("](" + picture + ".png)"));
    EXPECT_THAT(page, ::testing::HasSubstr("<img alt=\"" + picture + "\" src=\"data:image/png;"));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Pictures,
                         ::testing::Values(Named{"stiffness-cost", {"doll"}},
                                           Named{"eigen-gap", {"soft-beam", "heterogeneous-arm"}}),
                         [](const auto& info) {
                           std::string name = info.param.first;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pliant
