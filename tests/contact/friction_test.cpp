// Friction between surfaces: the law, its derivatives, and what contacts remember.
#include <pliant/contact/friction_law.hpp>
#include <pliant/contact/friction_term.hpp>

#include <contact/random_pairs.hpp>
#include <contact/stack.hpp>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace pliant {
namespace {

using fixtures::RandomPairs;
using fixtures::Stack;

TEST(FrictionLaw, IsTheStepOfThePaperAndTheSlopeOfItsPotential) {
  const double epsilon = 0.3, h = 1e-6;
  EXPECT_EQ(friction_step(0, epsilon), 0);
  EXPECT_DOUBLE_EQ(friction_step(0.15, epsilon), 0.75);  // 2/2 − 1/4
  EXPECT_EQ(friction_step(0.3, epsilon), 1);
  EXPECT_EQ(friction_step(7, epsilon), 1);
  for (const double x : {0.01, 0.1, 0.29, 0.31, 2.0}) {
    const double slope =
        (friction_potential(x + h, epsilon) - friction_potential(x - h, epsilon)) / (2 * h);
    EXPECT_NEAR(slope, friction_step(x, epsilon), 1e-9);
  }
}

TEST(FrictionLaw, DerivativeOfTheDirectionAgreesWithFiniteDifferences) {
  RandomPairs random(71);
  const double epsilon = 0.5, h = 1e-6;
  for (int k = 0; k < 200; ++k) {
    const Vec3 n = random.vector().normalized();
    Vec3 y = random.vector();
    y -= n.dot(y) * n;
    Vec3 u = random.vector();
    u -= n.dot(u) * n;
    if (std::abs(y.norm() - epsilon) < 1e-3) continue;
    const Vec3 slope =
        (friction_direction(y + h * u, epsilon) - friction_direction(y - h * u, epsilon)) / (2 * h);
    const Mat3 H = friction_derivative(y, n, epsilon);
    EXPECT_LT((slope - H * u).norm(), 1e-7 * (1 + H.norm()));
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat3>(H).eigenvalues().minCoeff(), -1e-14);
  }
  const Vec3 n = Vec3::UnitZ();
  EXPECT_EQ(friction_direction(Vec3::Zero(), epsilon), Vec3::Zero());
  EXPECT_LT(
      (friction_derivative(Vec3::Zero(), n, epsilon) * Vec3::UnitX() - 4 * Vec3::UnitX()).norm(),
      1e-14);
}

struct Rubbing {
  Stack stack;
  FrictionTerm term;
  StepData data;

  Rubbing(bool obstacle, FrictionOptions options, double gap = 0.01)
      : stack(gap, 0.03, {3, 1, 2}, obstacle),
        term(*stack.term, FrictionCoefficients(stack.term->surface(), 0.4), options) {
    data.lagged.resize(1);
    data.friction = term.open_step(nullptr, stack.at_rest(), 0.01);
  }
  Configuration at(const Vector& q, const Vector& v) const {
    return {.t = 0, .q = view(q), .v = view(v), .step = &data};
  }
};

// An unknown of its own that has the value of η gives the derivative of η; any other one within the
// circle a definite matrix, at rest too; and one that is zero the secant.
TEST(FrictionLaw, DerivativeWithADirectionOfItsOwnIsBetweenSecantAndTrueOne) {
  RandomPairs random(72);
  const double epsilon = 0.5;
  for (int k = 0; k < 200; ++k) {
    const Vec3 n = random.vector().normalized();
    const auto across = [&](const Vec3& x) { return Vec3(x - n.dot(x) * n); };
    const Vec3 y = k == 0 ? Vec3(Vec3::Zero()) : across(random.vector());
    const Mat3 exact = friction_derivative(y, n, epsilon);
    const Mat3 same = friction_derivative(y, friction_direction(y, epsilon), n, epsilon);
    EXPECT_LE((same - exact).norm(), 1e-13 * exact.norm());
    const Mat3 none = friction_derivative(y, Vec3::Zero(), n, epsilon);
    EXPECT_LE((none - friction_secant(y, n, epsilon)).norm(), 1e-13 * none.norm());
    Vec3 w = across(random.vector());
    w *= 1 / std::max(1.0, w.norm());
    const Eigen::SelfAdjointEigenSolver<Mat3> of(friction_derivative(y, w, n, epsilon));
    EXPECT_GE(of.eigenvalues().minCoeff(), -1e-14 * of.eigenvalues().maxCoeff());
  }
}

