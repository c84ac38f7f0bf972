#include <pliant/core/error.hpp>
#include <pliant/study/variations.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace pliant {
namespace {

using testing::ElementsAre;

TEST(Variations, KeepJsonValuesWhole) {
  EXPECT_THAT(split_values("a,b"), ElementsAre("a", "b"));
  EXPECT_THAT(split_values(R"({"type":"siere","modes":5}, be ,[1,2])"),
              ElementsAre(R"({"type":"siere","modes":5})", "be", "[1,2]"));
  EXPECT_THAT(split_values(R"("x,y",z)"), ElementsAre(R"("x,y")", "z"));
  EXPECT_THAT(split_values(""), ElementsAre(""));
}

TEST(Variations, MakeEveryCombinationOnce) {
  const std::vector<Variation> both = {parse_variation("integrator=be,sdirk2"),
                                       parse_variation("time.dt=0.01,0.02,0.04")};
  const std::vector<Combination> list = combine(both);
  ASSERT_EQ(list.size(), 6u);
  EXPECT_THAT(list[1].settings, ElementsAre("integrator=be", "time.dt=0.02"));
  EXPECT_EQ(list[1].label, "be, dt = 0.02");
  EXPECT_EQ(list[1].folder, "integrator=be,time.dt=0.02");
  std::set<std::string> folders;
  for (const Combination& one : list) folders.insert(one.folder);
  EXPECT_EQ(folders.size(), 6u);
  EXPECT_EQ(combine(std::vector{parse_variation("time.dt=0.01,0.02")})[0].label, "0.01");
}

TEST(Variations, NameFoldersThatAreSafeAndDifferent) {
  const std::vector<Combination> list =
      combine(std::vector{parse_variation(R"(a={"b":"../x"},{"b":"..//x"})")});
  for (const Combination& one : list) {
    EXPECT_EQ(one.folder.find('/'), std::string::npos);
    EXPECT_NE(one.folder.front(), '.');
  }
  EXPECT_NE(list[0].folder, list[1].folder);
}

TEST(Variations, ThatMakeNoSenseAreRefused) {
  for (const char* text : {"integrator", "=be", "integrator=", "integrator=be,,si", "a=1,1"})
    EXPECT_THROW(parse_variation(text), InputError) << text;
  EXPECT_THROW(combine(std::vector{parse_variation("a=1"), parse_variation("a=2")}), InputError);
}

}  // namespace
}  // namespace pliant
