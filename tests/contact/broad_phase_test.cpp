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
    EXPECT_EQ(heap.surface.wings_of(static_cast<Index>(e)).size() > 1,
              heap.radius(heap.surface.edge_patch[e]) == 0);
}

// All pairs of a kind, without a look at where they are.
std::vector<CandidatePair> all_pairs(const ContactSurface& s, PairKind kind) {
  const auto count = [](const auto& list) { return static_cast<Index>(list.size()); };
  std::vector<CandidatePair> out;
  const bool edges = kind == PairKind::edge_edge, points = kind == PairKind::point_point;
  for (Index a = 0; a < (edges ? count(s.edges) : count(s.points)); ++a)
    if (edges)
      for (Index b = a + 1; b < count(s.edges); ++b) out.push_back({a, b});
    else if (kind == PairKind::point_triangle)
      for (Index b = 0; b < count(s.triangles); ++b) out.push_back({a, b});
    else if (kind == PairKind::point_edge)
      for (const Index b : s.wires) out.push_back({a, b});
    else if (points && std::ranges::count(s.lone_points, a) > 0)
      for (const Index b : s.lone_points)
        if (b > a) out.push_back({a, b});
  return out;
}

bool shares_a_node(const std::array<Index, 4>& nodes, PairKind kind) {
  const auto first = nodes.begin() + (kind == PairKind::edge_edge ? 2 : 1);
  return std::any_of(nodes.begin(), first, [&](Index n) {
    return std::find(first, nodes.begin() + points_of(kind), n) != nodes.begin() + points_of(kind);
  });
}

// Every pair that comes closer than the reach at one of many moments is among the candidates.
TEST(BroadPhase, ListsAllPairsThatComeNear) {
  const double reach = 0.05;
  std::array<int, 4> near = {};
  for (const unsigned seed : {52u, 53u, 54u}) {
    const Heap heap(seed);
    const ContactSurface& s = heap.surface;
    BroadPhase broad(s, BroadPhase::Use::once);
    Candidates found;
    broad.find(view(heap.q), view(heap.dq), reach, found);
    for (const PairKind kind : pair_kinds)
      for (const CandidatePair& pair : all_pairs(s, kind)) {
        const std::array<Index, 4> nodes = nodes_of(s, kind, pair);
        const auto [a, b] = patches_of(s, kind, pair);
        if (!s.may_touch(a, b) || shares_a_node(nodes, kind)) continue;
        double least = std::numeric_limits<double>::infinity();
        for (const double t : {0.0, 0.3, 0.7, 1.0}) {
          const Vector q = heap.q + t * heap.dq;
          PairPoints x = PairPoints::Zero();
          for (int i = 0; i < points_of(kind); ++i)
            x.col(i) = node(view(q), nodes[static_cast<std::size_t>(i)]);
          least = std::min(least, distance(kind, x));
        }
        if (least > reach + heap.radius(a) + heap.radius(b)) continue;
        ++near[static_cast<std::size_t>(kind)];
        EXPECT_TRUE(listed(found.of(kind), pair.first, pair.second));
      }
  }
  // The heap has one lone point, which meets no other.
  EXPECT_GT(near[static_cast<std::size_t>(PairKind::point_edge)], 1);
  EXPECT_GT(near[static_cast<std::size_t>(PairKind::point_triangle)], 100);
  EXPECT_GT(near[static_cast<std::size_t>(PairKind::edge_edge)], 100);
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
