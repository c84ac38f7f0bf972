// Contact with obstacles inside the local–global solver: what rests is carried, what slides stops
// where Coulomb's law says, what is pulled by less than friction holds, and nothing goes through.
#include <pliant/body/solid.hpp>
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/sdf.hpp>
#include <pliant/stage/contact_rules.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace pliant {
namespace {

constexpr double kGravity = 9.81, kMargin = 1e-4;

SolidInput block(const Vec3& center, double young, std::array<int, 3> cells = {2, 2, 2}) {
  SolidInput solid;
  solid.name = "block";
  solid.mesh = make_box({Vec3(0.5, 0.5, 0.5), cells, ElementType::tet4});
  for (Vec3& x : solid.mesh.points) x += center;
  MaterialConstants constants;
  constants.young = young, constants.density = 1000;
  solid.materials = {{"stable-neo-hookean", constants}};
  return solid;
}

// A block over an obstacle whose nodes stand behind its own.
struct AdmmScene {
  Model model;
  State state;
  std::shared_ptr<ContactRules> rules = std::make_shared<ContactRules>();
  Sdf shape{SdfPlane{}, {}};  // of the obstacle

  AdmmScene(SolidInput solid, std::span<const Vec3> obstacle, double friction,
            const Vec3& gravity) {
    std::vector<SolidInput> solids;
    solids.push_back(std::move(solid));
    model = make_model(std::move(solids), obstacle);
    System& system = *model.system;
    system.add_term(std::make_unique<Gravity>(gravity, system.mass(), view(system.rest())));
    Pin pin;
    for (Index n = system.body_nodes(); n < system.nodes(); ++n) pin.nodes.push_back(n);
    system.add_pin(pin);
    rules->surface.add({.name = "block", .self = false}, model.bodies[0].surface, 0,
                       view(system.rest()));
    rules->margin = kMargin;
    rules->friction = friction;
    state = system.make_state();
  }
  Index obstacle() const { return model.system->body_nodes(); }
  void finish() { rules->surface.finish(); }

  std::unique_ptr<Stepper> stepper(int iterations = 0, double tolerance = 1e-7) const {
    SolverOptions options;
    options.type = "admm";
    options.tolerance = tolerance;
    options.max_iterations = 400;
    options.admm = {iterations, 1, rules};
    return make_stepper("be", options);
  }
  void run(Stepper& stepper, double h, int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepReport report = stepper.step(*model.system, state, h);
      ASSERT_TRUE(report.ok) << report.reason << " in step " << k;
      for (const auto& [n, other] : model.bodies[0].surface.edges)
        ASSERT_GT(distance(shape, node(view(state.q), n)), 0) << "node " << n << ", step " << k;
    }
  }
  Vec3 momentum() const { return model.system->momentum(view(state.q), view(state.v)).linear; }
  Vec3 center() const {
    return model.system->momentum(view(state.q), view(state.q)).linear / model.bodies[0].mass;
  }
};

AdmmScene on_plane(double young, double friction, const Vec3& gravity) {
  AdmmScene scene(block(Vec3(0, 0.25 + kMargin, 0), young), std::array{Vec3(0, 0, 0)}, friction,
                  gravity);
  scene.rules->surface.planes.push_back({"floor", scene.obstacle(), Vec3::UnitY()});
  scene.finish();
  return scene;
}

Vec3 tilted(double tangent) {
  const double angle = std::atan(tangent);
  return {kGravity * std::sin(angle), -kGravity * std::cos(angle), 0};
}

// The same as if the nodes below were held at their height, which is what a plane without friction
// does to a block that stands on it.
TEST(AdmmContact, CarriesABlockOnAPlane) {
  AdmmScene scene = on_plane(1e5, 0, Vec3(0, -kGravity, 0));
  SolidInput solid = block(Vec3(0, 0.25 + kMargin, 0), 1e5);
  Pin below;
  for (Index n = 0; n < solid.mesh.point_count(); ++n)
    if (solid.mesh.points[static_cast<std::size_t>(n)].y() < 2 * kMargin) below.nodes.push_back(n);
  below.axes = {false, true, false};
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model held = make_model(std::move(solids));
  held.system->add_term(std::make_unique<Gravity>(Vec3(0, -kGravity, 0), held.system->mass(),
                                                  view(held.system->rest())));
  held.system->add_pin(below);
  State wanted = held.system->make_state();
  const auto newton = make_stepper("be", SolverOptions{});
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(newton->step(*held.system, wanted, 0.05).ok);
  const auto stepper = scene.stepper();
  scene.run(*stepper, 0.05, 40);
  const double shortened = (wanted.q - held.system->rest()).norm();
  EXPECT_GT(shortened, 1e-2);
  EXPECT_LT((scene.state.q.head(wanted.q.size()) - wanted.q).norm(), 1e-3 * shortened);
}

TEST(AdmmContact, StopsASlidingBlockWhereCoulombsLawSays) {
  AdmmScene scene = on_plane(1e6, 0.5, Vec3(0, -kGravity, 0));
  for (Index n = 0; n < scene.obstacle(); ++n) node(view(scene.state.v), n).x() = 2;
  const double start = scene.center().x(), h = 0.005;
  const auto stepper = scene.stepper();
  scene.run(*stepper, h, 160);
  // Backward Euler is v h/2 short of v²/(2 μ g).
  const double wanted = 4 / (2 * 0.5 * kGravity) - 0.5 * 2 * h;
  EXPECT_NEAR(scene.center().x() - start, wanted, 0.01 * wanted);
  EXPECT_LT(scene.momentum().norm(), 0.01 * scene.model.bodies[0].mass);  // it rocks a little
}

