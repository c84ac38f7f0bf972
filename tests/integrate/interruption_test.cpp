// A step that is told to stop ends, and nothing has happened: the next one is as if it were the
// first.
#include <pliant/integrate/advance.hpp>

#include "integrate/moving_beam.hpp"

namespace pliant {
namespace {

class EveryMethod : public testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, DropsAStepThatIsInterruptedAndMakesItLater) {
  const Model model = test::make_beam({.cells = {12, 2, 2}});
  const System& system = *model.system;
  int questions = 0, allowed = 0;
  const SolverOptions options{.linear = "cholesky",
                              .interrupted = [&] { return ++questions > allowed; }};
  State state = system.make_state();
  const State start = state;
  const auto stepper = make_stepper(GetParam(), options);
  for (allowed = 0; allowed < 3; ++allowed) {  // before the first iteration, and in the midst
    questions = 0;
    EXPECT_FALSE(stepper->step(system, state, 0.01).ok) << allowed;
    EXPECT_LT(questions, allowed + 4) << "it goes on after it was told to stop";
    EXPECT_EQ(state.q, start.q);
    EXPECT_EQ(state.v, start.v);
    EXPECT_EQ(state.t, start.t);
  }
  allowed = std::numeric_limits<int>::max();
  EXPECT_TRUE(stepper->step(system, state, 0.01).ok);
  State wanted = start;
  EXPECT_TRUE(make_stepper(GetParam(), {.linear = "cholesky"})->step(system, wanted, 0.01).ok);
  // Modes may have been found in two parts, and are exact to 1e-3 only.
  EXPECT_LT((state.q - wanted.q).norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Families, EveryMethod, testing::Values("sdirk2", "ere", "siere"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Interruption, DropsAWholeStepWithoutTryingHalves) {
  const Model model = test::make_beam({.cells = {4, 1, 1}});
  State state = model.system->make_state();
  bool stop = true;
  const SolverOptions options{.interrupted = [&] { return stop; }};
  const auto stepper = make_stepper("be", options);
  std::vector<std::string> said;
  const Log log([&](const LogEntry& entry) { said.push_back(entry.text); });
  const RetryLimits limits{.interrupted = options.interrupted};
  const StepReport report = advance(*stepper, *model.system, state, 0.01, limits, log);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.reason, "interrupted");
  EXPECT_EQ(report.retries, 0);
  EXPECT_EQ(state.t, 0);
  EXPECT_TRUE(said.empty());
  stop = false;
  EXPECT_TRUE(advance(*stepper, *model.system, state, 0.01, limits, log).ok);
}

}  // namespace
}  // namespace pliant
