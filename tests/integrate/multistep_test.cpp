#include <pliant/integrate/stepper.hpp>

#include "integrate/particles.hpp"
#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

Model small_beam(const std::string& law = "stable-neo-hookean") {
  return test::make_beam({.size = Vec3(3, 1, 1), .cells = {3, 1, 1}, .law = law, .young = 2e4});
}

void advance(Stepper& stepper, const System& system, State& state, double h) {
  const StepReport report = stepper.step(system, state, h);
  ASSERT_TRUE(report.ok) << report.reason;
}

// Steps of h/2, h, 3h/2 in turn.
Vector run_unevenly(std::string_view integrator, int rounds) {
  const Model model = small_beam();
  const auto stepper = make_stepper(integrator, {.linear = "cholesky", .tolerance = 1e-13});
  State state = model.system->make_state();
  const double h = 0.12 / (3 * rounds);
  for (int k = 0; k < rounds; ++k)
    for (const double part : {0.5, 1.0, 1.5}) advance(*stepper, *model.system, state, part * h);
  return state.q;
}

TEST(Bdf2, KeepsItsOrderWithUnevenSteps) {
  const Vector exact = run_unevenly("rk4", 600);
  for (const std::string_view name : {"bdf2", "sbdf2"}) {
    const double coarse = (run_unevenly(name, 20) - exact).norm();
    const double fine = (run_unevenly(name, 40) - exact).norm();
    EXPECT_GT(std::log2(coarse / fine), 1.85) << name;
    EXPECT_GT(fine, 1e-10);
  }
}

// A step that was made in small parts is followed by a whole one. The formula for such a ratio of
// steps would make of an impact in the last part a jump times the square of the ratio.
TEST(Bdf2, DoesNotThrowWhatHitSomethingInAShortStep) {
  const auto system = fixtures::make_particles({{Vec3::Zero(), 1}});
  for (const double ratio : {1.0, 2.0, 16.0}) {
    const auto stepper = make_stepper("bdf2", {});
    State state = system->make_state();
    const double h = 0.01;
    state.v[1] = -1;
    advance(*stepper, *system, state, h / ratio);
    state.v[1] = 1;  // as if it had been turned round
    for (int k = 0; k < 20; ++k) advance(*stepper, *system, state, h);
    // What is left of the turn falls as a geometric series, 1 + 1/3 + 1/9 … of 2/3 for equal steps.
    const double w = ratio, turn = 2 + fixtures::kG * h / w;
    const double first = w > 2 ? 0 : turn * w * w / (1 + 2 * w);
    EXPECT_NEAR(state.v[1], 1 + 1.5 * first - 20 * fixtures::kG * h, 1e-6) << ratio;
  }
}

TEST(Bdf2, GoesOnFromItsMemoryAsIfNothingHadHappened) {
  const Model model = small_beam();
  for (const std::string_view name : {"bdf2", "sbdf2"}) {
    const auto first = make_stepper(name, {.linear = "auto"});
    const auto second = make_stepper(name, {.linear = "auto"});
    State state = model.system->make_state();
    for (int k = 0; k < 5; ++k) advance(*first, *model.system, state, 5e-3);
    State copy = state;
    second->restore(first->memory());
    for (int k = 0; k < 5; ++k) {
      advance(*first, *model.system, state, 5e-3);
      advance(*second, *model.system, copy, 5e-3);
    }
    EXPECT_EQ(state.q, copy.q) << name;
    EXPECT_EQ(state.v, copy.v) << name;
  }
}

TEST(Bdf2, StartsAnewWhereTheStateIsNotTheOneItLeft) {
  const Model model = small_beam();
  const auto used = make_stepper("bdf2", {.linear = "cholesky"});
  const auto fresh = make_stepper("bdf2", {.linear = "cholesky"});
  State state = model.system->make_state();
  for (int k = 0; k < 3; ++k) advance(*used, *model.system, state, 5e-3);
  State again = model.system->make_state(), other = again;
  advance(*used, *model.system, again, 5e-3);
  advance(*fresh, *model.system, other, 5e-3);
  EXPECT_EQ(again.q, other.q);
}

// One linear solve is exact where the forces are linear.
TEST(SemiImplicit, EqualsTheFullMethodOnALinearBody) {
  const Model model = small_beam("linear");
  const std::pair<std::string_view, std::string_view> pairs[] = {
      {"si", "be"}, {"sbdf2", "bdf2"}, {"strbdf2", "trbdf2b"}};
  for (const auto& [semi, full] : pairs) {
    const auto a = make_stepper(semi, {.linear = "cholesky", .tolerance = 1e-12});
    const auto b = make_stepper(full, {.linear = "cholesky", .tolerance = 1e-12});
    State x = model.system->make_state(), y = x;
    for (int k = 0; k < 20; ++k) {
      advance(*a, *model.system, x, 1e-2);
      advance(*b, *model.system, y, 1e-2);
    }
    EXPECT_LT((x.q - y.q).norm(), 1e-9 * (y.q - model.system->rest()).norm()) << semi;
  }
}

}  // namespace
}  // namespace pliant
