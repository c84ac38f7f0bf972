// What stages are to be solved to, from motions whose derivatives are known: on a circle,
// |v^(k)| = ω^k |v| at any time.
#include <pliant/contact/friction_term.hpp>
#include <pliant/integrate/stage_tolerance.hpp>

#include <integrate/contact_scene.hpp>
#include <integrate/particles.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::make_particles;

constexpr double kH = 0.01, kSpeed = 100;  // s; m/s: far from what counts as resting

// One particle and the velocities that it is given, step after step.
struct Scripted {
  std::unique_ptr<System> system = make_particles({{.mass = 2}, {.place = Vec3(1, 0, 0)}});
  State state{.q = system->rest(), .v = Vector::Zero(6)};

  // What the steps are solved to, the last of them the one after all.
  std::vector<double> run(StageTolerance& tolerance, int steps, auto&& velocity, double h = kH) {
    std::vector<double> out;
    for (int k = 0; k <= steps; ++k) {
      node(view(state.v), 0) = node(view(state.v), 1) = velocity(state.t);
      tolerance.open(*system, state, h);
      out.push_back(state.tolerance);
      if (k == steps) break;
      state.t += h;
      node(view(state.v), 0) = node(view(state.v), 1) = velocity(state.t);
      tolerance.close(*system, state);
    }
    return out;
  }
};

auto circle(double omega) {
  return [omega](double t) {
    return Vec3(kSpeed * std::cos(omega * t), kSpeed * std::sin(omega * t), 0);
  };
}

// A hundredth of (hω)^(p+1)/(p+1)!, as far as differences are derivatives: within (hω)²; the
// largest coordinate of a velocity is up to √2 less than its size.
TEST(StageTolerance, IsAPartOfTheErrorOfTheMethod) {
  struct Case {
    int order;
    double x, factorial;
  };
  for (const Case& c : {Case{1, 0.06, 2}, Case{2, 0.1, 6}, Case{3, 0.3, 24}, Case{4, 0.4, 120}}) {
    StageTolerance tolerance(c.order);
    Scripted told;
    const double last = told.run(tolerance, 12, circle(c.x / kH)).back();
    const double whole = 0.01 * std::pow(c.x, c.order + 1) / c.factorial;
    EXPECT_GT(last, 0.9 * whole) << c.order;
    EXPECT_LT(last, 1.1 * std::sqrt(2.0) * whole) << c.order;
    EXPECT_GT(last, 2 * StageTolerance::tightest) << c.order;
    EXPECT_LT(last, 0.5 * StageTolerance::loosest) << c.order;
  }
}

TEST(StageTolerance, StaysWithinItsBounds) {
  StageTolerance coarse(1), fine(2), bounded(1, 3e-6);
  Scripted violent, falling, controlled;
  EXPECT_EQ(violent.run(coarse, 12, circle(1 / kH)).back(), StageTolerance::loosest);
  EXPECT_EQ(controlled.run(bounded, 12, circle(1 / kH)).back(), 3e-6);
  // A method that falls without any error leaves none to hide behind.
  const auto fall = [](double t) { return Vec3(kSpeed, -9.81 * t, 0); };
  for (const double told : falling.run(fine, 12, fall)) EXPECT_EQ(told, StageTolerance::tightest);
}

TEST(StageTolerance, BeginsAtTheTightest) {
  StageTolerance tolerance(1);
  Scripted told;
  const std::vector<double> all = told.run(tolerance, 5, circle(0.03 / kH));
  // Five steps make four differences of accelerations.
  for (int k = 0; k < 5; ++k) EXPECT_EQ(all[k], StageTolerance::tightest) << k;
  EXPECT_GT(all[5], 1e-6);
}

// The calmest of four steps counts, and a jump is seen in two.
TEST(StageTolerance, IsNotMovedByAJump) {
  const auto calm = circle(0.1 / kH);
  const auto jumps = [&calm](double t) { return Vec3((t > 9.5 * kH ? -1 : 1) * calm(t)); };
  StageTolerance one(2), other(2);
  Scripted steady, jumping;
  const std::vector<double> usual = steady.run(one, 20, calm), all = jumping.run(other, 20, jumps);
  for (std::size_t k = 6; k < all.size(); ++k) EXPECT_LT(all[k], 1.5 * usual[k]) << k;
}

// Steps of other lengths make other differences of the same motion.
TEST(StageTolerance, KnowsStepsThatChange) {
  Scripted told;
  StageTolerance tolerance(1);
  told.run(tolerance, 8, circle(0.03 / kH));
  const double before = told.state.tolerance;
  told.run(tolerance, 1, circle(0.03 / kH), 0.5 * kH);
  const double after = told.run(tolerance, 6, circle(0.03 / kH), 0.5 * kH).back();
  EXPECT_NEAR(after / before, 0.25, 0.05);
}

TEST(StageTolerance, GoesOnAsItWas) {
  Scripted one, other;
  StageTolerance whole(1), stopped(1), resumed(1);
  const std::vector<double> all = one.run(whole, 9, circle(0.02 / kH));
  other.run(stopped, 4, circle(0.02 / kH));
  resumed.restore(stopped.memory());
  const std::vector<double> rest = other.run(resumed, 5, circle(0.02 / kH));
  for (std::size_t k = 0; k < rest.size(); ++k) EXPECT_EQ(rest[k], all[4 + k]) << k;
}

// h η speed stays below a tenth of what friction holds within, however wrong the method is; without
// `stick` that is a speed.
TEST(StageTolerance, LeavesFrictionItsHold) {
  for (const bool stick : {true, false}) {
    fixtures::ContactScene scene({fixtures::block(Vec3(0, 0.5, 0), ElementType::hex8, 1e5)},
                                 Vec3::Zero(), 1e5);
    const double epsilon = stick ? 1e-6 : 1e-3;
    scene.add_friction(0.5, {.stick = stick, .epsilon = epsilon});
    StageTolerance tolerance(1);
    State& state = scene.state;
    for (int k = 0; k < 10; ++k) {
      tolerance.open(scene.system(), state, kH);
      state.t += kH;
      for (Index n = 0; n < scene.system().nodes(); ++n)
        node(view(state.v), n) = circle(1 / kH)(state.t);
      tolerance.close(scene.system(), state);
    }
    tolerance.open(scene.system(), state, kH);
    const double bound = 0.1 * epsilon / (stick ? kH * kSpeed : kSpeed);
    EXPECT_LE(state.tolerance, 1.5 * bound);
    EXPECT_GE(state.tolerance, 0.5 * bound);
  }
}

}  // namespace
}  // namespace pliant
