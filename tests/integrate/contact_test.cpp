// Bodies that fall on a plane and on each other, with every kind of stepper that may meet a
// barrier: nothing ever touches, momentum passes from one body to the other, and what rests is held
// by its weight.
#include <pliant/integrate/stepper.hpp>

#include <integrate/contact_scene.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::block;
using fixtures::ContactScene;
using fixtures::kDelta;
using fixtures::kDensity;
using Scene = ContactScene;

class Methods : public ::testing::TestWithParam<std::string> {};

TEST_P(Methods, LetABlockFallOnAPlaneWithoutTouchingIt) {
  Scene scene({block(Vec3(0, 0.4, 0))});
  const auto stepper = make_stepper({GetParam()}, {.linear = "cholesky", .reuse = false});
  const double h = 0.01;
  bool met = false;
  for (int k = 0; k < 60; ++k) {
    const StepReport report = stepper->step(scene.system(), scene.state, h);
    ASSERT_TRUE(report.ok) << report.reason << " at step " << k;
    EXPECT_GT(scene.lowest(), 0);
    met = met || scene.lowest() < kDelta;
  }
  EXPECT_TRUE(met);
}

INSTANTIATE_TEST_SUITE_P(Contact, Methods,
                         ::testing::Values("be", "bdf2", "sdirk2", "trbdf2", "esdirk43", "newmark",
                                           "generalized-alpha"));

TEST(Contact, ABlockComesToRestOnItsWeight) {
  Scene scene({block(Vec3(0, 0.26, 0))});
  const auto stepper = make_stepper({"be"}, {.linear = "cholesky"});
  for (int k = 0; k < 150; ++k)
    ASSERT_TRUE(stepper->step(scene.system(), scene.state, 0.02).ok) << k;
  Vector f = Vector::Zero(scene.state.q.size());
  scene.system().contact()->add_force(scene.now(), view(f));
  double carried = 0;
  for (const Body& body : scene.model.bodies)
    for (Index n = body.first_node; n < body.end_node(); ++n) carried += node(view(f), n).y();
  const double weight = 0.125 * kDensity * 9.81;
  EXPECT_NEAR(carried, weight, 0.01 * weight);
  EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-3);
}

TEST(Contact, BlocksThatMeetPassMomentumOnAndNeverGainEnergy) {
  Scene scene({block(Vec3(0, 2, 0)), block(Vec3(0.6, 2.1, 0.05), ElementType::hex8)}, Vec3::Zero());
  for (Index n = 0; n < scene.model.bodies[0].end_node(); ++n)
    node(view(scene.state.v), n) = Vec3(2, 0, 0);
  const auto stepper = make_stepper({"be"}, {.linear = "cholesky", .reuse = false});
  const Momentum before = scene.system().momentum(view(scene.state.q), view(scene.state.v));
  double energy = scene.energy(), smallest = 1;
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(stepper->step(scene.system(), scene.state, 0.005).ok) << k;
    const double now = scene.energy();
    EXPECT_LT(now, energy * (1 + 1e-9));
    energy = now;
    if (const auto gap = scene.min_gap()) smallest = std::min(smallest, *gap);
    EXPECT_GT(smallest, 0);
  }
  EXPECT_LT(smallest, kDelta);
  const Momentum after = scene.system().momentum(view(scene.state.q), view(scene.state.v));
  // Newton's tolerance is relative to the largest velocity.
  EXPECT_LT((after.linear - before.linear).norm(), 1e-6 * before.linear.norm());
  double second = 0;
  for (Index n = scene.model.bodies[1].first_node; n < scene.model.bodies[1].end_node(); ++n)
    second = std::max(second, node(view(scene.state.v), n).x());
  EXPECT_GT(second, 0.5);
}

TEST(Contact, FarFromEverythingChangesNothing) {
  Scene with({block(Vec3(0, 20, 0))});
  Model without = make_model({block(Vec3(0, 20, 0))});
  System& system = *without.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  State state = system.make_state();
  for (Index n = 0; n < system.nodes(); ++n) {
    const Vec3 v(0, 0, 3 * node(view(state.q), n).x());
    node(view(state.v), n) = v, node(view(with.state.v), n) = v;
  }
  const auto a = make_stepper({"sdirk2"}, {.linear = "cholesky", .tolerance = 1e-12});
  const auto b = make_stepper({"sdirk2"}, {.linear = "cholesky", .tolerance = 1e-12});
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(a->step(system, state, 0.01).ok);
    ASSERT_TRUE(b->step(with.system(), with.state, 0.01).ok);
  }
  EXPECT_LT((with.state.q.head(state.q.size()) - state.q).lpNorm<Eigen::Infinity>(), 1e-10);
}

}  // namespace
}  // namespace pliant
