// The driver finds the orders that the methods have, and says where it cannot.
#include <pliant/core/error.hpp>
#include <pliant/study/converge.hpp>

#include "scene_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace pliant {
namespace {

ConvergeRequest request(std::vector<std::string> integrators) {
  ConvergeRequest r;
  r.integrators = std::move(integrators);
  r.dt = {0.005, 0.01, 0.02};  // in any order
  return r;
}

TEST(Converge, MeasuresTheDeclaredOrders) {
  const ConvergeResult result =
      converge(test::load_bar, request({"be", "trbdf2", "esdirk32"}), Log());
  ASSERT_EQ(result.runs.size(), 9u);
  EXPECT_EQ(result.reference, "esdirk43");
  EXPECT_DOUBLE_EQ(result.reference_dt, 0.005 / 8);
  EXPECT_LT(result.reference_error.q, 1e-6);
  EXPECT_GT(result.reference_error.q, 0);
  for (const auto& [name, order] :
       std::map<std::string, double>{{"be", 1}, {"trbdf2", 2}, {"esdirk32", 3}}) {
    const auto last = std::find_if(result.runs.rbegin(), result.runs.rend(),
                                   [&](const ConvergeRun& run) { return run.integrator == name; });
    EXPECT_EQ(last->dt, 0.005);
    EXPECT_NEAR(last->order.q, order, 0.3) << name;  // these steps are not that small
    EXPECT_NEAR(last->order.v, order, 0.3) << name;
    EXPECT_GT(last->newton, 0);
  }
  EXPECT_TRUE(std::isnan(result.runs[0].order.q));  // the largest step has nothing before it
}

TEST(Converge, TableNamesTheReferenceAndMarksWhatItCannotJudge) {
  ConvergeResult result = converge(test::load_bar, request({"trbdf2"}), Log());
  EXPECT_THAT(converge_table(result), testing::HasSubstr("esdirk43 at 0.000625 s"));
  EXPECT_THAT(converge_table(result), testing::Not(testing::HasSubstr("~1")));
  result.reference_error = {1, 1};
  EXPECT_THAT(converge_table(result), testing::HasSubstr("~"));
}

TEST(Converge, RefusesWhatCannotBeCompared) {
  ConvergeRequest wrong = request({"be"});
  wrong.dt = {0.03};  // 0.16 s is no multiple
  EXPECT_THROW(converge(test::load_bar, wrong, Log()), InputError);
  EXPECT_THROW(converge(test::load_bar, request({"sdrik2"}), Log()), InputError);
  EXPECT_THROW(converge(test::load_bar, request({}), Log()), InputError);
}

TEST(Converge, RefusesWhatCannotRunBeforeTheReference) {
  ConvergeRequest both = request({"be", "rk4"});
  both.announce = [](const std::string& line) { ADD_FAILURE() << line; };
  const auto load = [](std::vector<std::string> settings) {
    settings.emplace_back("contact.method=barrier");
    return test::load_bar(settings);
  };
  EXPECT_THROW(converge(load, both, Log()), InputError);
  both = request({"be"});
  both.reference = "rk4";
  EXPECT_THROW(converge(load, both, Log()), InputError);
}

// An explicit method far beyond its limit fails without spoiling the rest.
TEST(Converge, KeepsRunsThatFail) {
  ConvergeRequest both = request({"rk4", "be"});
  both.dt = {0.08};
  both.reference = "be";
  both.reference_dt = 0.02;
  const ConvergeResult result = converge(
      [](std::vector<std::string> settings) {
        settings.insert(settings.end(), {"materials.m.young=1e9", "time.duration=4"});
        return test::load_bar(settings);
      },
      both, Log());
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_FALSE(result.runs[0].failed.empty());
  EXPECT_TRUE(std::isnan(result.runs[0].error.q));
  EXPECT_TRUE(result.runs[1].failed.empty());
  EXPECT_THAT(converge_table(result), testing::HasSubstr("rk4 at 0.08 s failed at"));
}

}  // namespace
}  // namespace pliant