TEST(AdmmContact, RubsByTheCoefficientOfThePair) {
  AdmmScene scene = on_plane(1e6, 0.5, Vec3(0, -kGravity, 0));
  scene.rules->of_pairs.emplace(scene.rules->surface, 0.5);
  scene.rules->of_pairs->set_plane(0, 0, 0.2);
  for (Index n = 0; n < scene.obstacle(); ++n) node(view(scene.state.v), n).x() = 2;
  const auto stepper = scene.stepper();
  scene.run(*stepper, 0.005, 60);
  const double speed = scene.momentum().x() / scene.model.bodies[0].mass;
  EXPECT_NEAR(2 - speed, 0.2 * kGravity * 0.3, 0.03 * 0.2 * kGravity * 0.3);
}

TEST(AdmmContact, HoldsOnASlopeBelowTheAngleOfFrictionAndSlidesAboveIt) {
  for (const double part : {0.95, 1.05}) {
    AdmmScene scene = on_plane(1e6, 0.4, tilted(part * 0.4));
    const auto stepper = scene.stepper();
    scene.run(*stepper, 0.02, 25);
    const Vec3 before = scene.momentum();
    scene.run(*stepper, 0.02, 25);
    const Vec3 gained = (scene.momentum() - before) / scene.model.bodies[0].mass;
    const double angle = std::atan(part * 0.4);
    const double pull = kGravity * (std::sin(angle) - 0.4 * std::cos(angle));
    if (part < 1)
      EXPECT_LT(scene.momentum().norm() / scene.model.bodies[0].mass, 1e-5);
    else
      EXPECT_NEAR(gained.x(), 0.5 * pull, 0.02 * 0.5 * pull);  // ringing of the elastic block
  }
}

struct Obstacle {
  std::vector<Vec3> nodes;
  Sdf shape;
  std::function<void(AdmmScene&)> add;
};

std::vector<Obstacle> obstacles() {
  const ContactPatch round{.name = "obstacle", .radius = 0.2, .obstacle = true};
  const ContactPatch sharp{.name = "obstacle", .obstacle = true};
  const Mesh box = make_box({Vec3(0.4, 0.2, 0.4), {1, 1, 1}, ElementType::hex8});
  std::vector<Vec3> corners = box.points;
  for (Vec3& x : corners) x.y() -= 0.1;
  return {{{Vec3(0, -0.2, 0)},
           {SdfSphere{0.2}, {}, Vec3(0, -0.2, 0)},
           [=](AdmmScene& s) { s.rules->surface.add_points(round, std::array{s.obstacle()}); }},
          {{Vec3(0, -0.2, -0.3), Vec3(0, -0.2, 0.3)},
           {SdfCapsule{0.2, 0.6},
            {},
            Vec3(0, -0.2, 0),
            Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix()},
           [=](AdmmScene& s) {
             const std::array<std::array<Index, 2>, 1> axis = {{{s.obstacle(), s.obstacle() + 1}}};
             s.rules->surface.add_edges(round, axis, view(s.model.system->rest()));
           }},
          {corners, {SdfBox{Vec3(0.4, 0.2, 0.4)}, {}, Vec3(0, -0.1, 0)}, [=](AdmmScene& s) {
             s.rules->surface.add(sharp, make_surface(box), s.obstacle(),
                                  view(s.model.system->rest()));
           }}};
}

// Points of the body stay outside, by the distance functions of the shapes themselves, in converged
// steps and in those of ten iterations.
TEST(AdmmContact, KeepsABlockOffObstaclesOfEveryShape) {
  for (const Obstacle& obstacle : obstacles())
    for (const int iterations : {0, 10}) {
      AdmmScene scene(block(Vec3(0.05, 0.3, 0.02), 1e5, {3, 3, 3}), obstacle.nodes, 0.3,
                      Vec3(0, -kGravity, 0));
      scene.shape = obstacle.shape;
      obstacle.add(scene);
      scene.finish();
      const auto stepper = scene.stepper(iterations, 1e-5);
      scene.run(*stepper, 0.01, 40);
      EXPECT_LT(scene.center().y(), 0.28);
      EXPECT_GT(scene.center().y(), 0);
    }
}

TEST(AdmmContact, GoesOnFromItsMemoryWithTheSameBits) {
  AdmmScene scene = on_plane(1e5, 0.3, tilted(0.2));
  const auto first = scene.stepper(0, 1e-6);
  scene.run(*first, 0.02, 10);
  const auto second = scene.stepper(0, 1e-6);
  second->restore(first->memory());
  const State middle = scene.state;
  scene.run(*first, 0.02, 10);
  const State end = scene.state;
  scene.state = middle;
  scene.run(*second, 0.02, 10);
  EXPECT_TRUE(scene.state.q == end.q);
  EXPECT_TRUE(scene.state.v == end.v);
}

}  // namespace
}  // namespace pliant
