#include <pliant/contact/broad_phase.hpp>
#include <pliant/contact/nearest.hpp>

#include "contact/heap.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

namespace pliant {
namespace {

using test::Heap;

bool listed(const std::vector<CandidatePair>& list, Index a, Index b) {
  return std::find(list.begin(), list.end(), CandidatePair{a, b}) != list.end();
}

TEST(ContactSurface, SharesTheAreaOfTheTrianglesAmongPointsAndEdges) {
  const Heap heap(51);
  double points = 0, edges = 0;
  for (const double a : heap.surface.point_area) points += a;
  for (const double a : heap.surface.edge_area) edges += a;
  EXPECT_NEAR(points, 12, 1e-12);  // two cubes of side 1
  EXPECT_NEAR(edges, 12, 1e-12);
  for (std::size_t e = 0; e < heap.surface.edges.size(); ++e)
    EXPECT_EQ(heap.surface.edge_wings[e][1] >= 0, heap.radius(heap.surface.edge_patch[e]) == 0);
}

// Every pair that comes closer than the reach at one of many moments is among the candidates.
TEST(BroadPhase, ListsAllPairsThatComeNear) {
  for (const unsigned seed : {52u, 53u, 54u}) {
    const Heap heap(seed);
    const ContactSurface& s = heap.surface;
    BroadPhase broad(s, BroadPhase::Use::once);
    Candidates found;
    const double reach = 0.05;
    broad.find(view(heap.q), view(heap.dq), reach, found);
    int near = 0;
    for (const double t : {0.0, 0.3, 0.7, 1.0}) {
      const Vector q = heap.q + t * heap.dq;
      const auto x = [&q](Index n) { return node(view(q), n); };
      for (Index p = 0; p < static_cast<Index>(s.points.size()); ++p)
        for (Index k = 0; k < static_cast<Index>(s.triangles.size()); ++k) {
          const auto& corner = s.triangles[static_cast<std::size_t>(k)];
          const Index pa = s.point_patch[static_cast<std::size_t>(p)];
          const Index pb = s.triangle_patch[static_cast<std::size_t>(k)];
          const Index n = s.points[static_cast<std::size_t>(p)];
          if (!s.may_touch(pa, pb) || n == corner[0] || n == corner[1] || n == corner[2]) continue;
          PairPoints pair;
          pair << x(n), x(corner[0]), x(corner[1]), x(corner[2]);
          if (distance(PairKind::point_triangle, pair) > reach + heap.radius(pa) + heap.radius(pb))
            continue;
          ++near;
          EXPECT_TRUE(listed(found.point_triangle, p, k));
        }
    }
    EXPECT_GT(near, 20);
  }
}

TEST(BroadPhase, LeavesOutNeighboursObstaclesAmongThemselvesAndWhatMayNotTouchItself) {
  const Heap heap(55);
  const ContactSurface& s = heap.surface;
  BroadPhase broad(s);
  Candidates found;
  broad.find(view(heap.q), {}, 10, found);  // everything is near everything
  for (const auto& [p, t] : found.point_triangle) {
    const auto& corner = s.triangles[static_cast<std::size_t>(t)];
    EXPECT_EQ(std::count(corner.begin(), corner.end(), s.points[static_cast<std::size_t>(p)]), 0);
  }
  for (const auto& [e, f] : found.edge_edge) {
    EXPECT_LT(e, f);
    const Index a = s.edge_patch[static_cast<std::size_t>(e)];
    const Index b = s.edge_patch[static_cast<std::size_t>(f)];
    EXPECT_FALSE(a == 1 && b == 1);
    EXPECT_FALSE(s.patches[static_cast<std::size_t>(a)].obstacle &&
                 s.patches[static_cast<std::size_t>(b)].obstacle);
  }
  // Points of both boxes against the rod, not the ball, which is an obstacle too.
  EXPECT_EQ(found.point_edge.size(), 2 * (64 - 8));
  EXPECT_TRUE(found.point_point.empty());
}

TEST(BroadPhase, PatchesOfOneIgnoredGroupPassThroughEachOther) {
  ContactSurface surface;
  const std::array<Index, 1> a = {0}, b = {1}, c = {2};
  surface.add_points({.name = "a", .ignored_groups = {"g"}}, a);
  surface.add_points({.name = "b", .ignored_groups = {"h", "g"}}, b);
  surface.add_points({.name = "c"}, c);
  surface.finish();
  EXPECT_FALSE(surface.may_touch(0, 1));
  EXPECT_TRUE(surface.may_touch(0, 2));
  const Vector q = Vector::Zero(9);
  BroadPhase broad(surface);
  Candidates found;
  broad.find(view(q), {}, 1, found);
  EXPECT_EQ(found.point_point, (std::vector<CandidatePair>{{0, 2}, {1, 2}}));
}

TEST(BroadPhase, FindsTheSameListWithAnyNumberOfThreadsAndAnyHistory) {
  const Heap heap(56);
  Candidates one, many;
  BroadPhase fresh(heap.surface), used(heap.surface);
  const Vector elsewhere = heap.q + 3 * heap.dq;
  used.find(view(elsewhere), {}, 0.1, many);
  tbb::task_arena(1).execute([&] { fresh.find(view(heap.q), view(heap.dq), 0.1, one); });
  tbb::task_arena(4).execute([&] { used.find(view(heap.q), view(heap.dq), 0.1, many); });
  EXPECT_EQ(one.point_triangle, many.point_triangle);
  EXPECT_EQ(one.edge_edge, many.edge_edge);
  EXPECT_EQ(one.point_edge, many.point_edge);
  EXPECT_GT(one.edge_edge.size(), 10u);
}

}  // namespace
}  // namespace pliant
