// Lists that last must give the same contacts as lists made for every way: against a broad phase
// that looks anew each time.
#include <pliant/contact/contact_set.hpp>
#include <pliant/contact/near_pairs.hpp>

#include "contact/heap.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

namespace pliant {
namespace {

using test::Heap;

constexpr double kReach = 0.05;

Vector random_way(Eigen::Index size, double length, std::mt19937& random) {
  std::uniform_real_distribution<double> pick(-1, 1);
  Vector dq(size);
  for (Eigen::Index i = 0; i < size; ++i) dq[i] = length * pick(random);
  return dq;
}

void expect_same_contacts(const ContactSet& found, const ContactSet& wanted) {
  ASSERT_EQ(found.contacts.size(), wanted.contacts.size());
  for (std::size_t k = 0; k < wanted.contacts.size(); ++k) {
    const Contact &a = found.contacts[k], &b = wanted.contacts[k];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.stiffness, b.stiffness);
    EXPECT_EQ(a.range, b.range);
  }
  if (wanted.min_gap.value_or(kReach) < kReach) {
    EXPECT_EQ(found.min_gap, wanted.min_gap);
  }
}

// Ways of all lengths one after the other, each gone as far as is safe.
TEST(NearPairs, GiveTheContactsOfAFreshSearchOnAWalk) {
  for (const unsigned seed : {3u, 4u}) {
    Heap heap(seed);
    heap.q = heap.rest;
    const ContactFinder finder(heap.surface, kReach);
    NearPairs near(heap.surface, kReach);
    std::mt19937 random(seed);
    int ways = 0, touching = 0;
    for (const double length : {0.02, 0.002, 1e-4, 0.1, 0.01, 1e-3, 1e-3, 1e-3, 0.3, 0.05, 1e-6}) {
      const Vector dq = random_way(heap.q.size(), length, random);
      near.look_along(view(heap.q), view(dq));
      Candidates fresh;
      BroadPhase(heap.surface).find(view(heap.q), view(dq), kReach, fresh);
      const double step = finder.safe_step(near.pairs(), view(heap.q), view(dq));
      if (length < kReach) {
        EXPECT_EQ(step, finder.safe_step(fresh, view(heap.q), view(dq))) << length;
      }
      for (const double part : {0.0, 0.5 * step, step}) {
        const Vector q = heap.q + part * dq;
        ContactSet found, wanted;
        finder.find(near.pairs(), view(q), {view(heap.q)}, found);
        finder.find(fresh, view(q), {view(heap.q)}, wanted);
        SCOPED_TRACE(testing::Message() << length << ' ' << part);
        expect_same_contacts(found, wanted);
        EXPECT_GT(wanted.min_gap.value_or(1), 0);
        touching += wanted.contacts.empty() ? 0 : 1;
      }
      heap.q += step * dq;
      ++ways;
    }
    EXPECT_GT(touching, 10);
    EXPECT_LT(near.searches(), ways);
  }
}

TEST(NearPairs, LookOnceForWaysThatShrinkAndAgainWhereOneLeaves) {
  Heap heap(5);
  heap.q = heap.rest;
  NearPairs near(heap.surface, kReach);
  std::mt19937 random(6);
  Vector q = heap.q;
  for (double length = 0.01; length > 1e-9; length *= 0.4) {
    const Vector dq = random_way(q.size(), length, random);
    near.look_along(view(q), view(dq));
    q += dq;
  }
  EXPECT_EQ(near.searches(), 1);
  near.look_along(view(q), {});
  EXPECT_EQ(near.searches(), 1);
  const Vector away = Vector::Constant(q.size(), 0.2);
  near.look_along(view(q), view(away));
  EXPECT_EQ(near.searches(), 2);
  near.look_along(view(q), {});  // the list around this place is still there
  EXPECT_EQ(near.searches(), 2);
  near.forget();
  near.look_along(view(q), {});
  EXPECT_EQ(near.searches(), 3);
}

TEST(NearPairs, HoldFewPairsThatAreFar) {
  Heap heap(7);
  heap.q = heap.rest;
  NearPairs near(heap.surface, 1e-3);
  near.look_along(view(heap.q), {});
  Candidates fresh;
  BroadPhase(heap.surface).find(view(heap.q), {}, 1e-3, fresh);
  EXPECT_LT(near.pairs().edge_edge.size(), fresh.edge_edge.size() / 10);
}

// Where the reach is wide lists are long: of all in the wide one, few are asked step after step.
TEST(NearPairs, HoldLittleMoreThanShortWaysNeed) {
  const double reach = 0.2;
  Heap heap(7);
  heap.q = heap.rest;
  NearPairs near(heap.surface, reach);
  std::mt19937 random(3);
  const Vector dq = random_way(heap.q.size(), 1e-3 * reach, random);
  near.look_along(view(heap.q), view(dq));
  Candidates wide;
  BroadPhase(heap.surface).find(view(heap.q), {}, 2 * reach, wide);
  EXPECT_LT(near.pairs().edge_edge.size(), 0.5 * wide.edge_edge.size());
  EXPECT_GT(near.pairs().edge_edge.size(), 20u);
}

TEST(NearPairs, AreTheSameForAnyNumberOfThreads) {
  Heap heap(8);
  const auto found = [&](int threads) {
    NearPairs near(heap.surface, kReach);
    tbb::task_arena arena(threads);
    arena.execute([&] { near.look_along(view(heap.q), view(heap.dq)); });
    return near.pairs();
  };
  const Candidates one = found(1), four = found(4);
  for (const PairKind kind : pair_kinds) EXPECT_EQ(one.of(kind), four.of(kind));
}

TEST(NearPairs, LookAgainWhereAPlaceIsNoNumber) {
  Heap heap(9);
  heap.q = heap.rest;
  NearPairs near(heap.surface, kReach);
  near.look_along(view(heap.q), {});
  Vector broken = heap.q;
  broken[0] = std::numeric_limits<double>::quiet_NaN();
  const int before = near.searches();
  near.look_along(view(broken), {});
  EXPECT_EQ(near.searches(), before + 1);
}

}  // namespace
}  // namespace pliant