// Newton's method for y and w on K (y − y*) + μλ w = 0, ψ w = y, with full steps only: a contact
// that was sliding and one that was at rest find stick and slip in a few steps, however small ε is.
TEST(FrictionLaw, DirectionsOfTheirOwnFindStickAndSlipInAFewSteps) {
  const Vec3 n = Vec3::UnitY();
  const double epsilon = 1e-6, K = 100, force = 1;
  for (const double pulled : {0.3, 0.9, 1.1, 5.0})  // K y* over μλ: below 1 it holds
    for (const double begin : {0.0, 1e-7, 0.02, -0.02}) {
      const Vec3 goal(pulled * force / K, 0, 0);
      Vec3 y(begin, 0, 1e-3 * begin), w = Vec3::Zero();
      int steps = 0;
      for (double left = 1; left > 1e-9 * force && steps < 40; ++steps) {
        const Vec3 r = K * (y - goal) + force * friction_direction(y, epsilon);
        const Mat3 A = K * Mat3::Identity() + force * friction_derivative(y, w, n, epsilon);
        const Vec3 dy = -A.ldlt().solve(r);
        w = next_friction_direction(y, w, dy, 1, epsilon);
        y += dy;
        left = (K * (y - goal) + force * friction_direction(y, epsilon)).norm();
      }
      EXPECT_LE(steps, 12) << pulled << " from " << begin;
      if (pulled < 1)
        EXPECT_LT(y.norm(), epsilon);
      else
        EXPECT_NEAR(y[0], (pulled - 1) * force / K, 1e-8);
      EXPECT_LE(w.norm(), 1 + 1e-15);
    }
}

TEST(FrictionTerm, AContactThatComesWithSpeedSlidesFromTheStart) {
  const Rubbing rubbing(true, {.epsilon = 1e-5});
  Vector v = Vector::Zero(rubbing.stack.q.size());
  for (Index n = 0; n < rubbing.stack.upper_nodes; ++n) node(view(v), n) = Vec3(0, -3, 2);
  const auto set = rubbing.term.open_step(nullptr, rubbing.at(rubbing.stack.q, v), 0.01);
  ASSERT_FALSE(set->contacts.empty());
  for (const FrictionContact& contact : set->contacts) {
    EXPECT_NEAR(contact.slip.norm(), 1e-5, 1e-18);
    EXPECT_NEAR(contact.slip.dot(contact.normal), 0, 1e-18);
  }
}

