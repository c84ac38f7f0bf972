// Tubes around threads: as wide as they should be, closed, seen from outside, and never twisted.
#include <pliant/mesh/tubes.hpp>

#include <gtest/gtest.h>

#include <map>
#include <numbers>

namespace pliant {
namespace {

constexpr double kRadius = 0.05;

Tubes tube_along(Index points) {
  Thread thread{ThreadKind::cable, {}, kRadius, 0};
  for (Index n = 0; n < points; ++n) thread.points.push_back(n);
  return {{thread}, 1};
}

double volume_of(const Tubes& tubes, const std::vector<Vec3>& vertices) {
  double sum = 0;
  for (const auto& [a, b, c] : tubes.triangles())
    sum += vertices[a].dot(vertices[b].cross(vertices[c])) / 6;
  return sum;
}

// A prism with twelve sides: its cross-section is 12/2 sin(30°) r².
TEST(Tubes, EncloseTheVolumeOfAPrismWithTheirNormalsOutside) {
  const std::vector<Vec3> line = {{0.1, 0, 0}, {0.5, 0.3, 0}, {1.3, 0.9, 0}};
  const Tubes tubes = tube_along(3);
  EXPECT_NEAR(volume_of(tubes, tubes.vertices(line)), 6 * 0.5 * kRadius * kRadius * 1.5, 1e-12);
}

TEST(Tubes, AreClosed) {
  const Tubes tubes = tube_along(4);
  std::map<std::array<Index, 2>, int> edges;
  for (const auto& t : tubes.triangles())
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, times] : edges) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ((edges.count({edge[1], edge[0]})), 1u);
  }
}

// Along a helix every vertex is a radius from the thread, and rings do not turn about it: lines
// from ring to ring stay as good as parallel to it.
TEST(Tubes, FollowAHelixWithoutTwisting) {
  std::vector<Vec3> helix;
  for (int k = 0; k < 200; ++k) {
    const double s = 0.1 * k;
    helix.emplace_back(std::cos(s), 0.1 * s, std::sin(s));
  }
  const Tubes tubes = tube_along(200);
  const std::vector<Vec3> vertices = tubes.vertices(helix);
  for (std::size_t k = 0; k + 2 < vertices.size(); ++k) {
    const auto ring = static_cast<std::size_t>(tubes.source()[k]);
    const double away = (vertices[k] - helix[ring]).norm();
    EXPECT_GT(away, (1 - 1e-12) * kRadius);
    EXPECT_LT(away, kRadius / std::cos(0.05));  // it bends by less than 0.1 from segment to segment
    if (ring + 1 == helix.size()) continue;
    const Vec3 along = (vertices[k + 12] - vertices[k]).normalized();
    EXPECT_GT(along.dot((helix[ring + 1] - helix[ring]).normalized()), 0.9999);
  }
}

TEST(Tubes, StandWhereSegmentsHaveNoLengthOrTurnBack) {
  for (const std::vector<Vec3>& line : {std::vector<Vec3>{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}},
                                        {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
                                        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}})
    for (const Vec3& x : tube_along(3).vertices(line)) {
      ASSERT_TRUE(x.allFinite());
      EXPECT_LT((x - line[0]).norm(), 1 + 3 * kRadius);
    }
}

TEST(Tubes, AreWideEnoughToBeSeen) {
  EXPECT_EQ(drawn_radius({ThreadKind::cable, {}, 0.05, 0}, 1), 0.05);
  EXPECT_GT(drawn_radius({ThreadKind::cable, {}, 1e-6, 0}, 10), 0.01);
  EXPECT_GT(drawn_radius({ThreadKind::rod, {}, 0, -1}, 10), 0.01);
}

TEST(Chains, AreSegmentsFromEndToEndWhateverTheirOrder) {
  const std::vector<std::array<Index, 2>> cable = {{2, 3}, {1, 0}, {1, 2}};
  EXPECT_EQ(chains_of(cable), (std::vector<std::vector<Index>>{{0, 1, 2, 3}}));
  const std::vector<std::array<Index, 2>> fork = {{0, 1}, {1, 2}, {1, 3}, {3, 4}};
  EXPECT_EQ(chains_of(fork), (std::vector<std::vector<Index>>{{0, 1}, {1, 2}, {1, 3, 4}}));
  const std::vector<std::array<Index, 2>> ring = {{0, 1}, {1, 2}, {2, 0}};
  EXPECT_EQ(chains_of(ring), (std::vector<std::vector<Index>>{{0, 1, 2, 0}}));
}

}  // namespace
}  // namespace pliant
