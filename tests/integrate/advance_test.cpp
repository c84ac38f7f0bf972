#include <pliant/integrate/advance.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

// Makes steps of at most a given length, and counts.
class Timid final : public Stepper {
 public:
  double longest = 0;
  int tried = 0;
  std::vector<double> made;
  std::string_view name() const override { return "timid"; }
  StepReport step(const System&, State& state, double h) override {
    ++tried;
    StepReport report;
    report.newton = 1;
    report.ok = h <= longest;
    if (!report.ok) {
      report.reason = "too long";
      return report;
    }
    made.push_back(h);
    state.t += h;
    state.q[0] += h;
    return report;
  }
};

struct Advance : testing::Test {
  Model model = test::make_beam({.cells = {2, 1, 1}});
  State state = model.system->make_state();
  Timid stepper;
  std::vector<std::string> said;
  Log log{[this](const LogEntry& entry) { said.push_back(entry.text); }};
};

TEST_F(Advance, TakesTheStepWholeWhereItCan) {
  stepper.longest = 1;
  const StepReport report = advance(stepper, *model.system, state, 0.1, {}, log);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.retries, 0);
  EXPECT_EQ(stepper.made, std::vector<double>{0.1});
  EXPECT_EQ(state.t, 0.1);
  EXPECT_TRUE(said.empty());
}

TEST_F(Advance, RetriesInHalvesSaysSoAndArrivesExactly) {
  stepper.longest = 0.03;
  const double before = state.q[0];
  const StepReport report = advance(stepper, *model.system, state, 0.1, {}, log);
  EXPECT_TRUE(report.ok);
  EXPECT_GE(report.retries, 2);
  EXPECT_EQ(static_cast<int>(said.size()), report.retries);
  EXPECT_EQ(report.newton, stepper.tried);
  EXPECT_EQ(state.t, 0.1);
  EXPECT_NEAR(state.q[0] - before, 0.1, 1e-15);
}

TEST_F(Advance, GivesUpAtTheLimitAndLeavesTheStateAsItWas) {
  stepper.longest = 1e-9;
  const State before = state;
  const StepReport report = advance(stepper, *model.system, state, 0.1, {.max_halvings = 5}, log);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("too long"), std::string::npos);
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.t, before.t);
  EXPECT_EQ(stepper.tried, 6);
}

TEST_F(Advance, RespectsTheSmallestStep) {
  stepper.longest = 1e-9;
  EXPECT_FALSE(advance(stepper, *model.system, state, 0.1, {.min_dt = 0.02}, log).ok);
  EXPECT_EQ(stepper.tried, 3);  // 0.1, 0.05, 0.025
}

}  // namespace
}  // namespace pliant