TEST(FrictionTerm, ForceIsTheSlopeAndTangentItsDerivative) {
  RandomPairs random(72);
  for (const bool stick : {true, false})
    for (const bool obstacle : {true, false}) {
      const Rubbing rubbing(obstacle, {.stick = stick, .epsilon = 0.05});
      const Vector& start = rubbing.stack.q;
      Vector q(start.size()), v(start.size()), u(start.size());
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        q[i] = start[i] + 0.04 * random.vector().x();
        v[i] = 0.06 * random.vector().y();
        u[i] = random.vector().z();
      }
      if (obstacle) u.tail(u.size() - 3 * rubbing.stack.upper_nodes).setZero();
      // Positions or velocities, whichever it depends on.
      const auto along = [&](double step) {
        return stick ? std::pair<Vector, Vector>(q + step * u, v)
                     : std::pair<Vector, Vector>(q, v + step * u);
      };
      const auto value = [&](double step) {
        const auto [x, w] = along(step);
        const Configuration c = rubbing.at(x, w);
        return rubbing.term.potential(c) + rubbing.term.dissipation(c);
      };
      const auto force = [&](double step) {
        const auto [x, w] = along(step);
        Vector f = Vector::Zero(q.size());
        rubbing.term.add_force(rubbing.at(x, w), view(f));
        return f;
      };
      const double h = 1e-6;
      const Vector f = force(0);
      EXPECT_GT(f.norm(), 1);
      EXPECT_NEAR((value(h) - value(-h)) / (2 * h), -f.dot(u), 1e-5 * f.norm());
      BlockMatrix A(fixtures::full_pattern(q));
      const Tangent tangent{.stiffness = stick ? 1.0 : 0.0, .damping = stick ? 0.0 : 1.0};
      rubbing.term.add_tangent(rubbing.at(q, v), tangent, A);
      Vector Au(q.size());
      A.multiply(view(u), view(Au));
      const Vector change = -(force(h) - force(-h)) / (2 * h);
      const Eigen::Index moving = obstacle ? 3 * rubbing.stack.upper_nodes : q.size();
      EXPECT_LT((change - Au).head(moving).norm(), 1e-4 * Au.norm()) << stick << obstacle;
      EXPECT_GE(u.dot(Au), 0);
    }
}

// Along the normal: the loss is a dissipation of the velocity.
TEST(FrictionTerm, LossOfReboundIsTheSlopeOfADissipationAndTangentItsDerivative) {
  RandomPairs random(73);
  const Rubbing rubbing(false, {.epsilon = 1e3, .restitution = 0.3, .rebound_speed = 0.05});
  const Vector& q = rubbing.stack.q;
  Vector v(q.size()), u(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i)
    v[i] = 0.06 * random.vector().y(), u[i] = random.vector().z();
  const auto force = [&](double step) {
    Vector f = Vector::Zero(q.size());
    const Vector w = v + step * u;
    rubbing.term.add_force(rubbing.at(q, w), view(f));
    return f;
  };
  const auto value = [&](double step) {
    const Vector w = v + step * u;
    return rubbing.term.dissipation(rubbing.at(q, w));
  };
  const double h = 1e-6;
  const Vector still = Vector::Zero(q.size());
  Vector hold = still;  // what sticking does, which does not depend on v
  rubbing.term.add_force(rubbing.at(q, still), view(hold));
  const Vector f = force(0) - hold;
  EXPECT_GT(f.norm(), 1);
  EXPECT_LT(f.dot(v), 0);
  EXPECT_NEAR((value(h) - value(-h)) / (2 * h), -f.dot(u), 1e-5 * f.norm());
  BlockMatrix A(fixtures::full_pattern(q));
  rubbing.term.add_tangent(rubbing.at(q, v), {.stiffness = 0, .damping = 1}, A);
  Vector Au(q.size());
  A.multiply(view(u), view(Au));
  EXPECT_LT((-(force(h) - force(-h)) / (2 * h) - Au).norm(), 1e-4 * Au.norm());
}

// Sliding as a whole, the upper block is held back by μ times what presses it up.
TEST(FrictionTerm, SlidingIsOpposedByTheNormalForceTimesTheCoefficient) {
  for (const bool stick : {true, false})
    for (const bool obstacle : {true, false}) {
      const Rubbing rubbing(obstacle, {.stick = stick, .epsilon = 1e-6}, 0.012);
      Vector q = rubbing.stack.q, v = Vector::Zero(q.size());
      const Vec3 way(0.6, 0, -0.8);
      for (Index n = 0; n < rubbing.stack.upper_nodes; ++n) {
        node(view(q), n) += 1e-4 * way;
        node(view(v), n) = 0.1 * way;
      }
      Vector f = Vector::Zero(q.size()), pressed = Vector::Zero(q.size());
      rubbing.term.add_force(rubbing.at(q, v), view(f));
      rubbing.stack.term->add_force(rubbing.stack.at(rubbing.stack.q), view(pressed));
      Vec3 drag = Vec3::Zero(), normal = Vec3::Zero(), all = Vec3::Zero();
      for (Index n = 0; n < static_cast<Index>(q.size() / 3); ++n) {
        all += node(view(f), n);
        if (n >= rubbing.stack.upper_nodes) continue;
        drag += node(view(f), n);
        normal += node(view(pressed), n);
      }
      // Edges of the rims push a little outwards, which presses without lifting.
      EXPECT_NEAR(drag.dot(-way), 0.4 * normal.y(), 0.01 * normal.y());
      EXPECT_LT((drag + drag.dot(-way) * way).norm(), 0.01 * normal.y());
      EXPECT_LT(all.norm(), 1e-12 * normal.y());
    }
}

