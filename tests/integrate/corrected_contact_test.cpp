// Contact as the correction of a predicted step: free of contact nothing changes, what rests is
// held by its weight, momentum is kept between bodies, friction stops what slides where Coulomb's
// law says, and every integrator may be the predictor. By quadratic programs and by complementarity
// alike.
#include <pliant/body/solid.hpp>
#include <pliant/contact/intersections.hpp>
#include <pliant/dissipation/rayleigh.hpp>
#include <pliant/integrate/contact_stepper.hpp>
#include <pliant/load/contact_load.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/stage/static_equilibrium.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr double kDensity = 1000, kKeptGap = 1e-4, kGravity = 9.81;

SolidInput block(const Vec3& center, double young, std::array<int, 3> cells = {2, 2, 2}) {
  SolidInput solid;
  solid.mesh = make_box({Vec3(0.5, 0.5, 0.5), cells, ElementType::tet4});
  for (Vec3& x : solid.mesh.points) x += center;
  MaterialConstants constants;
  constants.young = young, constants.poisson = 0.4, constants.density = kDensity;
  solid.materials = {{"stable-neo-hookean", constants}};
  return solid;
}

SolidInput ball(const Vec3& center, double young) {
  SolidInput solid = block(center, young);
  solid.mesh = make_sphere({.radius = 0.5, .size = 0.25});
  for (Vec3& x : solid.mesh.points) x += center;
  return solid;
}

using By = ContactRules::By;

// Bodies over a plane through the origin.
struct Scene {
  Model model;
  State state;
  std::shared_ptr<ContactRules> rules = std::make_shared<ContactRules>();

  explicit Scene(By by, std::vector<SolidInput> solids, double friction = 0,
                 const Vec3& gravity = Vec3(0, -kGravity, 0)) {
    rules->by = by;
    const std::array<Vec3, 1> floor = {Vec3::Zero()};
    model = make_model(std::move(solids), floor);
    System& system = *model.system;
    if (!gravity.isZero(0))
      system.add_term(std::make_unique<Gravity>(gravity, system.mass(), view(system.rest())));
    system.add_term(std::make_unique<ContactLoad>());
    Pin pin;
    pin.nodes = {system.nodes() - 1};
    system.add_pin(pin);
    for (const Body& body : model.bodies)
      rules->surface.add({.name = body.name}, body.surface, body.first_node, view(system.rest()));
    rules->surface.planes.push_back({"floor", system.nodes() - 1, Vec3::UnitY()});
    rules->surface.finish();
    rules->margin = kKeptGap;
    rules->friction = friction;
    state = system.make_state();
  }

  ContactStepper stepper(const std::string& integrator) const {
    return {make_stepper({integrator}, {.linear = "cholesky", .tolerance = 1e-10}), rules};
  }
  const System& system() const { return *model.system; }
  double energy() const {
    return system().energies({state.t, view(state.q), view(state.v), nullptr}).total();
  }
  void move(std::size_t body, const Vec3& v) {
    for (Index n = model.bodies[body].first_node; n < model.bodies[body].end_node(); ++n)
      node(view(state.v), n) = v;
  }
  Vec3 mean(const Vector& x, std::size_t body = 0) const {
    Vec3 sum = Vec3::Zero();
    const Body& b = model.bodies[body];
    for (Index n = b.first_node; n < b.end_node(); ++n)
      sum += node(view(x), n) / (b.end_node() - b.first_node);
    return sum;
  }
  double lowest() const {
    double y = 1e9;
    for (Index n = 0; n + 1 < system().nodes(); ++n) y = std::min(y, node(view(state.q), n).y());
    return y;
  }
};

double run_scene(Scene& scene, ContactStepper& stepper, double h, int steps) {
  double penetration = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(scene.system(), scene.state, h);
    EXPECT_TRUE(report.ok) << report.reason << " at step " << k;
    if (!report.ok) return 1;
    penetration = std::max(penetration, stepper.contact().penetration);
  }
  return penetration;
}

std::string name_of(By by) { return by == By::qp ? "Qp" : "Unilateral"; }

std::vector<std::string> names_of_integrators() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}

class Predictors : public ::testing::TestWithParam<std::tuple<By, std::string>> {
 protected:
  By by() const { return std::get<0>(GetParam()); }
  const std::string& method() const { return std::get<1>(GetParam()); }
};

