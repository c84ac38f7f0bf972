#include <pliant/load/contact_load.hpp>
#include <pliant/load/face_load.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/load/point_load.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::random_vector;

struct Fixture {
  Model model =
      test::make_beam({.size = Vec3(2, 1, 1), .cells = {4, 2, 2}, .gravity = Vec3::Zero()});
  System& system = *model.system;
  LoadFaces faces = make_load_faces(model.bodies[0].mesh, model.bodies[0].surface,
                                    std::vector<bool>(model.bodies[0].mesh.points.size(), true), 0);
  test::Point point() const {
    return {0.3, system.rest() + random_vector(system.dofs(), 0.05, 1),
            random_vector(system.dofs(), 1, 2), nullptr};
  }
};

Curve ramp(const Vec3& from, const Vec3& to) { return Curve({0.0, 1.0}, {from, to}); }

TEST(Gravity, PullsWithTheWeightAndIsZeroInTheUndeformedState) {
  const Fixture f;
  const Gravity gravity(Vec3(0, -9.81, 0), f.system.mass(), view(f.system.rest()));
  const test::Point x = f.point();
  const Vector force = test::force_of(gravity, {0, view(x.q), view(x.v), nullptr}, x.q.size());
  double down = 0;
  for (Index n = 0; n < f.system.nodes(); ++n) down += force[3 * n + 1];
  EXPECT_NEAR(down, -9.81 * 1000 * 2, 1e-9 * 19620);
  EXPECT_EQ(gravity.potential({0, view(f.system.rest()), view(x.v), nullptr}), 0);
  test::expect_force_is_gradient(gravity, x, random_vector(x.q.size(), 1, 4), 1e-3, 1e-9);
}

TEST(PointLoad, SharesItsForceAndHasAPotential) {
  const Fixture f;
  const PointLoad load(ramp(Vec3::Zero(), Vec3(10, -20, 5)), {0, 3, 7}, view(f.system.rest()));
  const test::Point x = f.point();
  const Vector force = test::force_of(load, {x.t, view(x.q), view(x.v), nullptr}, x.q.size());
  EXPECT_LT((force.segment<3>(9) - 0.3 * Vec3(10, -20, 5) / 3).norm(), 1e-12);
  EXPECT_NEAR(force.sum(), 0.3 * -5, 1e-12);
  test::expect_force_is_gradient(load, x, random_vector(x.q.size(), 1, 4), 1e-3, 1e-9);
  EXPECT_TRUE(load.time_dependent());
}

TEST(Pressure, OnAClosedSurfaceIsThePotentialOfTheVolume) {
  Fixture f;
  Pressure pressure(Curve(Vec3(2000, 0, 0)), f.faces, view(f.system.rest()));
  pressure.locate(f.system.pattern());
  ASSERT_TRUE(pressure.has_potential());
  const test::Point x = f.point();
  const Vector d = random_vector(x.q.size(), 1, 5);
  test::expect_force_is_gradient(pressure, x, d, 1e-3, 1e-8);
  BlockMatrix A(f.system.pattern());
  test::expect_tangent_is_derivative(pressure, x, d, 1e-3, 1e-8, A);
  const Eigen::MatrixXd K = test::dense(A);
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
}

TEST(Pressure, OnOneFaceOfABoxPushesInwardsWithPressureTimesArea) {
  Fixture f;
  std::vector<bool> at_right;
  for (const Vec3& x : f.model.bodies[0].mesh.points)
    at_right.push_back(std::abs(x.x() - 1) < 1e-9);
  const LoadFaces right =
      make_load_faces(f.model.bodies[0].mesh, f.model.bodies[0].surface, at_right, 0);
  Pressure pressure(ramp(Vec3::Zero(), Vec3(1000, 0, 0)), right, view(f.system.rest()));
  pressure.locate(f.system.pattern());
  EXPECT_FALSE(pressure.has_potential());
  const Vector v = Vector::Zero(f.system.dofs());
  const Vector force =
      test::force_of(pressure, {0.5, view(f.system.rest()), view(v), nullptr}, v.size());
  EXPECT_NEAR(force.sum(), -500, 1e-9);
  BlockMatrix A(f.system.pattern());
  test::expect_tangent_is_derivative(pressure, f.point(), random_vector(v.size(), 1, 6), 1e-3, 1e-8,
                                     A);
}

