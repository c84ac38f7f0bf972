// A block on a slope, and one that slides to a stop: Coulomb's law says where each ends. Gravity is
// tilted, not the plane.
#include <pliant/integrate/energy_guard.hpp>

#include <integrate/contact_scene.hpp>
#include <integrate/particles.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::block;
using fixtures::ContactScene;

constexpr double kG = 9.81, kStiff = 1e9;
constexpr double kSize = 0.87;  // m, the block's diagonal

std::unique_ptr<Stepper> stepper_of(const std::string& name) {
  auto stepper = make_stepper({name}, {.linear = "cholesky", .reuse = false});
  return std::make_unique<EnergyGuard>(
      std::move(stepper), name == "be" ? nullptr : make_stepper({"be"}, {.linear = "cholesky"}));
}

ContactScene on_slope(double tangent, double mu, FrictionOptions options) {
  const double c = 1 / std::sqrt(1 + tangent * tangent);
  ContactScene scene({block(Vec3(0, 0.255, 0), ElementType::hex8, kStiff)},
                     Vec3(kG * tangent * c, -kG * c, 0), kStiff);
  scene.add_friction(mu, options);
  return scene;
}

double middle(const ContactScene& scene) {
  double x = 0;
  for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
    x += node(view(scene.state.q), n).x();
  return x / scene.model.bodies[0].end_node();
}

void go(ContactScene& scene, const std::string& method, double h, double duration) {
  const auto stepper = stepper_of(method);
  for (int k = 0; k < std::lround(duration / h); ++k) {
    const StepReport report = stepper->step(scene.system(), scene.state, h);
    ASSERT_TRUE(report.ok) << report.reason;
    ASSERT_GT(scene.lowest(), 0);
  }
}

// At rest on the slope, strained as it is when friction just holds it.
void settle(ContactScene& scene, double tangent) {
  ContactScene held = on_slope(tangent, 1.01 * tangent, {.epsilon = 1e-6 * kSize});
  go(held, "be", 0.05, 4);
  scene.state.q = held.state.q;
  scene.state.friction = held.state.friction;
}

class Slopes : public ::testing::TestWithParam<std::string> {};

TEST_P(Slopes, HoldForGoodBelowTheCriticalAngleAndLetSlideAbove) {
  const double mu = 0.5;
  {
    ContactScene scene = on_slope(0.99 * mu, mu, {.epsilon = 1e-6 * kSize});
    settle(scene, 0.99 * mu);
    const double start = middle(scene);
    go(scene, GetParam(), 0.01, 1);
    const double held = middle(scene);
    EXPECT_LT(std::abs(held - start), 1e-5);
    go(scene, GetParam(), 0.01, 2);
    EXPECT_LT(std::abs(middle(scene) - held), 1e-9);
  }
  ContactScene scene = on_slope(1.01 * mu, mu, {.epsilon = 1e-6 * kSize});
  settle(scene, 1.01 * mu);
  const double start = middle(scene);
  go(scene, GetParam(), 0.01, 1);
  EXPECT_GT(middle(scene) - start, 0.01);
}

// tan = 0.5, μ = 0.49: a = g (sin − μ cos) = 0.0877 m/s².
TEST_P(Slopes, AreSlidDownWithTheAccelerationOfCoulomb) {
  ContactScene scene = on_slope(0.5, 0.49, {.epsilon = 1e-6 * kSize});
  settle(scene, 0.5);
  const double start = middle(scene);
  go(scene, GetParam(), 0.01, 2.5);
  EXPECT_NEAR(middle(scene) - start, 0.274, 0.02 * 0.274);
}

