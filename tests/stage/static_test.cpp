#include <pliant/stage/static_equilibrium.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Rest {
  explicit Rest(const System& system) : state(system.make_state()), f(system.dofs()) {
    report = find_equilibrium(system, state, {.linear = "cholesky", .tolerance = 1e-9});
    system.force({0, view(state.q), view(state.v), nullptr}, view(f));
  }
  State state;
  Vector f;  // N, with what pins carry
  StaticReport report;
};

TEST(StaticEquilibrium, BalancesAllForcesOfASoftBeamThatHangsFarDown) {
  for (const std::string law : {"stable-neo-hookean", "neo-hookean", "fixed-corotated", "corotated",
                                "stvk", "linear", "arap"}) {
    const Model model =
        test::make_beam({.size = Vec3(4, 1, 1), .cells = {8, 2, 2}, .law = law, .young = 3e5});
    const System& system = *model.system;
    const auto [state, f, report] = Rest(system);
    ASSERT_TRUE(report.ok) << law << ": " << report.reason;
    double free = 0, held = 0;
    std::vector<bool> pinned(system.nodes(), false);
    for (const Index n : system.pins()[0].nodes) pinned[n] = true;
    for (Index n = 0; n < system.nodes(); ++n)
      (pinned[n] ? held : free) = std::max(pinned[n] ? held : free, f.segment<3>(3 * n).norm());
    EXPECT_LT(free, 1e-5 * held) << law;
    // What the pins carry is the weight.
    double weight = 0;
    for (const Index n : system.pins()[0].nodes) weight += f[3 * n + 1];
    EXPECT_NEAR(weight, -9.81 * 4000, 1e-3 * 9.81 * 4000) << law;
    EXPECT_LT(state.q[3 * (system.nodes() - 1) + 1], -0.6) << law;
  }
}

// It hangs on one node, straight below it: nothing keeps it from turning about the vertical, and
// one equilibrium is as good as another.
TEST(StaticEquilibrium, FindsOneOfManyWhereABodyMayTurn) {
  for (const std::string law : {"stable-neo-hookean", "fixed-corotated"}) {
    const Model model = test::make_beam(
        {.size = Vec3(0.5, 0.5, 1), .cells = {2, 2, 3}, .law = law, .pin_left = false});
    System& system = *model.system;
    Pin pin;
    pin.nodes = {system.nodes() - 1};
    system.add_pin(pin);
    const auto [state, f, report] = Rest(system);
    ASSERT_TRUE(report.ok) << law << ": " << report.reason;
    double free = 0;
    for (Index n = 0; n + 1 < system.nodes(); ++n)
      free = std::max(free, f.segment<3>(3 * n).norm());
    const double held = f.tail<3>().norm();
    EXPECT_NEAR(held, 9.81 * model.bodies[0].mass, 1e-4 * held) << law;
    EXPECT_LT(free, 1e-5 * held) << law;
    const Momentum m = system.momentum(view(state.q), view(state.q));
    const Vec3 middle = m.linear / model.bodies[0].mass, top = state.q.tail<3>();
    EXPECT_NEAR(middle.x(), top.x(), 1e-4) << law;
    EXPECT_NEAR(middle.z(), top.z(), 1e-4) << law;
    EXPECT_LT(middle.y(), top.y() - 0.3) << law;
  }
}

TEST(StaticEquilibrium, SaysThatABodyThatNothingHoldsHasNone) {
  const Model model = test::make_beam({.cells = {4, 2, 2}, .pin_left = false});
  State state = model.system->make_state();
  const Vector before = state.q;
  const StaticReport report = find_equilibrium(*model.system, state, {.linear = "cholesky"});
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("not pinned"), std::string::npos);
  EXPECT_EQ(state.q, before);
}

}  // namespace
}  // namespace pliant
