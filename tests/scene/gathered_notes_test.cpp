#include <pliant/scene/gathered_notes.hpp>

#include <gmock/gmock.h>

namespace pliant {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> said(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  const Log to([&](const LogEntry& entry) { out.push_back(entry.text); });
  {
    const GatheredLog all(to);
    for (const std::string& text : texts) all.log().warn(text);
  }
  return out;
}

TEST(GatheredNotes, SayOnceWhatHoldsOfMany) {
  EXPECT_THAT(said({"s.json#/bodies/0: body \"a\" is odd", "something else",
                    "s.json#/bodies/1: body \"b\" is odd", "s.json#/bodies/7: body \"c\" is odd"}),
              ElementsAre("s.json#/bodies/0: body \"a\" is odd (and so 2 times more, last at "
                          "s.json#/bodies/7)",
                          "something else"));
}

TEST(GatheredNotes, KeepApartWhatDiffers) {
  const std::vector<std::string> texts = {"s.json#/bodies/0: lacks 3.1 %",
                                          "s.json#/bodies/1: lacks 3.2 %",
                                          "\"a\" is inside of \"b\"", "no place: 3"};
  EXPECT_EQ(said(texts), texts);
}

TEST(GatheredNotes, AreNothingWhereNothingWasSaid) { EXPECT_TRUE(said({}).empty()); }

}  // namespace
}  // namespace pliant
