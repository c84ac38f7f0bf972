#include <pliant/scene/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "scene/example.hpp"

namespace pliant {
namespace {

using test::message_of;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of_text(const std::string& text) {
  return message_of([&] { parse_json(text, "scene.json"); });
}

TEST(ParseJson, AgreesWithTheLibraryOnOrdinaryDocuments) {
  for (const char* text :
       {R"({"b": [1, -2, 3.5e-7, "ü\n", null, true], "a": {"x": {}}, "c": []})", "3", "\"text\"",
        "[18446744073709551615, -9223372036854775808, 0, -0.0, 0e5]", "[[[]], {}, [{\"k\": [1]}]]"})
    EXPECT_EQ(parse_json(text, "t"), Json::parse(text)) << text;
}

TEST(ParseJson, AllowsBothKindsOfComments) {
  EXPECT_EQ(parse_json("// first\n{\"a\": /* inner */ 1} // last", "t"),
            Json::parse(R"({"a": 1})"));
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_json(R"({"z": 1, "a": 2, "m": 3})", "t").dump(), R"({"z":1,"a":2,"m":3})");
}

TEST(ParseJson, SaysLineAndColumnOfSyntaxErrors) {
  EXPECT_THAT(refusal_of_text("{\n  \"a\": 1,\n  \"ü\": tru }"),
              StartsWith("scene.json, line 3, column 11: "));
  EXPECT_THAT(refusal_of_text("{\"a\": 1"), StartsWith("scene.json, line 1, column 8: "));
  EXPECT_THAT(refusal_of_text("[1, 2,]"), StartsWith("scene.json, line 1, column 7: "));
  EXPECT_THAT(refusal_of_text("{} {}"), StartsWith("scene.json, line 1, column 4: "));
  EXPECT_THAT(refusal_of_text("/* never closed"), HasSubstr("scene.json, line 1, "));
}

TEST(ParseJson, RefusesDuplicateKeysWhereTheSecondStands) {
  EXPECT_EQ(refusal_of_text("{\n \"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}"),
            "scene.json, line 4, column 2: duplicate key \"a\"");
}

TEST(ParseJson, RefusesNumbersThatADoubleCannotHold) {
  EXPECT_EQ(refusal_of_text("[1, 1e400]"),
            "scene.json, line 1, column 5: the number 1e400 is too large");
  EXPECT_THAT(refusal_of_text("[-1e400]"), HasSubstr("is too large"));
  EXPECT_EQ(refusal_of_text("[1, 1e-400]"),
            "scene.json, line 1, column 5: the number 1e-400 is too small: it would become 0");
  EXPECT_THAT(refusal_of_text("-0.0001e-400"),
              HasSubstr("line 1, column 1: the number -0.0001e-400 is too small"));
  EXPECT_EQ(refusal_of_text("[0, 0.0, 0e-400, -0.0E+900, 1e-300, 5e-324]"), "");
}

TEST(ParseJson, RefusesNanAndInfinity) {
  for (const char* text : {"[NaN]", "[Infinity]", "[-Infinity]", "[inf]"})
    EXPECT_THAT(refusal_of_text(text), HasSubstr("JSON has no NaN and no Infinity")) << text;
  EXPECT_THAT(refusal_of_text("[nan]"), HasSubstr("line 1, column "));
}

TEST(ParseJson, RefusesDeepNestingWithoutBuildingIt) {
  const auto nested = [](std::size_t depth, const char* open, const char* close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(refusal_of_text(nested(max_json_depth, "[", "]")), "");
  EXPECT_EQ(refusal_of_text(nested(max_json_depth + 1, "[", "]")),
            "scene.json, line 1, column 65: nested deeper than 64 levels");
  EXPECT_THAT(refusal_of_text(nested(1000000, "[", "]")),
              HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal_of_text(nested(1000000, "{\"a\":", "}")),
              HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal_of_text(std::string(1000000, '[')),
              HasSubstr("nested deeper than 64 levels"));
}

TEST(ParseJson, RefusesWhatIsNoText) {
  EXPECT_THAT(refusal_of_text(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(refusal_of_text(std::string("{}\0junk", 7)),
              HasSubstr("line 1, column 3: a NUL byte"));
  EXPECT_THAT(refusal_of_text("\"\xff\xfe\""), HasSubstr("ill-formed UTF-8"));
  EXPECT_THAT(refusal_of_text(std::string(max_json_bytes + 1, ' ')),
              HasSubstr("larger than 64 MiB"));
}

TEST(ParseJson, TakesManyKeysInLinearTime) {
  // 200 000 keys: a search for each would take minutes, the test's time limit tells.
  std::string text = "{";
  for (int i = 0; i < 200000; ++i)
    text += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
  const Json parsed = parse_json(text + "}", "t");
  EXPECT_EQ(parsed.size(), 200000u);
  EXPECT_EQ(parsed.back(), 199999);
}

class LoadJson : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("pliant_scene_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(LoadJson, ReadsAFile) {
  std::ofstream(folder_ / "a.json") << test::full_scene();
  EXPECT_EQ(load_json(folder_ / "a.json"), parse_json(test::full_scene(), "a"));
}

TEST_F(LoadJson, NamesThePathAsWrittenAndAsResolved) {
  const std::filesystem::path relative =
      std::filesystem::relative(folder_, std::filesystem::current_path()) / "x" / ".." /
      "none.json";
  const std::string message = message_of([&] { load_json(relative); });
  EXPECT_THAT(message, StartsWith(relative.string() + " (resolved to "));
  EXPECT_THAT(message, HasSubstr((folder_ / "none.json").string() + "): no such file"));
}

TEST_F(LoadJson, RefusesFoldersAndEmptyFiles) {
  EXPECT_THAT(message_of([&] { load_json(folder_); }), HasSubstr("is a folder"));
  std::ofstream(folder_ / "empty.json").flush();
  EXPECT_THAT(message_of([&] { load_json(folder_ / "empty.json"); }), HasSubstr("is empty"));
}

TEST_F(LoadJson, RefusesFilesWithoutPermission) {
  std::ofstream(folder_ / "locked.json") << "{}";
  std::filesystem::permissions(folder_ / "locked.json", std::filesystem::perms::none);
  const std::string message = message_of([&] { load_json(folder_ / "locked.json"); });
  // The superuser may read everything.
  if (geteuid() == 0)
    EXPECT_EQ(message, "");
  else
    EXPECT_THAT(message, HasSubstr("no permission"));
}

TEST(Shown, IsShortForAnyValue) {
  EXPECT_EQ(shown(Json::parse("0.5")), "0.5");
  EXPECT_EQ(shown(Json::parse("[1, 2]")), "a list of 2");
  EXPECT_EQ(shown(Json(std::string(1000, 'x'))).size(), 40 + std::string("…").size() + 2);
}

TEST(Pretty, ReadsBackToTheSameDocument) {
  const Json scene = parse_json(test::full_scene(), "t");
  const std::string text = pretty(scene);
  EXPECT_EQ(parse_json(text, "t"), scene);
  EXPECT_THAT(text, HasSubstr("\"gravity\": [0, -9.81, 0]"));
}

TEST(PointerTo, EscapesAsRfc6901Says) { EXPECT_EQ(pointer_to("/a", "b/c~d"), "/a/b~1c~0d"); }

}  // namespace
}  // namespace pliant