TEST_P(Slopes, StopABlockAfterTheDistanceOfCoulomb) {
  for (const double mu : {0.2, 0.7}) {
    ContactScene scene = on_slope(0, mu, {.epsilon = 1e-6 * kSize});
    settle(scene, 0);
    for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
      node(view(scene.state.v), n) = Vec3(2, 0, 0);
    const double start = middle(scene);
    // Backward Euler stops v h/2 too early.
    go(scene, GetParam(), GetParam() == "be" ? 0.002 : 0.005, 2 / (mu * kG) + 0.2);
    // v²/(2μg), and at the end it stands.
    EXPECT_NEAR(middle(scene) - start, 4 / (2 * mu * kG), 0.01 * 4 / (2 * mu * kG)) << mu;
    EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Friction, Slopes, ::testing::Values("be", "bdf2", "sdirk2", "trbdf2"));

// Normal forces that are late are the known error near the critical angle: with one, two or as many
// rounds as they need the answer on either side of it is the same.
TEST(Friction, HoldsAndLetsGoNearTheCriticalAngleHoweverOftenNormalForcesAreFound) {
  for (const int rounds : {1, 2, 1000}) {
    FrictionOptions options{.epsilon = 1e-6 * kSize, .lag = rounds, .lag_change = 1e-3};
    ContactScene sticks = on_slope(0.5, 0.505, options);
    settle(sticks, 0.5);
    const double held = middle(sticks);
    go(sticks, "trbdf2", 0.01, 1);
    EXPECT_LT(std::abs(middle(sticks) - held), 1e-5) << rounds;
    ContactScene slides = on_slope(0.5, 0.49, options);
    settle(slides, 0.5);
    const double start = middle(slides);
    go(slides, "trbdf2", 0.01, 2.5);
    EXPECT_NEAR(middle(slides) - start, 0.274, 0.02 * 0.274) << rounds;
  }
}

// Friction that follows the pressure one stage late feeds vibrations, however small they are. So it
// must not be late even where the pressure changes by less than what counts as converged: with
// backward Euler Δp_x = −μ N h and Δp_y = (N − m g) h, both with the N of the step's end.
void expect_friction_of_the_same_stage(bool constrained) {
  SCOPED_TRACE(constrained);
  const double mu = 0.5, h = 1e-3;
  const FrictionOptions options{.epsilon = 1e-6 * kSize};
  ContactScene scene = on_slope(0, mu, options);
  settle(scene, 0);
  if (constrained) {  // a rod within the block: momentum knows nothing of it
    const Vec3 edge = node(view(scene.state.q), 1) - node(view(scene.state.q), 0);
    scene.model.system->add_constraint(std::make_unique<DistanceConstraints>(
        std::vector<DistanceRow>{fixtures::rod(0, 1, edge.norm())}));
  }
  for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
    node(view(scene.state.v), n) = Vec3(2, 0, 0);
  go(scene, "be", h, 0.1);
  for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
    node(view(scene.state.v), n).y() -= 6e-6;
  const auto stepper = stepper_of("be");
  const double weight = kG * scene.model.bodies[0].mass;
  double least = weight, most = weight;
  for (int k = 0; k < 20; ++k) {
    const Vec3 before = scene.system().momentum(view(scene.state.q), view(scene.state.v)).linear;
    ASSERT_TRUE(stepper->step(scene.system(), scene.state, h).ok);
    const Vec3 force =
        (scene.system().momentum(view(scene.state.q), view(scene.state.v)).linear - before) / h;
    const double N = force.y() + weight;
    least = std::min(least, N), most = std::max(most, N);
    EXPECT_NEAR(-force.x() / (mu * N), 1, 1e-4) << k;
  }
  EXPECT_GT(most - least, 3e-4 * weight);
  EXPECT_LT(most - least, options.lag_change * weight);
}

TEST(Friction, IsOfThePressureOfTheSameStageEvenWhereThatChangesLittle) {
  for (const bool constrained : {false, true}) expect_friction_of_the_same_stage(constrained);
}

// Forces are found on Newton's way: that costs a few iterations, and no more where a block that
// falls onto the slope must first find out what holds and what slides.
TEST(Friction, FindsItsForcesInFewMoreIterationsThanThoseOfTheStartTake) {
  const auto iterations = [](int lag) {
    ContactScene scene = on_slope(0.4, 0.5, {.epsilon = 1e-6 * kSize, .lag = lag});
    for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
      node(view(scene.state.v), n) = Vec3(1, -1, 0.3);
    const auto stepper = make_stepper({"be"}, {.linear = "cholesky", .reuse = false});
    int sum = 0;
    for (int k = 0; k < 20; ++k) {
      const StepReport report = stepper->step(scene.system(), scene.state, 0.01);
      EXPECT_TRUE(report.ok) << report.reason;
      sum += report.newton;
    }
    return sum;
  };
  const int late = iterations(1), found = iterations(FrictionOptions{}.lag);
  RecordProperty("late", late);
  RecordProperty("found", found);
  EXPECT_LT(found, 2 * late) << late;
}

// Without sticking it creeps, at less than the speed below which friction fades.
TEST(Friction, SmoothedInTheSpeedCreepsSlowly) {
  const double mu = 0.5, speed = 1e-3;
  ContactScene scene = on_slope(0.8 * mu, mu, {.stick = false, .epsilon = speed});
  settle(scene, 0.8 * mu);
  go(scene, "be", 0.02, 1);
  const double start = middle(scene);
  go(scene, "be", 0.02, 2);
  const double crept = (middle(scene) - start) / 2;
  // 2x − x² = 0.8 at the speed it creeps at.
  EXPECT_NEAR(crept, (1 - std::sqrt(0.2)) * speed, 0.05 * speed);
}

// A block that is far stiffer than the barrier comes to the floor at 0.2 m/s. Short steps see the
// barrier give back e of the speed; long ones, which see little of it, give back no more.
TEST(Restitution, IsThePartOfTheSpeedThatContactGivesBackAtMost) {
  const double v = 0.2;
  const auto speed_after = [&](const std::string& method, double e, double h) {
    ContactScene scene({block(Vec3(0, 0.256, 0), ElementType::hex8, kStiff)}, Vec3::Zero());
    scene.add_friction(0, {.restitution = e, .rebound_speed = 1e-3});
    for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
      node(view(scene.state.v), n) = Vec3(0, -v, 0);
    go(scene, method, h, 0.2);
    double sum = 0;
    for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
      sum += node(view(scene.state.v), n).y();
    return sum / scene.model.bodies[0].end_node();
  };
  for (const double e : {0.0, 0.5, 0.8}) {
    EXPECT_NEAR(speed_after("be", e, 1e-4), e * v, 0.05 * v) << e;
    for (const char* method : {"trbdf2", "sdirk2", "bdf2"}) {
      EXPECT_LT(speed_after(method, e, 0.02), e * v + 0.03 * v) << method << " " << e;
      EXPECT_GT(speed_after(method, e, 0.02), -0.03 * v) << method << " " << e;
    }
  }
  EXPECT_GT(speed_after("trbdf2", 1, 0.002), 0.5 * v);  // which is what the limit is for
}

// Of what a stiff block has come down with at 2 m/s, a method that itself gives back more is left
// e² of the energy, in steps in which it crosses the barrier at once and in those that see it.
TEST(Restitution, IsWhatComesOutWhereTheMethodKeepsTheEnergy) {
  const double v = 2;
  const auto part_after = [&](const std::string& method, double e, double h) {
    ContactScene scene({block(Vec3(0, 0.256, 0), ElementType::hex8, kStiff)}, Vec3::Zero());
    scene.add_friction(0, {.restitution = e, .rebound_speed = 1e-3});
    for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
      node(view(scene.state.v), n) = Vec3(0, -v, 0);
    go(scene, method, h, 0.06);
    double sum = 0;
    for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
      sum += node(view(scene.state.v), n).y();
    const double speed = sum / scene.model.bodies[0].end_node();
    return speed * std::abs(speed) / (v * v);
  };
  for (const double e : {0.3, 0.5, 0.8}) {
    EXPECT_NEAR(part_after("trbdf2", e, 0.02), e * e, 0.2 * e * e) << e;
    EXPECT_LT(part_after("be", e, 0.02), 0.2 * e * e) << e;  // which keeps nothing of an impact
  }
  for (const double h : {0.005, 0.002})
    EXPECT_NEAR(part_after("trbdf2", 0.5, h), 0.25, 0.2 * 0.25) << h;
  EXPECT_NEAR(part_after("sdirk2", 0.5, 0.02), 0.25, 0.2 * 0.25);
  EXPECT_NEAR(part_after("trbdf2", 0, 0.02), 0, 0.01);
}

// What pairs of edges weigh changes from step to step, and what the guard remembers of their energy
// is what it would find.
TEST(EnergyGuard, GoesOnFromACheckpointToTheLastBitWherePairsOfEdgesHaveShares) {
  SolidInput upper = block(Vec3(0, 0.8, 0));
  const Eigen::Matrix3d turn =
      (Eigen::AngleAxisd(0.6, Vec3::UnitY()) * Eigen::AngleAxisd(0.7, Vec3(1, 0, 1).normalized()))
          .toRotationMatrix();
  for (Vec3& x : upper.mesh.points) x = Vec3(0.2, 0.95, 0.2) + turn * (x - Vec3(0, 0.8, 0));
  int shared = 0;
  for (const std::string method : {"be", "sdirk2", "trbdf2", "esdirk43"}) {
    SCOPED_TRACE(method);
    ContactScene scene({block(Vec3(0, 0.256, 0)), upper});
    const auto guard = stepper_of(method);
    for (int k = 0; k < 60; ++k) {
      State state = scene.state;
      const auto other = stepper_of(method);
      other->restore(guard->memory());
      ASSERT_TRUE(guard->step(scene.system(), scene.state, 0.01).ok);
      if (!state.shares) continue;
      ++shared;
      ASSERT_TRUE(other->step(scene.system(), state, 0.01).ok);
      EXPECT_EQ(state.q, scene.state.q);
      EXPECT_EQ(state.v, scene.state.v);
      EXPECT_EQ(other->memory(), guard->memory());
    }
  }
  EXPECT_GT(shared, 2);
}

TEST(EnergyGuard, LetsNoStepGainEnergyInContactAndKeepsMoreThanBackwardEuler) {
  for (const std::string method : {"sdirk2", "trbdf2", "esdirk43"}) {
    ContactScene free({block(Vec3(0, 0.5, 0))}), guarded({block(Vec3(0, 0.5, 0))}),
        euler({block(Vec3(0, 0.5, 0))});
    const auto plain = make_stepper({method}, {.linear = "cholesky", .reuse = false});
    const auto guard = stepper_of(method), be = stepper_of("be");
    const double floor = -1226.25 * 0.25, start = guarded.energy() - floor;  // over the ground
    double most = 0;
    int redone = 0;
    for (int k = 0; k < 160; ++k) {
      const StepReport report = guard->step(guarded.system(), guarded.state, 0.005);
      ASSERT_TRUE(report.ok) << report.reason;
      redone += report.redone;
      EXPECT_EQ(report.notes.size(), static_cast<std::size_t>(report.redone));
      most = std::max(most, guarded.energy() - floor);
      ASSERT_TRUE(be->step(euler.system(), euler.state, 0.005).ok);
      ASSERT_TRUE(plain->step(free.system(), free.state, 0.005).ok);
    }
    EXPECT_LT(most, start * (1 + 2e-3)) << method;
    EXPECT_GT(guarded.energy() - floor, euler.energy() - floor) << method;
    if (method == "esdirk43") {
      EXPECT_GT(redone, 0);
    }
  }
}

TEST(EnergyGuard, RemembersWhatItHasLetPass) {
  ContactScene one({block(Vec3(0, 0.35, 0))}), two({block(Vec3(0, 0.35, 0))});
  auto a = stepper_of("trbdf2");
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(a->step(one.system(), one.state, 0.005).ok);
  two.state = one.state;
  auto b = stepper_of("trbdf2");
  b->restore(a->memory());
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(a->step(one.system(), one.state, 0.005).ok);
    ASSERT_TRUE(b->step(two.system(), two.state, 0.005).ok);
  }
  EXPECT_EQ(one.state.q, two.state.q);
}

}  // namespace
}  // namespace pliant
