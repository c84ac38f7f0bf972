#include <pliant/core/error.hpp>
#include <pliant/integrate/step_control.hpp>

#include "integrate/moving_beam.hpp"

namespace pliant {
namespace {

struct Outcome {
  State state;
  std::vector<double> steps;  // s
  int retries = 0;
};

Outcome run_controlled(const System& system, const std::string& name, double tolerance,
                       double end) {
  const auto stepper = make_stepper(name, {.linear = "cholesky", .tolerance = 1e-11});
  StepControl control(*stepper, {.tolerance = tolerance});
  Outcome out{test::moving_start(system), {}, 0};
  while (out.state.t < end - 1e-12) {
    const StepReport report = control.advance(system, out.state, end - out.state.t, {});
    EXPECT_TRUE(report.ok) << report.reason;
    if (!report.ok) break;
    out.retries += report.retries;
    out.steps.push_back(control.last_dt());
  }
  return out;
}

class EveryEstimate : public testing::TestWithParam<std::string> {};

// The global error follows the tolerance: a hundredth of it gives a much smaller error, by more
// steps.
TEST_P(EveryEstimate, ErrorFollowsTheTolerance) {
  const Model model = test::make_moving_beam();
  const System& system = *model.system;
  static const Vector exact = [&] {
    return Vector(test::run_to_end(system, "rk4", 2000).head(system.dofs()));
  }();
  const Outcome coarse = run_controlled(system, GetParam(), 1e-3, test::kEnd);
  const Outcome fine = run_controlled(system, GetParam(), 1e-5, test::kEnd);
  const double moved = (exact - system.rest()).norm();
  const double coarse_error = (coarse.state.q - exact).norm() / moved;
  const double fine_error = (fine.state.q - exact).norm() / moved;
  EXPECT_NEAR(fine.state.t, test::kEnd, 1e-12);
  EXPECT_LT(coarse_error, 0.1);
  EXPECT_LT(fine_error, coarse_error / 5);
  EXPECT_GT(fine.steps.size(), coarse.steps.size());
  EXPECT_LT(fine.steps.size(), 3000u);
}

INSTANTIATE_TEST_SUITE_P(List, EveryEstimate, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const IntegratorInfo& info : integrators())
                             if (make_stepper(info.name, {})->error_order() > 0)
                               names.emplace_back(info.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

// A body at rest under no load may take the longest steps; a sudden load shortens them.
TEST(StepControl, LengthensStepsWhereNothingHappensAndShortensThemAgain) {
  Model model = test::make_beam(
      {.size = Vec3(3, 1, 1), .cells = {3, 1, 1}, .young = 2e5, .gravity = Vec3::Zero()});
  System& system = *model.system;
  system.add_term(std::make_unique<PointLoad>(
      Curve({0.5, 0.501}, {Vec3::Zero(), Vec3(0, 3000, 0)}, Curve::Between::straight),
      test::nodes_at_x(model.bodies[0].mesh, 1.5), view(system.rest())));
  const auto stepper = make_stepper("esdirk32", {});
  StepControl control(*stepper, {.tolerance = 1e-4});
  State state = system.make_state();
  double longest_before = 0, shortest_after = 1;
  while (state.t < 0.8) {
    const double t = state.t;
    ASSERT_TRUE(control.advance(system, state, std::min(0.1, 0.8 - t + 1e-9), {}).ok);
    if (state.t < 0.5) longest_before = std::max(longest_before, control.last_dt());
    if (t > 0.5) shortest_after = std::min(shortest_after, control.last_dt());
  }
  EXPECT_GT(longest_before, 0.09);
  EXPECT_LT(shortest_after, 0.02);
}

// A step far too long is rejected, and the run is the same as if it had not been tried.
TEST(StepControl, RejectsWithoutLossOfState) {
  const Model model = test::make_moving_beam();
  const System& system = *model.system;
  const auto stepper = make_stepper("sdirk3", {.linear = "cholesky"});
  StepControl control(*stepper, {.tolerance = 1e-4});
  control.restore(std::array{0.1, 0.1, 1.0, 0.0, 0.0});  // as if steps of 0.1 s had been fine
  State state = test::moving_start(system);
  const StepReport report = control.advance(system, state, 1, {});
  ASSERT_TRUE(report.ok);
  EXPECT_GT(report.retries, 0);
  State again = test::moving_start(system);
  const auto other = make_stepper("sdirk3", {.linear = "cholesky"});
  ASSERT_TRUE(other->step(system, again, control.last_dt()).ok);
  EXPECT_LT((again.q - state.q).norm(), 1e-9);
  EXPECT_EQ(again.t, state.t);
}

TEST(StepControl, RefusesMethodsWithoutAnEstimate) {
  const auto stepper = make_stepper("be", {});
  EXPECT_THROW(StepControl(*stepper, {}), InputError);
}

TEST(StepControl, SaysWhyItGivesUp) {
  const Model model = test::make_moving_beam();
  const auto stepper = make_stepper("sdirk2", {});
  StepControl control(*stepper, {.tolerance = 1e-12, .min_dt = 1e-3});
  State state = test::moving_start(*model.system);
  const Vector q = state.q;
  const StepReport report = control.advance(*model.system, state, 1, {});
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("tolerance"), std::string::npos);
  EXPECT_EQ(state.q, q);
}

TEST(StepControl, GoesOnFromItsMemory) {
  const Model model = test::make_moving_beam();
  const System& system = *model.system;
  const auto first = make_stepper("esdirk43", {}), second = make_stepper("esdirk43", {});
  StepControl a(*first, {.tolerance = 1e-4}), b(*second, {.tolerance = 1e-4});
  State state = test::moving_start(system);
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(a.advance(system, state, 1, {}).ok);
  State copy = state;
  second->restore(first->memory());
  b.restore(a.memory());
  for (int k = 0; k < 4; ++k) {
    ASSERT_TRUE(a.advance(system, state, 1, {}).ok);
    ASSERT_TRUE(b.advance(system, copy, 1, {}).ok);
  }
  EXPECT_EQ(state.q, copy.q);
  EXPECT_EQ(state.t, copy.t);
}

}  // namespace
}  // namespace pliant