// Two triangles that meet at a fold press twice what the edge between them takes back; friction is
// that of what is left.
TEST(FrictionSet, ASurfaceThatFoldsRoundABallRubsWithWhatItPresses) {
  const double slope = 0.1, delta = 0.05;
  Vector q(15);
  q << 0, 0, -1, 0, 0, 1, -2, 2 * slope, 0, 2, 2 * slope, 0, 0, 1, 0;
  Surface fold;
  fold.triangles = {{0, 1, 2}, {1, 0, 3}};
  fold.edges = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}};
  ContactSurface surface;
  surface.add({.name = "sheet", .modulus = 1e4}, fold, 0, view(q));
  surface.add_points({.name = "ball", .radius = 0.975, .obstacle = true}, std::array<Index, 1>{4});
  surface.finish();
  const BarrierTerm barrier(std::move(surface), delta);
  const Configuration c{.t = 0, .q = view(q), .v = view(q)};
  ContactSet own;
  double pressed = 0, least = 0;
  for (const Contact& contact : barrier.contacts(c, own).contacts) {
    const double lambda = contact_pressure(contact, gather(view(q), contact.nodes), delta);
    pressed += lambda;
    least = std::min(least, lambda);
  }
  ASSERT_LT(least, 0);
  FrictionSet set;
  const double mu = 0.3;
  FrictionFinder(barrier, FrictionCoefficients(barrier.surface(), mu), false)
      .find(own, view(q), set);
  double rubbing = 0;
  for (const FrictionContact& contact : set.contacts) {
    EXPECT_GT(contact.force, 0);
    rubbing += contact.force;
  }
  EXPECT_EQ(set.contacts.size(), 2);
  EXPECT_NEAR(rubbing, mu * pressed, 1e-12 * pressed);
}

// The two push against each other and so press on nothing in all, but each is rubbed on.
TEST(FrictionSet, APointBetweenTwoSidesOfOneSurfaceRubsOnBoth) {
  const double gap = 0.01, delta = 0.05, mu = 0.3;
  Vector q(21);
  q << -1, -gap, -1, 1, -gap, -1, 0, -gap, 1, -1, 2 * gap, -1, 1, 2 * gap, -1, 0, 2 * gap, 1, 0, 0,
      0;
  Surface sides;
  sides.triangles = {{0, 1, 2}, {3, 4, 5}};
  sides.edges = {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}};
  ContactSurface surface;
  surface.add({.name = "sheet", .modulus = 1e4}, sides, 0, view(q));
  surface.add_points({.name = "dot", .obstacle = true}, std::array<Index, 1>{6});
  surface.finish();
  const BarrierTerm barrier(std::move(surface), delta);
  const Configuration c{.t = 0, .q = view(q), .v = view(q)};
  ContactSet own;
  std::vector<double> pressed;
  for (const Contact& contact : barrier.contacts(c, own).contacts)
    if (contact.kind == PairKind::point_triangle && contact.nodes[0] == 6)
      pressed.push_back(contact_pressure(contact, gather(view(q), contact.nodes), delta));
  ASSERT_EQ(pressed.size(), 2);
  FrictionSet set;
  FrictionFinder(barrier, FrictionCoefficients(barrier.surface(), mu)).find(own, view(q), set);
  std::erase_if(set.contacts, [](const FrictionContact& found) { return found.nodes[0] != 6; });
  ASSERT_EQ(set.contacts.size(), 2);
  EXPECT_NE(set.contacts[0].key, set.contacts[1].key);
  EXPECT_LT((set.contacts[0].normal + set.contacts[1].normal).norm(), 1e-12);
  EXPECT_NEAR(set.contacts[0].force + set.contacts[1].force, mu * (pressed[0] + pressed[1]),
              1e-12 * pressed[0]);
}

