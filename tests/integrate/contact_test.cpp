// Bodies that fall on a plane and on each other, with every kind of stepper that may meet a
// barrier: nothing ever touches, momentum passes from one body to the other, and what rests is held
// by its weight.
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>

#include <pliant/body/solid.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr double kYoung = 1e5, kDensity = 1000, kDelta = 5e-3;

SolidInput block(const Vec3& place, ElementType element = ElementType::tet4) {
  SolidInput solid;
  solid.mesh = make_box({Vec3(0.5, 0.5, 0.5), {2, 2, 2}, element});
  for (Vec3& x : solid.mesh.points) x += place;
  MaterialConstants constants;
  constants.young = kYoung, constants.poisson = 0.4, constants.density = kDensity;
  solid.materials = {{"stable-neo-hookean", constants}};
  return solid;
}

struct Scene {
  Model model;
  State state;

  explicit Scene(std::vector<SolidInput> solids, const Vec3& gravity = Vec3(0, -9.81, 0)) {
    const std::array<Vec3, 1> floor = {Vec3(0, 0, 0)};
    model = make_model(std::move(solids), floor);
    System& system = *model.system;
    if (!gravity.isZero(0))
      system.add_term(std::make_unique<Gravity>(gravity, system.mass(), view(system.rest())));
    Pin pin;
    pin.nodes = {system.nodes() - 1};
    system.add_pin(pin);
    ContactSurface surface;
    for (const Body& body : model.bodies)
      surface.add({.name = body.name, .modulus = kYoung}, body.surface, body.first_node,
                  view(system.rest()));
    surface.planes.push_back({"floor", system.nodes() - 1, Vec3::UnitY()});
    surface.finish();
    system.add_contact(std::make_unique<BarrierTerm>(std::move(surface), kDelta));
    state = system.make_state();
  }

  const System& system() const { return *model.system; }
  Configuration now() const { return {state.t, view(state.q), view(state.v), nullptr, nullptr}; }
  double energy() const { return system().energies(now()).total(); }
  std::optional<double> min_gap() const {
    ContactSet own;
    return system().contact()->contacts(now(), own).min_gap;
  }
  double lowest() const {
    double y = 1e9;
    for (Index n = 0; n + 1 < system().nodes(); ++n) y = std::min(y, node(view(state.q), n).y());
    return y;
  }
};

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