// A bar pressed at its end: with ν = 0 the displacement is exactly −p x/E for every element, or the
// load is not work-equivalent.
TEST(Pressure, StretchesEveryElementEvenly) {
  for (const ElementType element : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    Model model = test::make_beam({.size = Vec3(2, 1, 1),
                                   .cells = {3, 2, 2},
                                   .element = element,
                                   .law = "linear",
                                   .poisson = 0,
                                   .gravity = Vec3::Zero()});
    System& system = *model.system;
    const Mesh& mesh = model.bodies[0].mesh;
    std::vector<bool> at_right;
    for (const Vec3& x : mesh.points) at_right.push_back(std::abs(x.x() - 1) < 1e-9);
    const Pressure pressure(Curve(Vec3(1000, 0, 0)),
                            make_load_faces(mesh, model.bodies[0].surface, at_right, 0),
                            view(system.rest()));
    Vector q = system.rest();
    const Vector v = Vector::Zero(q.size());
    for (Index n = 0; n < system.nodes(); ++n) q[3 * n] -= 1000 / 1e5 * (mesh.points[n].x() + 1);
    const Configuration c{0, view(q), view(v), nullptr};
    Vector f(q.size());
    system.force(c, view(f));
    const Vector load =
        test::force_of(pressure, {0, view(system.rest()), view(v), nullptr}, q.size());
    double worst = 0;
    for (Index n = 0; n < system.nodes(); ++n)
      if (mesh.points[n].x() > -1 + 1e-9)
        worst = std::max(worst, (f + load).segment<3>(3 * n).norm());
    EXPECT_LT(worst, 1e-9 * 1000) << name_of(element);
    EXPECT_NEAR(load.sum(), -1000, 1e-9);
  }
}

TEST(Pressure, OnClosedSurfacesOfEveryElementHasItsPotential) {
  for (const ElementType element : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    const Model model = test::make_beam(
        {.size = Vec3(2, 1, 1), .cells = {3, 2, 2}, .element = element, .gravity = Vec3::Zero()});
    const System& system = *model.system;
    const Body& body = model.bodies[0];
    const std::vector<bool> all(body.mesh.points.size(), true);
    Pressure pressure(Curve(Vec3(2000, 0, 0)), make_load_faces(body.mesh, body.surface, all, 0),
                      view(system.rest()));
    pressure.locate(system.pattern());
    ASSERT_TRUE(pressure.has_potential()) << name_of(element);
    const test::Point x{0, system.rest() + random_vector(system.dofs(), 0.05, 1),
                        Vector::Zero(system.dofs()), nullptr};
    test::expect_force_is_gradient(pressure, x, random_vector(x.q.size(), 1, 5), 1e-3, 1e-8);
  }
}

TEST(Wind, HasItsTangentsAndPushesAPlateWithHalfTheDragTimesSpeedSquared) {
  Fixture f;
  Wind wind(Curve(Vec3(3, -1, 2)), 1.2, f.faces, f.system.nodes());
  wind.locate(f.system.pattern());
  const test::Point x = f.point();
  BlockMatrix A(f.system.pattern());
  const Vector d = random_vector(x.q.size(), 1, 7);
  test::expect_tangent_is_derivative(wind, x, d, 1e-4, 1e-7, A);
  test::expect_tangent_is_derivative(wind, x, d, 1e-4, 1e-7, A, true);

  const Wind along(Curve(Vec3(4, 0, 0)), 1.2, f.faces, f.system.nodes());
  const Vector v = Vector::Zero(f.system.dofs());
  const Vector force =
      test::force_of(along, {0, view(f.system.rest()), view(v), nullptr}, v.size());
  // Both end faces of 1 m² feel ½ c u²: one is pushed, the other pulled, the sides feel nothing.
  EXPECT_NEAR(force.sum(), 2 * 0.5 * 1.2 * 16, 1e-9);
}

TEST(Wind, DoesNotActOnWhatMovesWithIt) {
  Fixture f;
  const Wind wind(Curve(Vec3(3, -1, 2)), 1.2, f.faces, f.system.nodes());
  const Vector v = Vec3(3, -1, 2).replicate(f.system.nodes(), 1);
  EXPECT_EQ(test::force_of(wind, {0, view(f.system.rest()), view(v), nullptr}, v.size()).norm(), 0);
}

