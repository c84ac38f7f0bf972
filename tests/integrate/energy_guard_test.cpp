// What the guard keeps account of, seen with steppers that do as they are told.
#include <pliant/integrate/energy_guard.hpp>

#include "integrate/contact_scene.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::block;
using fixtures::ContactScene;

// Multiplies the kinetic energy, or fails.
class Told final : public Stepper {
 public:
  explicit Told(const double& factor) : factor_(factor) {}
  std::string_view name() const override { return "told"; }
  StepReport step(const System&, State& state, double h) override {
    StepReport report;
    report.contacts = 1;
    if (factor_ < 0) return report.fail("told to fail"), report;
    state.v *= std::sqrt(factor_);
    state.t += h;
    return report;
  }

 private:
  const double& factor_;
};

struct Guarded {
  ContactScene scene{{block(Vec3(0, 1, 0))}, Vec3::Zero()};
  double factor = 1, safe_factor = 1;
  EnergyGuard guard{std::make_unique<Told>(factor), std::make_unique<Told>(safe_factor)};

  Guarded() {
    for (Index n = 0; n + 1 < scene.system().nodes(); ++n)
      node(view(scene.state.v), n) = Vec3(1, 0, 0);
  }
  StepReport step(double f, double h = 0.01) {
    factor = safe_factor = f;
    return guard.step(scene.system(), scene.state, h);
  }
};

constexpr double kMost = EnergyGuard::default_tolerance;

TEST(EnergyGuard, LetsGainsPassUpToItsToleranceAndMoreAfterLosses) {
  Guarded g;
  EXPECT_TRUE(g.step(1 + 0.9 * kMost).ok);
  EXPECT_FALSE(g.step(1 + 0.9 * kMost).ok);
  EXPECT_TRUE(g.step(0.9).ok);
  EXPECT_TRUE(g.step(1 + 0.9 * kMost).ok);
}

TEST(EnergyGuard, LetsRoundingPassWhereThereIsNoRoomLeft) {
  Guarded g;
  g.guard.restore(
      std::vector<double>{0, 1e9, 0, 0, 0, 0.01, 0});  // the largest energy, room; longest step
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(g.step(1 + 1e-14).ok);
  EXPECT_FALSE(g.step(1 + 1e-9).ok);
}

// What somebody pulls at, for whom the energy of a load changes between two steps.
class Pulled final : public Term {
 public:
  explicit Pulled(const double& energy) : energy_(energy) {}
  std::string_view name() const override { return "pulled"; }
  TermKind kind() const override { return TermKind::external; }
  double potential(const Configuration&) const override { return energy_; }
  void add_force(const Configuration&, std::span<double>) const override {}

 private:
  const double& energy_;
};

TEST(EnergyGuard, DoesNotTakeForAGainWhatALoadBroughtBetweenSteps) {
  Guarded g;
  double energy = 0;
  g.scene.model.system->add_term(std::make_unique<Pulled>(energy));
  ASSERT_TRUE(g.step(1).ok);
  energy = 10 * g.scene.energy();
  EXPECT_TRUE(g.step(1).ok);
  energy = 0;
  EXPECT_TRUE(g.step(1).ok);
  EXPECT_FALSE(g.step(1.1).ok);  // nor for room that it made
}

TEST(EnergyGuard, DoesNotCountWhatWasThrownAway) {
  Guarded g;
  ASSERT_TRUE(g.step(1 + 0.9 * kMost).ok);
  const State before = g.scene.state;
  ASSERT_TRUE(g.step(0.5).ok);
  g.scene.state = before;  // its error was too large, say
  EXPECT_FALSE(g.step(1 + 0.9 * kMost, 0.005).ok);
  // Nor does a gain that was thrown away use anything up.
  Guarded other;
  const State start = other.scene.state;
  ASSERT_TRUE(other.step(1 + 0.9 * kMost).ok);
  other.scene.state = start;
  EXPECT_TRUE(other.step(1 + 0.9 * kMost, 0.005).ok);
}

TEST(EnergyGuard, TakesTheShortestStepsWhateverTheyGainAfterARestoreToo) {
  Guarded g;
  ASSERT_TRUE(g.step(1, 0.064).ok);
  EXPECT_FALSE(g.step(1.1, 0.002).ok);
  Guarded restored;
  restored.guard.restore(g.guard.memory());
  for (Guarded* one : {&g, &restored}) EXPECT_TRUE(one->step(1.1, 0.001).ok);
}

// A step made by backward Euler, because the method found nothing, has no estimate of its error.
TEST(EnergyGuard, AsksForShorterStepsWhereThereIsNoEstimateOfTheError) {
  Guarded g;
  StepError error;
  g.guard.estimate_into(&error);
  const auto failing = [&g](double h) {
    g.factor = -1, g.safe_factor = 1;
    return g.guard.step(g.scene.system(), g.scene.state, h);
  };
  EXPECT_FALSE(failing(0.064).ok);
  EXPECT_FALSE(failing(0.016).ok);
  error.q.setConstant(g.scene.state.q.size(), 7);  // of an earlier step
  error.v = error.q;
  const StepReport report = failing(0.001);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.redone, 1);
  EXPECT_EQ(error.q.norm() + error.v.norm(), 0);
  // With steps of a given length it is made at once.
  g.guard.estimate_into(nullptr);
  EXPECT_TRUE(failing(0.064).ok);
}

}  // namespace
}  // namespace pliant