TEST_P(Predictors, FreeOfContactAreUntouchedBitForBit) {
  Scene scene(by(), {block(Vec3(0, 5, 0), 1e4)});
  for (Index n = 0; n < scene.system().nodes() - 1; ++n)
    node(view(scene.state.v), n).z() = 2 * node(view(scene.state.q), n).x();
  State plain = scene.state;
  ContactStepper with = scene.stepper(method());
  const auto without = make_stepper({method()}, {.linear = "cholesky", .tolerance = 1e-10});
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(with.step(scene.system(), scene.state, 2e-3).ok);
    ASSERT_TRUE(without->step(scene.system(), plain, 2e-3).ok);
  }
  EXPECT_EQ(scene.state.q, plain.q);
  EXPECT_EQ(scene.state.v, plain.v);
}

// 2 ms suit the explicit methods too: the stiffest mode of the block has some 600 rad/s.
TEST_P(Predictors, LetABlockFallAndStopItAtThePlane) {
  Scene scene(by(), {block(Vec3(0, 0.27, 0), 1e4)});
  scene.move(0, Vec3(0, -0.5, 0));
  ContactStepper stepper = scene.stepper(method());
  double energy = scene.energy(), met = 0;
  for (int k = 0; k < 100; ++k) {
    const StepReport report = stepper.step(scene.system(), scene.state, 2e-3);
    ASSERT_TRUE(report.ok) << report.reason << " at step " << k;
    ASSERT_GT(scene.lowest(), 0.99 * kKeptGap);
    met = std::max(met, stepper.contact_force().lpNorm<Eigen::Infinity>());
  }
  EXPECT_GT(met, 0);
  EXPECT_LT(scene.energy(), energy);
}