TEST(FrictionSet, SlipGoesWithItsContactUntilItSlides) {
  FrictionContact contact;
  contact.key = {-1, 0, 0, 0, 0};
  contact.nodes = {0, 1, 0, 0};
  contact.weights = {1, -1, 0, 0};
  contact.pressed = contact.force = 3;
  contact.slip = Vec3(1e-3, 0, 0);
  FrictionContact other = contact;
  other.key = {-1, 5, 0, 0, 0};
  FrictionSet from{Vector::Zero(6), {contact, other}}, to = from;
  to.contacts.pop_back();
  to.contacts[0].slip.setZero();
  node(view(to.q), 0) = Vec3(1e-3, 7, 0);  // lifting does not count
  node(view(to.q), 1) = Vec3(0, 0, -1e-3);
  carry_slip(from, 1, to);
  EXPECT_LT((to.contacts[0].slip - Vec3(2e-3, 0, 1e-3)).norm(), 1e-15);
  carry_slip(from, 1e-4, to);
  EXPECT_NEAR(to.contacts[0].slip.norm(), 1e-4, 1e-18);
  EXPECT_DOUBLE_EQ(difference(from, to), 0.5);  // one of two is gone
  EXPECT_EQ(difference(from, from), 0);
}

// Where forces found anew answer what was used by more than it changed, and the other way, taking
// all of them swings without end.
TEST(FrictionSet, WhatSwingsIsTakenInPartUntilItRests) {
  const auto contact_of = [](Index number, double pressed) {
    FrictionContact contact;
    contact.key = {-1, number, 0, 0, 0};
    contact.pressed = pressed, contact.force = 0.5 * pressed;
    return contact;
  };
  const auto with = [](std::vector<FrictionContact> contacts) {
    return FrictionSet{.q = {}, .contacts = std::move(contacts)};
  };
  FrictionSet used = with({contact_of(1, 2), contact_of(2, 1)});
  for (int round = 0; round < 12; ++round) {
    FrictionSet found = with({contact_of(1, 3 - 1.2 * used.contacts[0].pressed),
                              contact_of(2, 0.5 + 0.5 * used.contacts[1].pressed + 1)});
    relax(used, found);
    used = found;
  }
  EXPECT_NEAR(used.contacts[0].pressed, 3 / 2.2, 1e-6);
  EXPECT_NEAR(used.contacts[0].force, 1.5 / 2.2, 1e-6);
  EXPECT_NEAR(used.contacts[1].pressed, 3, 1e-3);  // as fast as it goes by itself
  EXPECT_GT(used.contacts[1].pressed, 2.999);
  // What is gone is gone at once, unless it swings; what is new is taken as it is.
  FrictionSet other = with({contact_of(3, 7)});
  relax(used, other);
  ASSERT_EQ(other.contacts.size(), 1);
  EXPECT_EQ(other.contacts[0].pressed, 7);
}

TEST(FrictionCoefficients, PairsHaveTheirOwn) {
  const Stack stack(0.01, 0.03, {1, 1, 1}, true);
  FrictionCoefficients mu(stack.term->surface(), 0);
  EXPECT_FALSE(mu.any());
  mu.set(0, 1, 0.7);
  EXPECT_EQ(mu.of(1, 0), 0.7);
  EXPECT_EQ(mu.of(0, 0), 0);
  EXPECT_TRUE(mu.any());
}

}  // namespace
}  // namespace pliant