TEST(Curve, PassesThroughItsKnotsWithoutOvershootAndWithItsDerivatives) {
  const Curve curve({0, 1, 1.5, 4},
                    {Vec3(0, 1, 2), Vec3(1, 1, -1), Vec3(3, 1, -1), Vec3(3.5, 1, 4)});
  EXPECT_EQ(curve.at(1).value, Vec3(1, 1, -1));
  EXPECT_EQ(curve.at(-1).value, Vec3(0, 1, 2));
  EXPECT_EQ(curve.at(9).value, Vec3(3.5, 1, 4));
  EXPECT_EQ(curve.at(9).first, Vec3::Zero());
  double last = -1;
  for (double t = 0; t <= 4; t += 0.01) {
    const Curve::Sample s = curve.at(t);
    EXPECT_GE(s.value.x(), last - 1e-12);
    last = s.value.x();
    EXPECT_GE(s.value.z(), -1 - 1e-12);
    if (t < 0.1 || t > 3.9 || std::abs(t - 1) < 0.02 || std::abs(t - 1.5) < 0.02) continue;
    const double h = 1e-4;
    const Vec3 slope = (curve.at(t + h).value - curve.at(t - h).value) / (2 * h);
    const Vec3 bend = (curve.at(t + h).first - curve.at(t - h).first) / (2 * h);
    EXPECT_LT((slope - s.first).norm(), 1e-6);
    EXPECT_LT((bend - s.second).norm(), 1e-6);
  }
}

TEST(Curve, OfALoadIsStraightBetweenItsKnots) {
  const Curve curve({0, 0.5, 1}, {Vec3::Zero(), Vec3(100, 0, 0), Vec3::Zero()},
                    Curve::Between::straight);
  double impulse = 0;
  for (int k = 0; k < 1000; ++k) impulse += 1e-3 * curve.at((k + 0.5) * 1e-3).value.x();
  EXPECT_NEAR(impulse, 50, 1e-9);
  EXPECT_EQ(curve.at(0.25).first, Vec3(200, 0, 0));
}

Vector nodes_of(std::initializer_list<Vec3> forces) {
  Vector f(3 * static_cast<Eigen::Index>(forces.size()));
  Eigen::Index i = 0;
  for (const Vec3& force : forces) f.segment<3>(3 * i++) = force;
  return f;
}

ContactLoad::Known loaded(const Vector& load, const Vector& last, Eigen::Index bodies) {
  const Vector none = Vector::Zero(bodies);
  return std::make_shared<const ContactLoad::Memory>(load, last, load, none, none);
}

TEST(ContactLoad, ActsWithinStepsAloneAndIsTheGradientOfItsPotential) {
  const Fixture f;
  ContactLoad load;
  load.set_slot(0);
  const Vector force = random_vector(f.system.dofs(), 1, 5);
  StepData step;
  step.memories = {loaded(force, force, 1)};
  test::Point x = f.point();
  EXPECT_TRUE(test::force_of(load, {0, view(x.q), view(x.v), nullptr}, x.q.size()).isZero(0));
  EXPECT_EQ(load.potential({0, view(x.q), view(x.v), nullptr}), 0);
  x.step = &step;
  EXPECT_EQ(test::force_of(load, {0, view(x.q), view(x.v), &step}, x.q.size()), force);
  test::expect_force_is_gradient(load, x, random_vector(x.q.size(), 1, 6), 1e-3, 1e-9);
}

TEST(ContactLoad, KnowsNothingOfImpactsAndSettlesOnWhatLasts) {
  const Vector impact = nodes_of({Vec3(0, 900, 0), Vec3::Zero()});
  const Vector weight = nodes_of({Vec3(0, 10, 0), Vec3(2, 10, 0)});
  const ContactLoad load({0, 1});
  auto known = load.after_step(nullptr, nullptr, impact);
  EXPECT_TRUE(known->load.isZero(0));
  known = load.after_step(known, known, weight);
  EXPECT_EQ(known->load, nodes_of({Vec3(0, 5, 0), Vec3::Zero()}));  // the second has pressed once
  for (int k = 0; k < 60; ++k) known = load.after_step(known, known, weight);
  EXPECT_LT((known->load - weight).norm(), 1e-12);
  EXPECT_EQ(load.after_step(known, known, Vector::Zero(6)), nullptr);
  known = load.after_step(known, known, nodes_of({Vec3::Zero(), Vec3(2, 10, 0)}));
  EXPECT_TRUE(known->load.head(3).isZero(0)) << "what has left bears nothing";
  EXPECT_GT(known->load[4], 9);
}

