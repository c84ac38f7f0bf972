// Walks the list of cases: each is documented, and those that need no scene run here in their short
// form and hold. The others run as a user runs them (tests/apps/reproduce_test.py, those that take
// longer under the label verify).
#include <pliant/core/error.hpp>
#include <pliant/reproduce/case.hpp>

#include <gtest/gtest.h>

#include <set>

namespace pliant {
namespace {

class NoScene : public InputError {
 public:
  NoScene() : InputError("a case that needs no scene asked for one") {}
};

CaseContext context_without_scenes() {
  CaseContext context;
  context.load = [](const std::string&, const std::vector<std::string>&) -> StudyScene {
    throw NoScene();
  };
  context.announce = [](const std::string&) {};
  context.interrupted = [] { return 0; };
  return context;
}

TEST(Cases, AreDocumentedAndNamedOnce) {
  std::set<std::string_view> names;
  for (const CaseInfo& info : cases()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(info.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << info.name;
    EXPECT_FALSE(info.paper.empty()) << info.name;
    EXPECT_FALSE(info.title.empty()) << info.name;
    EXPECT_FALSE(info.shows.empty()) << info.name;
    ASSERT_NE(info.run, nullptr) << info.name;
    EXPECT_EQ(&find_case(info.name), &info);
  }
  EXPECT_GE(names.size(), 7u);
}

TEST(Cases, AnUnknownOneIsRefusedWithTheNearest) {
  try {
    find_case("damping-curve");
    FAIL() << "found";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("damping-curves"), std::string::npos) << error.what();
  }
}

TEST(Cases, WithoutASceneHold) {
  for (const char* name : {"stiff-scalar", "damping-curves", "barrier-shapes"}) {
    const CaseInfo& info = find_case(name);
    const CaseResult result = info.run(context_without_scenes());
    ASSERT_FALSE(result.figures.empty()) << name;
    // Of the first, what the paper says of BDF2 cannot hold, and the case says so.
    const std::vector<std::string> missed =
        info.name == "stiff-scalar"
            ? std::vector<std::string>{"BDF2 after a step of backward Euler"}
            : std::vector<std::string>{};
    EXPECT_EQ(result.failing(), missed) << case_table(info, result);
    for (const Figure& figure : result.figures) {
      EXPECT_FALSE(figure.what.empty()) << name;
      EXPECT_FALSE(figure.paper.empty()) << name << ": " << figure.what;
      EXPECT_FALSE(figure.ours.empty()) << name << ": " << figure.what;
    }
  }
}

TEST(Cases, WithoutFiguresOrWithARunThatFailedDoNotHold) {
  CaseResult result;
  EXPECT_EQ(result.failing().size(), 1u);
  result.figures = {{"first", "1", "1", Verdict::holds},
                    {"second", "-", "failed: no shorter step", Verdict::shown}};
  EXPECT_EQ(result.failing(), (std::vector<std::string>{"second"}));
}

TEST(Cases, AMissedFigureIsNotHidden) {
  CaseResult result;
  result.figures = {{"first", "1", "1", Verdict::holds}, {"second", "-", "3", Verdict::shown}};
  EXPECT_TRUE(result.holds());
  result.figures.push_back({"third", "2", "5", verdict_of(false)});
  EXPECT_FALSE(result.holds());
  EXPECT_NE(case_table(cases().front(), result).find("FAILS"), std::string::npos);
}

}  // namespace
}  // namespace pliant
