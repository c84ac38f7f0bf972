// Collision detection against queries whose answer is exact by construction: positions at the time
// of impact, weights and times are numbers of few binary digits, so that the query's coordinates
// are exact in double precision and the pair meets at that time without any rounding.
#include <pliant/contact/ccd.hpp>

#include <contact/random_pairs.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using fixtures::RandomPairs;

struct Query {
  PairPoints x, dx;
};

class ExactQueries {
 public:
  explicit ExactQueries(unsigned seed) : random_(seed) {}

  // The pair meets at time `when`: x = x* − when · dx.
  Query meeting(PairKind kind, bool tangential, double when, double slowness) {
    PairPoints at = points(), dx = points() * slowness;
    const double a = part(), b = part();
    if (kind == PairKind::point_triangle) {
      const double c = b * (1 - a);  // weights 1 − a − c, a, c
      at.col(0) = (1 - a - c) * at.col(1) + a * at.col(2) + c * at.col(3);
      if (tangential)
        dx.col(0) =
            (1 - a - c) * dx.col(1) + a * dx.col(2) + c * dx.col(3) +
            slowness * (part() * (at.col(2) - at.col(1)) + part() * (at.col(3) - at.col(1)));
    } else {
      // The second edge goes through a point of the first.
      const Vec3 on = (1 - a) * at.col(0) + a * at.col(1), direction = at.col(3);
      at.col(2) = on - b * direction, at.col(3) = at.col(2) + direction;
      if (tangential) {
        const Vec3 moves = (1 - a) * dx.col(0) + a * dx.col(1);
        dx.col(3) = dx.col(2) = moves + slowness * part() * (at.col(1) - at.col(0));
      }
    }
    return {at - when * dx, dx};
  }

  // Edges that differ in direction by 2^-digits, side by side, and cross.
  Query nearly_parallel(int digits, double when) {
    PairPoints at = points(), dx = points();
    const double a = part(), b = part();
    const Vec3 direction = at.col(1) - at.col(0) + std::ldexp(1.0, -digits) * vector();
    const Vec3 on = (1 - a) * at.col(0) + a * at.col(1);
    at.col(2) = on - b * direction, at.col(3) = at.col(2) + direction;
    dx.col(1) = dx.col(0), dx.col(3) = dx.col(2);
    return {at - when * dx, dx};
  }

  double time() { return std::ldexp(std::uniform_int_distribution<int>(1, 255)(random_), -8); }

 private:
  double part() { return std::ldexp(std::uniform_int_distribution<int>(0, 16)(random_), -4); }
  Vec3 vector() {
    std::uniform_int_distribution<int> pick(-4096, 4096);
    return Vec3(std::ldexp(pick(random_), -12), std::ldexp(pick(random_), -12),
                std::ldexp(pick(random_), -12));
  }
  PairPoints points() {
    PairPoints x;
    for (int i = 0; i < 4; ++i) x.col(i) = vector();
    return x;
  }

  std::mt19937 random_;
};

constexpr int kQueries = 10000;

TEST(Ccd, MissesNoCollisionWhetherItGoesThroughOrOnlyTouches) {
  ExactQueries queries(21);
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (int k = 0; k < 2 * kQueries; ++k) {
      const double when = queries.time();
      const Query q = queries.meeting(kind, k % 2 == 0, when, 1);
      const CcdAnswer answer = find_impact(kind, q.x, q.dx);
      ASSERT_TRUE(answer.hit);
      ASSERT_LE(answer.time, when);
    }
}

TEST(Ccd, MissesNoCollisionAcrossTheSmallestGaps) {
  ExactQueries queries(23);
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (const int digits : {10, 16, 20})
      for (int k = 0; k < kQueries; ++k) {
        const double when = queries.time();
        const Query q = queries.meeting(kind, k % 2 == 0, when, std::ldexp(1.0, -digits));
        const CcdAnswer answer = find_impact(kind, q.x, q.dx);
        ASSERT_TRUE(answer.hit) << k;
        ASSERT_LE(answer.time, when);
      }
}

TEST(Ccd, MissesNoCollisionOfAlmostParallelEdges) {
  ExactQueries queries(24);
  for (int digits = 0; digits <= 20; ++digits)
    for (int k = 0; k < kQueries / 4; ++k) {
      const double when = queries.time();
      const Query q = queries.nearly_parallel(digits, when);
      const CcdAnswer answer = find_impact(PairKind::edge_edge, q.x, q.dx);
      ASSERT_TRUE(answer.hit) << digits;
      ASSERT_LE(answer.time, when);
    }
}