ContactLoad::Known after_two_steps(const ContactLoad& load, const Vector& one,
                                   const Vector& other) {
  const auto known = load.after_step(nullptr, nullptr, one);
  return load.after_step(known, known, other);
}

// What rows that say the same share may go from node to node; what is between them stays balanced.
TEST(ContactLoad, IsTheSamePartOfTheForceAllOverABody) {
  const Vector one = nodes_of({Vec3(0, 10, 0), Vec3(0, 2, 0), Vec3(0, -12, 0)});
  const Vector other = nodes_of({Vec3(0, 2, 0), Vec3(0, 10, 0), Vec3(0, -12, 0)});
  const ContactLoad load;
  const auto known = after_two_steps(load, one, other);
  EXPECT_GT(known->load[4], 1);
  EXPECT_NEAR(known->load.sum(), 0, 1e-15);
}

TEST(ContactLoad, IsNotForNodesOfNoBody) {
  const ContactLoad load({0, ContactLoad::kNone});
  const Vector weight = nodes_of({Vec3(0, 10, 0), Vec3(0, 10, 0)});
  const auto known = after_two_steps(load, weight, weight);
  EXPECT_EQ(known->load, nodes_of({Vec3(0, 5, 0), Vec3::Zero()}));
}

TEST(ContactLoad, IsTakenOffBodiesThatHadToBeMovedAllTheSame) {
  const Vector weight = nodes_of({Vec3(0, 10, 0), Vec3(0, 10, 0)});
  const ContactLoad load({0, 1});
  const auto known = loaded(weight, weight, 2);
  const Vector pushed = nodes_of({Vec3(0, 1, 0), Vec3(0, 1, 0)});
  EXPECT_EQ(load.without_wrong(known, 0.4 * pushed, pushed), known);
  const auto less = load.without_wrong(known, nodes_of({Vec3(0, 0.1, 0), Vec3(0, -9, 0)}), pushed);
  EXPECT_EQ(less->load, nodes_of({Vec3(0, 10, 0), Vec3::Zero()}));
  EXPECT_EQ(less->last, weight);
}

// Steps between two loads of a body that is loaded wrongly each time, while the other lies still.
TEST(ContactLoad, WaitsLongerEachTimeItWasWrong) {
  const Vector weight = nodes_of({Vec3(0, 10, 0), Vec3(0, 10, 0)});
  const ContactLoad load({0, 1});
  auto known = after_two_steps(load, weight, weight);
  std::vector<int> waits;
  for (int k = 0, since = 0; k < 200; ++k, ++since) {
    ContactLoad::Known used = known;
    EXPECT_GE(known->load[4], 5);
    if (known->load[1] != 0) {
      waits.push_back(std::exchange(since, 0));
      const Vector right = nodes_of({Vec3::Zero(), known->load.tail<3>()});
      used = loaded(right, weight, 2);
    }
    known = load.after_step(known, used, weight);
  }
  EXPECT_NEAR(known->average[1], 10, 1e-9) << "what lasts is known all the same";
  EXPECT_EQ(waits, (std::vector<int>{0, 2, 3, 5, 9, 17, 33, 33, 33, 33}));
  for (int k = 0; k < 40; ++k) known = load.after_step(known, known, weight);
  EXPECT_LT((known->load - weight).norm(), 0.01);
  EXPECT_TRUE(known->missed.isZero(0));
}

TEST(ContactLoad, IsTheSameFromACheckpoint) {
  const Vector a = random_vector(12, 1, 7), b = random_vector(12, 1, 8);
  const Vector missed = Vector::Constant(1, 3), wait = Vector::Constant(1, 7);
  const ContactLoad load({0, 0, 0, 0});
  const Vector average = random_vector(12, 1, 9);
  const ContactLoad::Memory memory(a, b, average, missed, wait);
  const TermMemories memories = {load.recall(memory.numbers())};
  const auto known = ContactLoad::known(memories, 0);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->load, a);
  EXPECT_EQ(known->last, b);
  EXPECT_EQ(known->average, average);
  EXPECT_EQ(known->missed, missed);
  EXPECT_EQ(known->wait, wait);
  EXPECT_EQ(ContactLoad({0, 0}).recall(memory.numbers()), nullptr) << "of another scene";
  EXPECT_EQ(ContactLoad::known({}, 0), nullptr);
}

}  // namespace
}  // namespace pliant