INSTANTIATE_TEST_SUITE_P(List, Predictors,
                         ::testing::Combine(::testing::Values(By::qp, By::unilateral),
                                            ::testing::ValuesIn(names_of_integrators())),
                         [](const auto& info) {
                           std::string name = std::get<1>(info.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + name_of(std::get<0>(info.param));
                         });

class CorrectedContact : public ::testing::TestWithParam<By> {};
INSTANTIATE_TEST_SUITE_P(List, CorrectedContact, ::testing::Values(By::qp, By::unilateral),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(CorrectedContact, AStiffBlockRestsAtTheMarginAndTheFloorBearsItsWeight) {
  for (const std::string name : {"be", "sdirk2", "bdf2"}) {
    Scene scene(GetParam(), {block(Vec3(0, 0.26, 0), 1e7, {3, 3, 3})});  // 16 rows on a flat face
    ContactStepper stepper = scene.stepper(name);
    const double h = 5e-3;
    EXPECT_EQ(run_scene(scene, stepper, h, 200), 0);
    EXPECT_NEAR(scene.lowest(), kKeptGap, 1e-3 * kKeptGap);
    EXPECT_LT(scene.state.v.lpNorm<Eigen::Infinity>(), 1e-6) << name;
    double carried = 0;
    for (Index n = 0; n + 1 < scene.system().nodes(); ++n)
      carried += node(view(stepper.contact_force()), n).y();
    const double weight = 0.125 * kDensity * kGravity;
    EXPECT_NEAR(carried, weight, 1e-3 * weight) << name;
    EXPECT_GT(stepper.contact().contacts, 3) << name;
  }
}

// Each node as high as in the equilibrium over a floor that is a row of pins: predictors know of
// the force that the floor has, whatever they would do without it in a step.
TEST_P(CorrectedContact, ASoftBlockComesToRestWhereStaticsHasIt) {
  const SolidInput soft = block(Vec3(0, 0.25 + kKeptGap, 0), 1e5);
  Scene pinned(GetParam(), {soft});
  Pin floor;
  floor.axes = {false, true, false};
  for (Index n = 0; n + 1 < pinned.system().nodes(); ++n)
    if (pinned.state.q[3 * n + 1] < 2 * kKeptGap) floor.nodes.push_back(n);
  ASSERT_EQ(floor.nodes.size(), 9U);
  pinned.model.system->add_pin(floor);
  pinned.model.system->add_pin({.nodes = {floor.nodes[4]}});  // else it could go anywhere
  pinned.model.system->add_pin({.nodes = {floor.nodes[5]}, .axes = {false, false, true}});
  pinned.state = pinned.system().make_state();
  ASSERT_TRUE(find_equilibrium(pinned.system(), pinned.state, {.tolerance = 1e-10}).ok);
  for (const std::string name : {"be", "bdf2", "sdirk2", "trbdf2", "esdirk43", "newmark"}) {
    Scene scene(GetParam(), {soft});
    scene.model.system->add_term(std::make_unique<Rayleigh>(
        std::vector<RayleighPart>{{.alpha = 20, .end = scene.system().nodes()}},
        scene.system().mass()));
    ContactStepper stepper = scene.stepper(name);
    run_scene(scene, stepper, 0.01, 300);
    for (Index n = 0; n + 1 < scene.system().nodes(); ++n)
      EXPECT_NEAR(scene.state.q[3 * n + 1], pinned.state.q[3 * n + 1], 1e-7) << name;
  }
}

// Predicted with a load that is over, a block that is pulled off the floor would lag behind.
TEST_P(CorrectedContact, WhatIsLiftedOffFliesAsIfNothingHadPressed) {
  Scene scene(GetParam(), {block(Vec3(0, 0.25 + kKeptGap, 0), 1e6)});
  ContactStepper stepper = scene.stepper("sdirk2");
  run_scene(scene, stepper, 5e-3, 100);
  ASSERT_GT(stepper.contact().contacts, 0);
  scene.move(0, Vec3(0, 3, 0));
  scene.state.a_known = false;
  State free = scene.state;
  free.memories.clear();
  const auto plain = make_stepper({"sdirk2"}, {.linear = "cholesky", .tolerance = 1e-10});
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(stepper.step(scene.system(), scene.state, 5e-3).ok);
    ASSERT_TRUE(plain->step(scene.system(), free, 5e-3).ok);
    EXPECT_LT((scene.state.q - free.q).lpNorm<Eigen::Infinity>(), 1e-10);  // as Newton leaves it
    EXPECT_LT((scene.state.v - free.v).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

TEST_P(CorrectedContact, BlocksThatMeetKeepTheirMomentumAndDoNotPassThroughEachOther) {
  Scene scene(GetParam(), {block(Vec3(0, 2, 0), 1e5), block(Vec3(0.55, 2.1, 0.05), 1e5)}, 0,
              Vec3::Zero());
  scene.move(0, Vec3(2, 0, 0));
  ContactStepper stepper = scene.stepper("sdirk2");
  const Momentum before = scene.system().momentum(view(scene.state.q), view(scene.state.v));
  const double energy = scene.energy();
  for (int k = 0; k < 60; ++k) {
    const StepReport report = stepper.step(scene.system(), scene.state, 5e-3);
    ASSERT_TRUE(report.ok) << report.reason << " at step " << k;
    ASSERT_TRUE(find_intersections(scene.rules->surface, view(scene.state.q)).empty()) << k;
  }
  const Momentum after = scene.system().momentum(view(scene.state.q), view(scene.state.v));
  EXPECT_LT((after.linear - before.linear).norm(), 1e-6 * before.linear.norm());
  EXPECT_GT(scene.mean(scene.state.v, 1).x(), 0.5);
  EXPECT_LE(scene.energy(), energy);
}

// What a ball has left after one bounce; LOESCHNER §5.4 in small.
double kept_by_a_bounce(By by, const std::string& integrator) {
  Scene scene(by, {ball(Vec3(0, 0.6, 0), 6e5)});
  scene.move(0, Vec3(0, -5, 0));
  ContactStepper stepper = scene.stepper(integrator);
  const double rest = 4.0 / 3 * EIGEN_PI * 0.125 * kDensity * kGravity * 0.5, h = 5e-3;
  const double start = scene.energy() - rest;
  run_scene(scene, stepper, h, 60);
  EXPECT_GT(scene.mean(scene.state.v).y(), 0) << integrator;
  return (scene.energy() - rest) / start;
}

TEST_P(CorrectedContact, Sdirk2KeepsMoreOfABounceThanBackwardEuler) {
  const double second = kept_by_a_bounce(GetParam(), "sdirk2"),
               first = kept_by_a_bounce(GetParam(), "be");
  EXPECT_GT(second, first + 0.05);
  EXPECT_LT(second, 1);
}

TEST_P(CorrectedContact, ASlidingBlockStopsAfterTheWayOfCoulombsLaw) {
  const double mu = 0.3, speed = 1, h = 2e-3;
  for (const std::string name : {"be", "sdirk2"}) {
    Scene scene(GetParam(), {block(Vec3(0, 0.25 + kKeptGap, 0), 1e7, {1, 1, 1})}, mu);
    scene.move(0, Vec3(speed, 0, 0));
    ContactStepper stepper = scene.stepper(name);
    const double from = scene.mean(scene.state.q).x();
    run_scene(scene, stepper, h, 220);  // it stops after 0.34 s
    const double way = scene.mean(scene.state.q).x() - from;
    const double exact = speed * speed / (2 * mu * kGravity);
    EXPECT_NEAR(way, exact, 0.01 * exact) << name;
    run_scene(scene, stepper, h, 50);
    EXPECT_NEAR(scene.mean(scene.state.q).x() - from, way, 2e-5) << name;  // it only shakes
  }
}

}  // namespace
}  // namespace pliant
