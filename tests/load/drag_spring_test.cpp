// The hand of the viewer: derivatives, rest when nothing is held, and that it pulls without heating
// what it holds.
#include <pliant/integrate/stepper.hpp>
#include <pliant/load/drag_spring.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::random_vector;

Model make_bar(ElementType element) {
  return test::make_beam(
      {.size = Vec3(2, 1, 1), .cells = {4, 2, 2}, .element = element, .gravity = Vec3::Zero()});
}

DragSpring::Grip grip_of(const Model& model, std::size_t triangle, double stiffness) {
  const auto& corners = model.bodies[0].surface.triangles[triangle];
  return {corners, {0.2, 0.5, 0.3}, Vec3(0.4, 1.5, -0.7), stiffness};
}

TEST(DragSpring, HasItsForceAndTangentOnEveryKindOfElement) {
  for (const ElementType element : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    const Model model = make_bar(element);
    const System& system = *model.system;
    DragSpring spring;
    spring.locate(system.pattern());
    for (const std::size_t triangle : {std::size_t{0}, std::size_t{3}, std::size_t{17}}) {
      spring.hold(grip_of(model, triangle, 250));
      const test::Point x{0, system.rest() + random_vector(system.dofs(), 0.05, 1),
                          random_vector(system.dofs(), 1, 2), nullptr};
      const Vector d = random_vector(x.q.size(), 1, 5);
      // Quadratic: differences are exact up to rounding.
      test::expect_force_is_gradient(spring, x, d, 1e-3, 1e-9);
      BlockMatrix A(system.pattern());
      test::expect_tangent_is_derivative(spring, x, d, 1e-3, 1e-9, A);
    }
  }
}

TEST(DragSpring, PullsAtRigidBodiesThroughTheirFrames) {
  SolidInput solid;
  solid.name = "box";
  solid.mesh = make_box({Vec3(0.3, 0.2, 0.1), {1, 1, 1}, ElementType::hex8});
  RigidInput rigid;
  rigid.mass = 6, rigid.inertia = Vec3(0.025, 0.05, 0.065).asDiagonal(), rigid.modulus = 1e8;
  solid.rigid = rigid;
  const Model model = make_model({solid});
  System& system = *model.system;
  auto owned = std::make_unique<DragSpring>(&system.followers());
  DragSpring& spring = *owned;
  system.add_term(std::move(owned));
  const auto& triangle = model.bodies[0].surface.triangles[0];
  spring.hold(
      {.nodes = triangle, .weights = {0.2, 0.3, 0.5}, .target = Vec3(1, 2, 3), .stiffness = 50});
  const State state = system.make_state();
  const Configuration c{.t = 0, .q = view(state.q), .v = view(state.v)};
  BlockMatrix A(system.pattern());
  system.add_tangent(c, {.stiffness = 1}, A);
  // Against the change of the force, for a motion of the frame.
  Vector u = Vector::Zero(system.dofs()), Au(u.size()), f0(u.size()), f1(u.size());
  for (Index a = 0; a < 4; ++a)
    u.segment<3>(3 * (model.bodies[0].rigid->first + a)) = Vec3(0.1 * a, 1, -0.3);
  system.follow(view(u));
  A.multiply(view(u), view(Au));
  const double h = 1e-6;
  const Vector q1 = state.q + h * u, q0 = state.q - h * u;
  system.force({.t = 0, .q = view(q0), .v = view(state.v)}, view(f0));
  system.force({.t = 0, .q = view(q1), .v = view(state.v)}, view(f1));
  EXPECT_LT(((f0 - f1) / (2 * h) - Au).norm(), 1e-6 * Au.norm());
}

TEST(DragSpring, DoesNothingWhileNothingIsHeld) {
  const Model model = make_bar(ElementType::tet4);
  const System& system = *model.system;
  DragSpring spring;
  spring.locate(system.pattern());
  const Vector v = Vector::Zero(system.dofs());
  const Configuration c{0, view(system.rest()), view(v), nullptr};
  for (const bool released : {false, true}) {
    if (released) {
      spring.hold(grip_of(model, 0, 10));
      EXPECT_GT(spring.potential(c), 0);
      spring.release();
    }
    EXPECT_EQ(spring.potential(c), 0);
    EXPECT_EQ(test::force_of(spring, c, v.size()).norm(), 0);
    BlockMatrix A(system.pattern());
    spring.add_tangent(c, {.stiffness = 1}, A);
    EXPECT_EQ(test::dense(A).norm(), 0);
  }
}

TEST(DragSpring, PullsWithStiffnessTimesDistance) {
  const Model model = make_bar(ElementType::hex8);
  const System& system = *model.system;
  DragSpring spring;
  spring.hold(grip_of(model, 2, 40));
  const Vector v = Vector::Zero(system.dofs());
  const Vector f =
      test::force_of(spring, {0, view(system.rest()), view(v), nullptr}, system.dofs());
  Vec3 sum = Vec3::Zero();
  for (Index n = 0; n < system.nodes(); ++n) sum += f.segment<3>(3 * n);
  const Vec3 wanted = 40 * (Vec3(0.4, 1.5, -0.7) - spring.point(view(system.rest())));
  EXPECT_LT((sum - wanted).norm(), 1e-12 * wanted.norm());
}

// With the stiffness that a session chooses no method, explicit ones included, gains energy from a
// hand that rests: 200 steps, 1 % for the error of the explicit ones at this step.
TEST(DragSpring, OfChosenStiffnessIsStable) {
  for (const char* method : {"be", "sdirk2", "bdf2", "verlet"}) {
    const double h = 1e-3;
    Model model = make_bar(ElementType::tet4);
    System& system = *model.system;
    auto owned = std::make_unique<DragSpring>();
    DragSpring& spring = *owned;
    system.add_term(std::move(owned));
    DragSpring::Grip grip = grip_of(model, 5, 0);
    grip.target = Vec3(0.1, 0.6, 0);
    double inverse = 0;
    for (std::size_t a = 0; a < 3; ++a)
      inverse += grip.weights[a] * grip.weights[a] / system.mass().diagonal(grip.nodes[a]);
    grip.stiffness = drag_stiffness(
        {model.bodies[0].mass, 1 / inverse, h, std::string_view(method) == "verlet"});
    spring.hold(grip);
    State state = system.make_state();
    const auto energy = [&] {
      return system.energies({state.t, view(state.q), view(state.v), nullptr}).total();
    };
    const double first = energy();
    const auto stepper = make_stepper(method, {});
    for (int k = 0; k < 200; ++k) {
      ASSERT_TRUE(stepper->step(system, state, h).ok) << method;
      ASSERT_LT(energy(), 1.01 * first) << method << ", step " << k;
    }
    EXPECT_GT((spring.point(view(state.q)) - spring.point(view(system.rest()))).norm(), 1e-4)
        << method << ": it did not pull";
  }
}

TEST(DragStiffness, FollowsTheBodysMassAndYieldsToLongOrExplicitSteps) {
  const double omega = 2 * 3.14159265358979;
  EXPECT_NEAR(drag_stiffness({3, 1e-3, 1e-3, false}), 3 * omega * omega, 1e-9 * 3 * omega * omega);
  EXPECT_NEAR(drag_stiffness({3, 1e-3, 0.1, false}), 3 * 25, 1e-9);
  EXPECT_NEAR(drag_stiffness({3, 1e-3, 1e-2, true}), 0.25 * 1e-3 / 1e-4, 1e-12);
}

}  // namespace
}  // namespace pliant
