// Ranges of frames, and the list of formats. What the formats hold is tested by other programs'
// readers, in the Python files here.
#include <pliant/core/error.hpp>
#include <pliant/exports/export.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Expected values are what Python answers to list(range(10))[…].
TEST(FrameRanges, AreThoseOfPythonsSlices) {
  EXPECT_EQ(parse_frames("", 10).size(), 10u);
  EXPECT_THAT(parse_frames("3", 10), ElementsAre(3));
  EXPECT_THAT(parse_frames("-1", 10), ElementsAre(9));
  EXPECT_THAT(parse_frames("2:5", 10), ElementsAre(2, 3, 4));
  EXPECT_THAT(parse_frames("::4", 10), ElementsAre(0, 4, 8));
  EXPECT_THAT(parse_frames("-3:", 10), ElementsAre(7, 8, 9));
  EXPECT_THAT(parse_frames(":-8", 10), ElementsAre(0, 1));
  EXPECT_THAT(parse_frames("8:99", 10), ElementsAre(8, 9));
  EXPECT_THAT(parse_frames("-99:2", 10), ElementsAre(0, 1));
  EXPECT_THAT(parse_frames("0::9223372036854775807", 10), ElementsAre(0));
}

TEST(FrameRanges, ThatNameNothingAreRefusedInWords) {
  const auto said = [](const char* text) -> std::string {
    try {
      parse_frames(text, 10);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(said("10"), HasSubstr("0 to 9"));
  EXPECT_THAT(said("-11"), HasSubstr("0 to 9"));
  EXPECT_THAT(said("5:5"), HasSubstr("none"));
  EXPECT_THAT(said("::-1"), HasSubstr("1 or more"));
  for (const char* text : {"x", "1.5", "1:2:3:4", "1 : 2", "99999999999999999999", "+1"})
    EXPECT_THAT(said(text), HasSubstr("first:end:step")) << text;
}

TEST(ExportFormats, HaveNamesOfTheirOwnAndSayWhatTheyAre) {
  std::set<std::string_view> names, extensions;
  for (const ExportFormat& format : export_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(extensions.insert(format.extension).second) << format.name;
    EXPECT_EQ(format.extension.front(), '.') << format.name;
    EXPECT_FALSE(format.description.empty()) << format.name;
    EXPECT_TRUE(format.companion.empty() || !format.per_frame) << format.name;
  }
  EXPECT_GE(names.size(), 9u);
}

}  // namespace
}  // namespace pliant