TEST(Ccd, LetsGoWhatKeepsAwayAndStopsWithAGapLeft) {
  RandomPairs pairs(25);
  int free = 0, hits = 0;
  for (const PairKind kind : fixtures::all_pair_kinds)
    for (int k = 0; k < 3000; ++k) {
      const PairPoints x = pairs.general(), dx = pairs.general();
      const CcdAnswer answer = find_impact(kind, x, dx);
      const double first = distance(kind, x);
      double smallest = first;
      for (int i = 0; i <= 200; ++i)
        smallest = std::min(smallest, distance(kind, x + i / 200.0 * answer.time * dx));
      EXPECT_TRUE(answer.hit || answer.time == 1);
      EXPECT_GT(smallest, (0.1 - 1e-9) * first);
      (answer.hit ? hits : free) += 1;
    }
  EXPECT_GT(free, 1000);
  EXPECT_GT(hits, 300);
}

TEST(Ccd, KeepsTheThicknessClear) {
  PairPoints x = PairPoints::Zero(), dx = PairPoints::Zero();
  x.col(0) = Vec3(0.2, 1, 0.2), x.col(2) = Vec3(1, 0, 0), x.col(3) = Vec3(0, 0, 1);
  dx.col(0) = Vec3(0, -2, 0);
  // The gap above a thickness of 0.4 is 0.6, of which a tenth stays: 0.54 of a way of 2 at most.
  const CcdAnswer answer = find_impact(PairKind::point_triangle, x, dx, {.thickness = 0.4});
  EXPECT_TRUE(answer.hit);
  EXPECT_LE(answer.time, 0.27 + 1e-9);
  EXPECT_GT(answer.time, 0.2);
  EXPECT_FALSE(find_impact(PairKind::point_triangle, x, 0.2 * dx, {.thickness = 0.4}).hit);
}

TEST(Ccd, SlidingTakesFewIterations) {
  // A point slides over a large triangle, a millionth of its way above it.
  PairPoints x = PairPoints::Zero(), dx = PairPoints::Zero();
  x.col(0) = Vec3(0, 1e-6, 0), x.col(1) = Vec3(-3, 0, -3), x.col(2) = Vec3(0, 0, 5);
  x.col(3) = Vec3(3, 0, -3);
  dx.col(0) = Vec3(1, 0, 0.3);
  const CcdAnswer free = find_impact(PairKind::point_triangle, x, dx);
  EXPECT_FALSE(free.hit);
  EXPECT_EQ(free.iterations, 1);
  dx.col(0).y() = -2e-6;  // and now it sinks: contact at half of the way
  const CcdAnswer sinking = find_impact(PairKind::point_triangle, x, dx);
  EXPECT_TRUE(sinking.hit);
  EXPECT_NEAR(sinking.time, 0.45, 0.05);
  EXPECT_LE(sinking.iterations, 2);
}

TEST(Ccd, EdgesThatTurnAboutTheirCrossingTakeFewIterations) {
  // Two edges a hundred-millionth apart. The first turns by 1e-3 in the plane across the second, so
  // that one of its ends sinks by far more than the gap beside the other edge.
  PairPoints x, dx = PairPoints::Zero();
  x << -1, 1, 0, 0,  //
      1e-8, 1e-8, 0, 0, 0, 0, -1, 1;
  dx(1, 0) = 1e-3, dx(1, 1) = -1e-3;
  const CcdAnswer turning = find_impact(PairKind::edge_edge, x, dx);
  EXPECT_FALSE(turning.hit);
  EXPECT_LE(turning.iterations, 10);
  dx.row(1).array() -= 2e-8;  // the first sinks through the second, half-way
  dx(1, 2) = dx(1, 3) = 0;
  const CcdAnswer sinking = find_impact(PairKind::edge_edge, x, dx);
  EXPECT_TRUE(sinking.hit);
  EXPECT_LT(sinking.time, 0.5);
  EXPECT_GT(sinking.time, 0.4);
}

TEST(Ccd, SharedMotionIsNoCollision) {
  RandomPairs pairs(26);
  for (const PairKind kind : fixtures::all_pair_kinds)
    for (int k = 0; k < 100; ++k) {
      const PairPoints x = pairs.general();
      const Vec3 shared = 100 * pairs.vector();
      EXPECT_FALSE(find_impact(kind, x, shared.replicate<1, 4>()).hit);
    }
}

TEST(Ccd, WhatTouchesAlreadyMayNotMove) {
  ExactQueries queries(27);
  for (const PairKind kind : {PairKind::point_triangle, PairKind::edge_edge})
    for (int k = 0; k < 200; ++k) {
      const Query q = queries.meeting(kind, false, 0, 1);
      const CcdAnswer answer = find_impact(kind, q.x, q.dx);
      EXPECT_TRUE(answer.hit);
      EXPECT_EQ(answer.time, 0);
    }
}

}  // namespace
}  // namespace pliant
